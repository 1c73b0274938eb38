// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "sim/base/join_ids.h"
#include "sim/load/key_values.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"
#include "sim/model/scenario.h"
#include "sim/model/taken.h"
#include "ui/model/build/words.h"

namespace gpufeed::ui {
namespace {

using Values = std::map<std::string, std::string>;

/// Where a table's keys stand in this scenario; nowhere for tables of other files, or of another
/// kind of work.
std::vector<KeyPath> places_of(const KeyTable& table, const Scenario& scenario) {
  if (table.many) return {};
  if (table.path == KeyTable::Path{"store", ""}) {
    std::vector<KeyPath> stores;
    for (const auto& [name, store] : scenario.store) stores.push_back(KeyPath("store") / name);
    return stores;
  }
  KeyPath place;
  for (const std::string& step : table.path) place = place / step;
  return table.is_at(place, scenario.workload.kind()) ? std::vector{place} : std::vector<KeyPath>();
}

/// Neither tables nor what is no setting.
bool is_single(const KeyHelp& key) {
  static const std::vector<std::string> kFixed{"schema", "title", "kind", "source", "basis"};
  return key.value.kind != ValueKind::table && key.value.kind != ValueKind::list &&
         std::ranges::find(kFixed, key.key) == kFixed.end();
}

bool has_effect(const Scenario& scenario, const KeyTable& table, const std::string& key) {
  const WorkloadKind kind = scenario.workload.kind();
  if (table.is_top()) return is_taken(kind, key);
  const std::string& section = table.path.front();
  if (section == "store") return true;
  if (section == "workload") return table.path.size() == 1;  // tables: of another kind of work
  return is_taken(kind, path_text(table), key);
}

std::optional<std::string> value_in(const Values& values, const std::string& path) {
  const auto found = values.find(path);
  return found == values.end() ? std::optional<std::string>() : found->second;
}

void add_parts(const Scenario& scenario, std::vector<Parameter>& all) {
  for (const PartGroup& group : part_groups(*scenario.system)) {
    const std::string ids = join_ids(group.ids);
    all.push_back({Varies::product,
                   "product of " + ids,
                   "Which product of the catalog these parts are; now " + group.title,
                   {ValueKind::entry},
                   fmt::format("names of the catalog's kind {}", group.kind),
                   toml_string(group.product),
                   group});
    if (group.pattern.empty() || (group.kind != "drive" && group.kind != "nic")) continue;
    all.push_back({Varies::count,
                   "number of " + ids,
                   "How many of " + group.title + " there are",
                   {ValueKind::whole},
                   "a whole number above 0",
                   std::to_string(group.ids.size()),
                   group});
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
    for (const KeyPath& place : places_of(key.table, scenario)) {
      const std::string path = gpufeed::text(place / key.key);
      const auto now = value_in(values, path);
      if (now || has_effect(scenario, key.table, key.key))
        all.push_back({Varies::key, path, key.help, key.value, key.form, now.value_or(""), {}});
    }
  }
  return all;
}

std::string usual_values(const std::string& path) {
  return path == "workload.precision" ? "fp32, tf32, fp16, bf16, fp8" : "";
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
