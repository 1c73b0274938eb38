// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "sim/base/join_ids.h"
#include "sim/load/key_values.h"
#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"
#include "sim/model/scenario.h"
#include "sim/model/taken.h"
#include "ui/model/build/words.h"

namespace gpufeed::ui {
namespace {

using Values = std::map<std::string, std::string>;

/// The path of a type's keys in this scenario, such as "loader" for "[loader]"; nothing for types
/// that are no table of a scenario, or of another kind of work.
std::vector<std::string> places_of(const std::string& type, const Scenario& scenario) {
  if (type == "scenario") return {""};
  if (!type.starts_with('[') || type.starts_with("[[")) return {};
  const std::size_t close = type.find(']');
  const std::string path = type.substr(1, close - 1);
  const std::string rest = type.substr(close + 1);
  const std::string kind = fmt::format(" of kind {}", name_of(scenario.workload.kind()));
  if (!rest.empty() && rest != kind) return {};
  if (path != "store.NAME") return {path};
  std::vector<std::string> stores;
  for (const auto& [name, store] : scenario.store) stores.push_back("store." + key_text(name));
  return stores;
}

/// Tables, and what is no setting.
bool is_single(const KeyHelp& key) {
  const bool table = key.form.starts_with("a table") || key.form.starts_with("tables") ||
                     key.form.starts_with("an array");
  static const std::vector<std::string> kFixed{"schema", "title", "kind", "source", "basis"};
  return !table && std::ranges::find(kFixed, key.key) == kFixed.end();
}

bool has_effect(const Scenario& scenario, const std::string& place, const std::string& key) {
  if (place == "workload" || place.starts_with("store.")) return true;
  if (place.starts_with("workload.")) return false;  // a table of another kind of work
  return place.empty() ? is_taken(scenario.workload.kind(), key)
                       : is_taken(scenario.workload.kind(), place, key);
}

std::optional<std::string> value_in(const Values& values, const std::string& path) {
  const auto found = values.find(path);
  return found == values.end() ? std::optional<std::string>() : found->second;
}

void add_parts(const Scenario& scenario, std::vector<Parameter>& all) {
  for (const PartGroup& group : part_groups(*scenario.system)) {
    const std::string ids = join_ids(group.ids);
    all.push_back({Varies::product, "product of " + ids,
                   "Which product of the catalog these parts are; now " + group.title,
                   fmt::format("names of the catalog's kind {}", group.kind),
                   toml_string(group.product), group});
    if (group.pattern.empty() || (group.kind != "drive" && group.kind != "nic")) continue;
    all.push_back({Varies::count, "number of " + ids, "How many of " + group.title + " there are",
                   "a whole number above 0", std::to_string(group.ids.size()), group});
  }
}

std::string with_count(const std::string& text, const PartGroup& parts, const std::string& count) {
  const auto replaced = texts_in(text, "replace", "part");
  const auto known = std::ranges::find(replaced, parts.pattern);
  if (known != replaced.end())
    return with_value(text, KeyPath("replace")[std::to_string(known - replaced.begin())] / "count",
                      count);
  return with_table(text, "replace",
                    {{"part", toml_string(parts.pattern)},
                     {"with", toml_string(parts.product)},
                     {"count", count}});
}

}  // namespace

std::vector<Parameter> parameters_of(const Scenario& scenario, const Result& result) {
  std::vector<Parameter> all;
  add_parts(scenario, all);
  const Values values = key_values(result.scenario);
  for (const KeyHelp& key : all_keys()) {
    if (!is_single(key)) continue;
    for (const std::string& place : places_of(key.type, scenario)) {
      const std::string path = place.empty() ? key.key : place + "." + key.key;
      const auto now = value_in(values, path);
      const bool used = now || has_effect(scenario, place, key.key);
      if (used) all.push_back({Varies::key, path, key.help, key.form, now.value_or(""), {}});
    }
  }
  return all;
}

std::vector<const Parameter*> found_in(const std::vector<Parameter>& all,
                                       const std::string& search) {
  std::vector<const Parameter*> found;
  for (const Parameter& one : all)
    if (has_words(one.path + " " + one.help, search)) found.push_back(&one);
  std::stable_partition(found.begin(), found.end(),
                        [&](const Parameter* one) { return has_words(one->path, search); });
  return found;
}

std::string with_parameter(const std::string& text, const Parameter& parameter,
                           const std::string& value) {
  switch (parameter.varies) {
    case Varies::key:
      return with_value(text, own_path(parameter.path), value);
    case Varies::product:
      return with_product(text, parameter.parts, without_quotes(value));
    case Varies::count:
      return with_count(text, parameter.parts, value);
  }
  return text;
}

}  // namespace gpufeed::ui
