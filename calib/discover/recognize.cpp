// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/recognize.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "calib/discover/gpu_names.h"
#include "sim/base/files/paste.h"
#include "sim/load/entry_toml.h"

namespace gpufeed {
namespace {

std::vector<std::string> list_of(const EntryText& entry, std::string_view key) {
  std::vector<std::string> items;
  const EntryLine* const line = known_line(entry, key);
  std::istringstream in(line ? line->value : "");
  for (std::string item; std::getline(in >> std::ws, item, ',');) items.push_back(item);
  return items;
}

/// 2: by the maker of the board too, 1: by the chip, 0: another one.
int likeness(const EntryText& entry, const PciIds& ids) {
  int best = 0;
  for (const std::string& id : list_of(entry, "pci_ids")) {
    if (id == ids.device) best = std::max(best, 1);
    if (id == ids.device + ":" + ids.subsystem) best = 2;
  }
  return ids.device.empty() ? 0 : best;
}

/// The function that a virtual machine sees has an id of its own, and the GPU's as its board's.
std::vector<const EntryText*> most_alike(const std::vector<EntryText>& entries, const PciIds& ids);

std::vector<const EntryText*> gpus_by_ids(const std::vector<EntryText>& gpus, const PciIds& ids) {
  auto found = most_alike(gpus, ids);
  const bool amd = ids.device.starts_with("1002:") && ids.subsystem.starts_with("1002:");
  return found.empty() && amd ? most_alike(gpus, {ids.subsystem, {}}) : found;
}

std::vector<const EntryText*> most_alike(const std::vector<EntryText>& entries, const PciIds& ids) {
  std::vector<const EntryText*> found;
  int best = 1;
  for (const EntryText& entry : entries) {
    const int like = likeness(entry, ids);
    if (like > best) found.clear();
    best = std::max(best, like);
    if (like == best) found.push_back(&entry);
  }
  return found;
}

/// Keeps those that `fit` holds of, if there are any.
template <class Fit>
void keep(std::vector<const EntryText*>& found, const Fit& fit) {
  std::vector<const EntryText*> kept;
  std::ranges::copy_if(found, std::back_inserter(kept), fit);
  if (!kept.empty()) found = std::move(kept);
}

Recognized first_of(const std::vector<const EntryText*>& found) {
  Recognized out;
  if (found.empty()) return out;
  out.entry = found.front();
  for (std::size_t i = 1; i < found.size(); ++i) out.alike.push_back(found[i]->name);
  return out;
}

Recognized called(const std::vector<EntryText>& entries, const std::string& name) {
  const auto found = std::ranges::find(entries, name, &EntryText::name);
  return {found == entries.end() ? nullptr : &*found, {}};
}

bool near(double a, double b, double part) { return std::abs(a - b) <= part * b; }

/// Of the boards of the same chip those whose way to the processor is NVLink, with as many links.
std::vector<const EntryText*> joined_to_processor(const std::vector<EntryText>& gpus,
                                                  const std::vector<const EntryText*>& boards,
                                                  Bandwidth to_processor) {
  std::vector<const EntryText*> found;
  for (const EntryText& entry : gpus) {
    const EntryLine* const link = known_line(entry, "link");
    if (!link || !link->value.starts_with("nvlink")) continue;
    const bool same_chip = std::ranges::any_of(boards, [&](const EntryText* board) {
      return entry.name.starts_with(board->name) || board->name.starts_with(entry.name);
    });
    if (same_chip) found.push_back(&entry);
  }
  keep(found, [&](const EntryText* entry) {  // 20 or 25 GB/s a link
    const double a_link = to_processor.value / value_of(*entry, "lanes");
    return near(a_link, 20e9, 0.01) || near(a_link, 25e9, 0.01);
  });
  return found.empty() ? boards : found;
}

/// Whether a word of `product` begins so.
bool has_word(const std::string& product, const std::string& beginning) {
  for (auto at = product.find(beginning); at != std::string::npos;
       at = product.find(beginning, at + 1))
    if (at == 0 || !std::isalnum(static_cast<unsigned char>(product[at - 1]))) return true;
  return false;
}

std::vector<const EntryText*> by_model_number(const std::vector<EntryText>& drives,
                                              const std::string& product) {
  std::vector<const EntryText*> found;
  for (const EntryText& entry : drives)
    for (const std::string& number : list_of(entry, "model_numbers"))
      if (has_word(product, number)) found.push_back(&entry);
  return found;
}

}  // namespace

double value_of(const EntryText& entry, std::string_view key) {
  const auto line = std::ranges::find(entry.lines, key, &EntryLine::key);
  if (line == entry.lines.end() || !line->operand) return 0;
  const auto* measure = std::get_if<Measure>(&*line->operand);
  return measure ? measure->value : 0;
}

std::string catalog_name_of_cpu(const std::string& name) {
  std::istringstream in(name.substr(0, name.find('@')));
  std::string out;
  for (std::string word; in >> word;) {
    word = word.substr(0, word.find('('));
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word == "cpu" || word == "processor" || word == "0" || word.ends_with("-core")) continue;
    const bool version = word.size() == 2 && word[0] == 'v' && std::isdigit(word[1]) != 0;
    const bool plus = word.ends_with('+');
    if (plus) word.pop_back();
    out += (out.empty() || version ? "" : "-") + word + (plus ? "-plus" : "");
  }
  return out;
}

Recognizer::Recognizer(const Catalog& catalog) {
  Diagnostics problems;
  cpus_ = entries_of_kind(catalog, "cpu", {}, problems);
  switches_ = entries_of_kind(catalog, "switch", {}, problems);
  gpus_ = entries_of_kind(catalog, "gpu", {}, problems);
  nics_ = entries_of_kind(catalog, "nic", {}, problems);
  drives_ = entries_of_kind(catalog, "drive", {}, problems);
  protocols_ = entries_of_kind(catalog, "protocol", {}, problems);
  problems.throw_if_any();
}

const EntryText* Recognizer::client(const FoundMount& mount) const {
  const EntryText* best = nullptr;
  std::size_t most = 0;
  for (const EntryText& entry : protocols_)
    for (const std::string& form : list_of(entry, "mounts")) {
      const auto words = split_words(form);
      const bool fits = !words.empty() && words.front() == mount.type &&
                        std::all_of(words.begin() + 1, words.end(), [&](const std::string& word) {
                          return mount.device.find(word) != std::string::npos ||
                                 mount.options.find(word) != std::string::npos;
                        });
      if (fits && words.size() > most) {
        most = words.size();
        best = &entry;
      }
    }
  return best;
}

const std::vector<EntryText>& Recognizer::entries(std::string_view kind) const {
  if (kind == "cpu") return cpus_;
  if (kind == "switch") return switches_;
  if (kind == "gpu") return gpus_;
  return kind == "nic" ? nics_ : drives_;
}

Names Recognizer::names(std::string_view kind) const {
  Names out;
  for (const EntryText& entry : entries(kind)) out.push_back(entry.name);
  return out;
}

Recognized Recognizer::cpu(const FoundSocket& socket) const {
  if (!socket.named.empty()) return called(cpus_, socket.named);
  const std::string name = catalog_name_of_cpu(socket.cpu);
  std::vector<const EntryText*> found;
  if (std::ranges::none_of(name, [](unsigned char c) { return std::isdigit(c) != 0; }))
    return {};  // "Intel(R) Xeon(R) Processor", as virtual machines say
  for (const EntryText& entry : cpus_)
    if (entry.name == name || entry.name.starts_with(name + "-")) found.push_back(&entry);
  keep(found, [&](const EntryText* entry) {
    return value_of(*entry, "cores") == static_cast<double>(socket.cores);
  });
  keep(found, [&](const EntryText* entry) { return entry->name == name; });
  return first_of(found);
}

Recognized Recognizer::switch_chip(const FoundSwitch& found) const {
  return first_of(most_alike(switches_, found.ids));
}

Recognized Recognizer::device(const FoundDevice& found) const {
  if (!found.named.empty())
    return called(found.kind == FoundKind::gpu   ? gpus_
                  : found.kind == FoundKind::nic ? nics_
                                                 : drives_,
                  found.named);
  if (found.kind == FoundKind::gpu) {
    auto all = gpus_by_ids(gpus_, found.ids);
    if (all.empty()) all = gpus_called(gpus_, found.product);
    constexpr double kReserved = 0.1;  // what firmware keeps of a GPU's memory
    if (found.size.value > 0)
      keep(all, [&](const EntryText* entry) {
        return near(found.size.value, value_of(*entry, "memory"), kReserved);
      });
    if (found.to_processor.value > 0) all = joined_to_processor(gpus_, all, found.to_processor);
    return first_of(all);
  }
  if (found.kind == FoundKind::nic) {
    auto all = most_alike(nics_, found.ids);
    keep(all, [&](const EntryText* entry) {
      return value_of(*entry, "ports") == static_cast<double>(found.ports);
    });
    if (found.port_bandwidth.value > 0)
      keep(all, [&](const EntryText* entry) {
        return near(found.port_bandwidth.value, value_of(*entry, "port_bandwidth"), 0.01);
      });
    return first_of(all);
  }
  auto all = by_model_number(drives_, found.product);
  if (all.empty()) all = most_alike(drives_, found.ids);
  constexpr double kRounding = 0.03;
  if (found.size.value > 0)
    keep(all, [&](const EntryText* entry) {
      return near(found.size.value, value_of(*entry, "capacity"), kRounding);
    });
  return first_of(all);
}

}  // namespace gpufeed
