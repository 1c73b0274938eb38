// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/goal.h"

#include <algorithm>

#include "sim/base/pattern.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/read/front_door.h"
#include "sim/load/read/reader.h"
#include "sim/load/study/sweep.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

void check_aims(const Goal& goal, Diagnostics& out) {
  const int aims =
      int{!goal.minimize.empty()} + int{!goal.maximize.empty()} + int{!goal.front.empty()};
  if (aims > 1)
    out.error(ProblemCode::missing_key, goal.where, "give one of minimize, maximize and front");
  if (goal.front.size() == 1)
    out.error(ProblemCode::conflict, goal.where,
              "a front of one key is a single choice: minimize or maximize it");
}

/// Layouts choose all of [parallel], and what is computed again where no axis says.
void add_layout_axes(Goal& goal, Diagnostics& out) {
  if (!goal.layouts) return;
  const KeyPath recompute("workload.recompute");
  for (const Axis& axis : goal.axes)
    if (text(axis.path).starts_with("parallel"))
      out.error(ProblemCode::conflict, axis.where,
                "layouts choose {}, which an axis varies; leave one out", text(axis.path));
  if (!goal.also.empty())
    out.error(ProblemCode::conflict, goal.where, "layouts are of one scenario; leave also out");
  if (std::ranges::count(goal.axes, recompute, &Axis::path) > 0) return;
  Axis axis;
  axis.path = recompute;
  axis.name = "recompute";
  axis.where = goal.where;
  for (const char* const mode : {"none", "ops", "full"}) axis.values.push_back({mode, true, {}});
  goal.axes.push_back(std::move(axis));
}

/// What a bill has lines of.
const Names& bought_kinds() {
  static const Names kinds{"chassis", "cpu",   "memory", "gpu",   "switch",
                           "nic",     "drive", "array",  "system"};
  return kinds;
}

void check_makers(const Goal& goal, const Catalog& catalog, Diagnostics& out) {
  for (const MakerRule& rule : goal.only) {
    if (!std::ranges::count(bought_kinds(), rule.kind)) {
      out.error(ProblemCode::unknown_part, rule.where,
                "only: there is no kind of product \"{}\"; {}", rule.kind,
                suggestion(rule.kind, bought_kinds()));
      continue;
    }
    const Names known = catalog.names(rule.kind);
    for (const std::string& name : rule.names)
      if (std::ranges::none_of(known, [&](const auto& one) { return matches(name, one); }))
        out.error(ProblemCode::unknown_entry, rule.where, "only: no {} is called \"{}\"; {}",
                  rule.kind, name, suggestion_for(name, known));
    if (rule.names.empty())
      out.error(ProblemCode::missing_key, rule.where, "only: names of {} are needed", rule.kind);
  }
}

Goal build(const toml::table& table, const std::string& name, const Catalog& catalog,
           Diagnostics& out) {
  Goal goal;
  if (is_of_other_kind(keys_of(table), name, FileKind::goal, out)) return goal;
  Reader(catalog, name, out).read_table(table, "", goal);
  check_aims(goal, out);
  add_layout_axes(goal, out);
  if (out.empty()) check_makers(goal, catalog, out);
  if (goal.minimize.empty() && goal.maximize.empty() && goal.front.empty())
    goal.minimize = "price_USD";
  Sweep sweep;
  sweep.scenario = goal.scenario;
  sweep.axes = std::move(goal.axes);
  sweep.filters = goal.filters;
  sweep.where = goal.where;
  finish_sweep(sweep, catalog, out);
  goal.scenario = sweep.scenario;
  goal.axes = std::move(sweep.axes);
  goal.scenarios.push_back(goal.scenario.path);
  for (const auto& other : goal.also)
    goal.scenarios.push_back(
        (fs::path(name).parent_path() / other.path).lexically_normal().string());
  return goal;
}

auto builder(const Catalog& catalog) {
  return [&catalog](const toml::table& table, const std::string& name, Diagnostics& out) {
    return build(table, name, catalog, out);
  };
}

}  // namespace

Goal parse_goal(std::string_view text, const std::string& name, const Catalog& catalog) {
  return built_from_text(text, name, builder(catalog));
}

Goal load_goal(const fs::path& file, const Catalog& catalog) {
  return built_from_file(file, builder(catalog));
}

Sweep sweep_of(const Goal& goal, std::size_t workload) {
  Sweep sweep;
  sweep.title = goal.title;
  sweep.scenario = {goal.scenarios[workload], goal.scenario.where};
  sweep.axes = goal.axes;
  sweep.filters = goal.filters;
  sweep.constraints = goal.constraints;
  sweep.where = goal.where;
  return sweep;
}

}  // namespace gpufeed
