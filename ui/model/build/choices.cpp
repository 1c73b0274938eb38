// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/choices.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <sstream>

#include "sim/base/units.h"
#include "sim/load/read/reader.h"
#include "sim/model/catalog/chassis.h"
#include "ui/model/build/new_machine.h"
#include "ui/model/build/words.h"

namespace gpufeed::ui {
namespace {

/// Which keys fill a kind's columns.
struct KindKeys {
  const char* kind;
  const char* rate;
  const char* rate_title;
  const char* size;
  const char* size_title;
};
constexpr std::array kKinds{
    KindKeys{"gpu", "peak_fp16", "Peak fp16", "memory", "Memory"},
    KindKeys{"drive", "read_bandwidth", "Read rate", "capacity", "Capacity"},
    KindKeys{"cpu", "memory_bandwidth", "Memory rate", "cores", "Cores"},
    KindKeys{"nic", "port_bandwidth", "Rate of a port", "ports", "Ports"},
    KindKeys{"switch", "", "", "lanes", "Lanes"},
    KindKeys{"network-switch", "port_bandwidth", "Rate of a port", "ports", "Ports"},
    KindKeys{"cable", "bandwidth", "Rate", "", ""},
    KindKeys{"model", "multiply_adds", "Multiply-adds", "parameters", "Parameters"},
    KindKeys{"dataset", "samples", "Samples", "sample_size", "Size of one"},
    KindKeys{"array", "read_bandwidth", "Read rate", "capacity", "Capacity"},
    KindKeys{"chassis", "", "Places for GPUs", "", "Drive bays"},
    KindKeys{"server", "", "Places for GPUs", "", "Drive bays"},
    KindKeys{"system", "", "GPUs", "", "Drives"}};

const KindKeys* keys_of(const std::string& kind) {
  const auto found =
      std::ranges::find_if(kKinds, [&](const KindKeys& k) { return k.kind == kind; });
  return found == kKinds.end() ? nullptr : &*found;
}

std::optional<double> number_of(const EntryLine& line) {
  if (line.value.empty()) return {};
  if (line.units) return parse_in(*line.units, line.value);
  double value = 0;
  const char* end = line.value.data() + line.value.size();
  if (std::from_chars(line.value.data(), end, value).ec != std::errc{}) return {};
  return value;
}

Choice choice_of(const EntryText& entry, const KindKeys& keys) {
  Choice choice{entry.name, entry.title, "", "", {}, {}, {}, {}, {}, false, ""};
  const bool is_drive = std::string_view(keys.kind) == "drive";
  choice.fits_nowhere = is_drive;
  for (const EntryLine& line : entry.lines) {
    if (line.key == "form" && line.operand) choice.fits_nowhere = false;
    const auto* const words = line.operand ? std::get_if<std::string>(&*line.operand) : nullptr;
    if (line.key == "not_sold" && words && !words->empty() &&
        (is_drive || std::string_view(keys.kind) == "nic"))
      choice.fits_nowhere = true;
    const auto number = number_of(line);
    if (!number) continue;
    if (line.key == keys.rate) choice.rate = line.value, choice.rate_value = number;
    if (line.key == keys.size) choice.size = line.value, choice.size_value = number;
    if (line.key == "price") choice.price_USD = number;
    if (line.key == "price_year") choice.price_year = static_cast<int>(*number);
    if (line.key == "released") choice.released = static_cast<int>(*number);
  }
  return choice;
}

void count_places(const Chassis& chassis, std::int64_t& gpus, std::int64_t& drives) {
  const bool modules = std::ranges::count(chassis.slots, SlotKind::module, &Slot::takes) > 0;
  for (const Slot& slot : chassis.slots) {
    // Where there is a GPU board, cards are for the network; GPUs cover two slots or more.
    const bool for_gpu =
        modules ? slot.takes == SlotKind::module : slot.takes == SlotKind::card && slot.width > 1;
    if (for_gpu) gpus += slot.count;
    if (slot.takes == SlotKind::bay) drives += slot.count;
  }
}

void count_places(const System& system, std::int64_t& gpus, std::int64_t& drives) {
  gpus = static_cast<std::int64_t>(system.gpus.size());
  drives = static_cast<std::int64_t>(system.drives.size());
}

/// Chassis, or systems: how many GPUs and drives are theirs.
template <class Machine>
std::vector<Choice> machines_of(const Catalog& catalog) {
  Diagnostics wrong;
  Reader reader(catalog, "", wrong);
  std::vector<Choice> choices;
  for (const auto& name : catalog.names(Machine::kKind)) {
    const auto file = catalog.find(Machine::kKind, name);
    const auto entry = file ? reader.entry_of<Machine>(*file) : nullptr;
    if (!entry) continue;
    std::int64_t gpus = 0, drives = 0;
    count_places(*entry, gpus, drives);
    Choice choice{
        name, entry->title, std::to_string(gpus), std::to_string(drives), {}, {}, {}, {}, {}, false,
        ""};
    choice.rate_value = static_cast<double>(gpus);
    choice.size_value = static_cast<double>(drives);
    if (entry->price) choice.price_USD = entry->price->value;
    if (entry->price_year) choice.price_year = static_cast<int>(*entry->price_year);
    if (entry->released) choice.released = static_cast<int>(*entry->released);
    choices.push_back(std::move(choice));
  }
  return choices;
}

/// Every chassis, and with each kind of GPUs that fits it.
std::vector<Choice> servers_of(const Catalog& catalog) {
  Diagnostics wrong;
  Reader reader(catalog, "", wrong);
  std::vector<std::shared_ptr<const Gpu>> gpus;
  for (const auto& name : catalog.names(Gpu::kKind))
    if (const auto file = catalog.find(Gpu::kKind, name))
      if (auto gpu = reader.entry_of<Gpu>(*file)) gpus.push_back(std::move(gpu));
  std::vector<Choice> choices;
  for (const Choice& chassis : machines_of<Chassis>(catalog)) {
    choices.push_back(chassis);
    const auto file = catalog.find(Chassis::kKind, chassis.name);
    const auto entry = file ? reader.entry_of<Chassis>(*file) : nullptr;
    for (const auto& gpu : entry ? gpus : std::vector<std::shared_ptr<const Gpu>>{}) {
      if (!may_fill(*entry, *gpu)) continue;
      Choice filled = chassis;
      filled.name += std::string(kFilledWith) + gpu->name;
      filled.title = gpu->title + " in " + chassis.title;
      filled.filled_with = gpu->name + " " + gpu->title;
      choices.push_back(std::move(filled));
    }
  }
  return choices;
}

std::optional<double> value_of(const Choice& choice, ChoiceOrder by) {
  switch (by) {
    case ChoiceOrder::rate:
      return choice.rate_value;
    case ChoiceOrder::size:
      return choice.size_value;
    case ChoiceOrder::price:
      return choice.price_USD;
    case ChoiceOrder::year:
      return choice.released ? std::optional<double>(*choice.released) : std::nullopt;
    case ChoiceOrder::title:
      break;
  }
  return {};
}

}  // namespace

ChoiceColumns columns_of(const std::string& kind) {
  const KindKeys* const keys = keys_of(kind);
  if (!keys) return {};
  return {keys->rate_title, keys->size_title, kind != "model" && kind != "dataset"};
}

std::vector<Choice> choices_of(const Catalog& catalog, const std::string& kind) {
  const KindKeys* const keys = keys_of(kind);
  if (!keys) return {};
  if (kind == Chassis::kKind) return machines_of<Chassis>(catalog);
  if (kind == System::kKind) return machines_of<System>(catalog);
  if (kind == "server") return servers_of(catalog);
  Diagnostics wrong;
  std::vector<Choice> choices;
  for (const EntryText& entry : entries_of_kind(catalog, kind, {}, wrong))
    choices.push_back(choice_of(entry, *keys));
  return choices;
}

std::vector<const Choice*> found_in(const std::vector<Choice>& choices, const std::string& search) {
  std::istringstream in(search);
  const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
  const auto is_sought = [&](const std::string& gpus) {
    return std::ranges::any_of(words, [&](const auto& word) { return has_words(gpus, word); });
  };
  std::vector<const Choice*> found;
  for (const Choice& choice : choices) {
    if (!has_words(choice.title + " " + choice.name, search)) continue;
    if (!choice.filled_with.empty()) {
      if (!is_sought(choice.filled_with)) continue;
      std::erase_if(found,
                    [&](const Choice* other) {  // the chassis alone, which may come with others
                      return choice.name.starts_with(other->name + std::string(kFilledWith));
                    });
    }
    found.push_back(&choice);
  }
  return found;
}

bool may_replace(const Choice& choice, const std::string& now, const std::vector<Choice>& choices) {
  const auto found = std::ranges::find(choices, now, &Choice::name);
  return !choice.fits_nowhere || (found != choices.end() && found->fits_nowhere);
}

void sort_choices(std::vector<const Choice*>& choices, ChoiceOrder by, bool descending) {
  std::ranges::stable_sort(choices, [&](const Choice* a, const Choice* b) {
    if (by == ChoiceOrder::title)
      return descending ? lower(b->title) < lower(a->title) : lower(a->title) < lower(b->title);
    const auto of_a = value_of(*a, by);
    const auto of_b = value_of(*b, by);
    if (!of_a || !of_b) return of_a.has_value() && !of_b.has_value();
    return descending ? *of_b < *of_a : *of_a < *of_b;
  });
}

ChoiceLists::ChoiceLists(Catalog catalog)
    : thread_([this, catalog = std::move(catalog)] {
        for (const KindKeys& keys : kKinds) {
          auto choices = choices_of(catalog, keys.kind);
          const std::lock_guard lock(mutex_);
          known_.emplace(keys.kind, std::move(choices));
        }
      }) {}

ChoiceLists::~ChoiceLists() { finish(); }

const std::vector<Choice>* ChoiceLists::of(const std::string& kind) const {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(kind);
  return found == known_.end() ? nullptr : &found->second;
}

void ChoiceLists::finish() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace gpufeed::ui
