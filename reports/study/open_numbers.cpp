// SPDX-License-Identifier: Apache-2.0
#include "reports/study/open_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "sim/load/read/toml_text.h"
#include "sim/model/compute.h"
#include "sim/range/deviations.h"

namespace gpufeed {
namespace {

constexpr int kDigits = 4;

/// How many times as slow as stated something still may be: a store that others use, whose figures
/// are a vendor's sum of parts; a drive at its slowest; decoding on other cores. Our judgment.
struct Leeway {
  std::string_view kind;
  double times;
};
constexpr std::array kLeeways{Leeway{"array", 20}, Leeway{"protocol", 20}, Leeway{"drive", 10},
                              Leeway{"dataset", 10}, Leeway{"decoder", 10}};
constexpr double kOtherLeeway = 3;
constexpr double kSizeLeeway = 1.5;
constexpr double kStepLeeway = 5;       ///< of estimated training steps
constexpr double kBetterThanSheet = 2;  ///< times as fast as a data sheet says, at most

double leeway_of(const UncertainValue& value) {
  if (is_computing(value.measurand)) return kStepLeeway;
  if (value.measurand == Measurand::size) return kSizeLeeway;
  const auto* const found = std::ranges::find(kLeeways, value.kind, &Leeway::kind);
  return found == kLeeways.end() ? kOtherLeeway : found->times;
}

void set_bounds(const UncertainValue& value, OpenNumber& number) {
  const double slower = leeway_of(value);
  const double faster =
      value.basis == Basis::estimate ? slower : std::min(slower, kBetterThanSheet);
  number.least = number.less_is_slower ? 1 / slower : 1 / faster;
  number.most = number.less_is_slower ? faster : slower;
  number.key_least = value.least / number.stated;
  number.key_most = value.most / number.stated;
  number.least = std::max(number.least, number.key_least);
  number.most = std::min(number.most, number.key_most);
}

/// A path that leads through an element of an array.
struct PathParts {
  KeyPath array;  ///< without the element
  std::string element;
  KeyPath rest;
};
std::optional<PathParts> parts_of(const KeyPath& path) {
  const auto with = std::ranges::find_if(
      path.steps, [](const KeyStep& step) { return step.element.has_value(); });
  if (with == path.steps.end()) return {};
  PathParts parts{KeyPath({path.steps.begin(), with + 1}), *with->element,
                  KeyPath({with + 1, path.steps.end()})};
  parts.array.steps.back().element.reset();
  return parts;
}

/// The elements of each array of parts: system.drive -> ssd0, ssd1.
using Elements = std::map<KeyPath, std::set<std::string>>;

Elements elements_of(const std::vector<UncertainValue>& values) {
  Elements elements;
  for (const auto& value : values)
    for (const auto& place : value.places)
      if (const auto parts = parts_of(own_path(place.path)))
        elements[parts->array].insert(parts->element);
  return elements;
}

/// One setting for all places, where they are the same key of all elements of one array.
void join_settings(const Elements& elements, std::vector<NumberSetting>& settings) {
  if (settings.size() < 2) return;
  const auto first = parts_of(settings.front().path);
  if (!first || elements.find(first->array)->second.size() != settings.size()) return;
  for (const auto& setting : settings) {
    const auto parts = parts_of(setting.path);
    if (!parts || parts->array != first->array || parts->rest != first->rest ||
        setting.value != settings.front().value)
      return;
  }
  settings.front().path.steps[first->array.steps.size() - 1].element = "*";
  settings.front().numbered = {};
  settings.resize(1);
}

OpenNumber number_of(const UncertainValue& value) {
  OpenNumber number;
  number.name = value.name;
  number.basis = name_of(value.basis);
  number.owner = value.owner;
  number.key = value.key;
  // A benchmark's rules are exact: what it sleeps in the place of GPUs is no estimate.
  number.open = value.kind != Job::kKind &&
                (value.basis == Basis::estimate || value.basis == Basis::datasheet);
  number.deviation = deviation_of(value.basis, value.measurand);
  number.units = value.units;
  number.check = remedy_for(value);
  const bool is_load = value.measurand == Measurand::time || value.measurand == Measurand::size;
  number.less_is_slower = !is_load && value.key != "write_redundancy";
  return number;
}

/// An estimated step as a row of `[[workload.compute]]` would say it.
bool set_by_row(const Scenario& scenario, OpenNumber& number) {
  const auto* computes = scenario.workload.find<ComputesModel>();
  const auto* runs = scenario.workload.find<RunsEpochs>();
  if (!computes || !runs || !computes->compute.empty() || computes->step_lines.size() != 1)
    return false;
  const StepLine& line = computes->step_lines.front();
  if (!compute_rows(*computes, line.gpu).empty()) return false;
  const std::int64_t batch = runs->batch_per_gpu;
  const auto samples = static_cast<double>(batch);
  number.stated = samples / (line.start + samples * line.per_sample).value;
  number.units = &units_of<Rate>();
  number.less_is_slower = true;
  number.settings.push_back(
      {"workload.compute", "workload.compute", number.stated,
       fmt::format("[{{ gpu = {}, batch = {}, precision = {}, rate = ", toml_string(line.gpu),
                   batch, toml_string(computes->precision)),
       ", source = \"one measured run\", basis = \"calibrated\" }]"});
  return true;
}

template <class M>
struct Inner {
  using type = M;
};
template <class M>
struct Inner<std::optional<M>> {
  using type = M;
};

/// Limits that an entry does not state, and that most have: what is left out sets none.
template <class T>
void add_unstated(const T& entry, const std::string& name, const KeyPath& path,
                  const std::vector<std::string_view>& keys, std::vector<OpenNumber>& numbers) {
  for_each_member(entry, [&]<class M>(const Rule<M>& rule, const M& member) {
    using Q = typename Inner<M>::type;
    if constexpr (std::same_as<M, std::optional<Bandwidth>> || std::same_as<M, std::optional<Rate>>)
      if (!member && std::ranges::count(keys, rule.name)) {
        OpenNumber number;
        number.name = fmt::format("{} of {}", rule.name, name);
        number.basis = "not stated";
        number.owner = name;
        number.key = rule.name;
        number.open = true;
        number.is_stated = false;
        number.stated = Q(rule.max).value;
        number.units = &units_of<Q>();
        number.least = number.key_least = Q(rule.min).value / number.stated;
        number.check = "ask who made or runs it";
        const KeyPath whole = path / rule.name;
        number.settings.push_back({whole, whole, number.stated, "", ""});
        numbers.push_back(std::move(number));
      }
  });
}

}  // namespace

std::vector<OpenNumber> numbers_of(const Scenario& scenario) {
  const auto values = uncertain_values(scenario);
  const Elements elements = elements_of(values);
  std::vector<OpenNumber> numbers;
  for (const UncertainValue& value : values) {
    OpenNumber number = number_of(value);
    for (const ValuePlace& place : value.places)
      number.settings.push_back(
          {own_path(place.path), own_path(place.numbered), place.value, "", ""});
    join_settings(elements, number.settings);
    if (number.settings.empty() && !set_by_row(scenario, number)) continue;
    if (number.deviation <= 0 || number.settings.front().value <= 0) continue;
    number.stated = number.settings.front().value;
    set_bounds(value, number);
    numbers.push_back(std::move(number));
  }
  for (const auto& [name, store] : scenario.store) {
    add_unstated(*store.model, store.model.name, KeyPath("store") / name / "model",
                 {"front_end_bandwidth", "metadata_rate", "stripe_bandwidth"}, numbers);
    if (store.protocol)
      add_unstated(**store.protocol, store.protocol->name, KeyPath("store") / name / "protocol",
                   {"connection_bandwidth", "core_bandwidth"}, numbers);
  }
  return numbers;
}

namespace {

std::string quantity(const OpenNumber& number, const NumberSetting& setting, double factor) {
  return text_in(*number.units, setting.value * factor, kDigits);
}

/// As TOML or a command line writes it.
std::string value_text(const OpenNumber& number, const NumberSetting& setting, double factor) {
  const std::string alone = quantity(number, setting, factor);
  return setting.before.empty() ? alone : setting.before + toml_string(alone) + setting.after;
}

}  // namespace

std::vector<Override> overrides_at(const OpenNumber& number, double factor) {
  std::vector<Override> overrides;
  for (const NumberSetting& setting : number.settings) {
    const std::string value = value_text(number, setting, factor);
    overrides.push_back({setting.path, setting.before.empty() ? toml_string(value) : value,
                         fmt::format("--set {}={}", text(setting.path), value)});
  }
  return overrides;
}

std::vector<std::string> sets_of(const OpenNumber& number, double factor) {
  std::vector<std::string> sets;
  for (const NumberSetting& setting : number.settings)
    sets.push_back(fmt::format("{}={}", text(setting.path), value_text(number, setting, factor)));
  return sets;
}

std::string value_in_file(const OpenNumber& number, const NumberSetting& setting, double factor,
                          const std::string& source) {
  if (number.key.empty()) return value_text(number, setting, factor);
  return fmt::format("{{ value = {}, source = {}, basis = \"calibrated\" }}",
                     toml_string(quantity(number, setting, factor)), toml_string(source));
}

}  // namespace gpufeed
