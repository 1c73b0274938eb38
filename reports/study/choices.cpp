// SPDX-License-Identifier: Apache-2.0
#include "reports/study/choices.h"

#include <algorithm>

#include "reports/study/layout_choices.h"
#include "reports/study/verdict.h"
#include "reports/writers/result_cells.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/load.h"
#include "sim/load/read/conditions.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

const Axis* axis_called(const Goal& goal, const std::string& name) {
  const auto found = std::ranges::find(goal.axes, name, &Axis::name);
  return found == goal.axes.end() ? nullptr : &*found;
}

bool takes_numbers(const Axis& axis) {
  return std::ranges::all_of(axis.values, [](const Literal& value) {
    return std::holds_alternative<Measure>(operand_of(value));
  });
}

/// The keys that an aim may name: numbers of the result, and axes of numbers.
Names aims_of(const Goal& goal, Studied what, bool with_axes) {
  Names names;
  for (const ResultColumn& column : result_columns(what))
    if (!std::holds_alternative<std::string>(column.empty)) names.push_back(column.name);
  for (const Axis& axis : goal.axes)
    if (with_axes && takes_numbers(axis)) names.push_back(axis.name);
  return names;
}

void check_aims(const Goal& goal, Studied what, Diagnostics& out) {
  const auto check = [&](const std::string& key, const char* aim, bool with_axes) {
    const Names known = aims_of(goal, what, with_axes);
    if (!key.empty() && !std::ranges::count(known, key))
      out.error(ProblemCode::unknown_part, goal.where, "{}: there is no \"{}\"; {}", aim, key,
                suggestion(key, known));
  };
  check(goal.minimize, "minimize", true);
  check(goal.maximize, "maximize", true);
  for (const auto& key : goal.front) check(key, "front", false);
}

/// Whether less of a key of an engine that serves is better, and so may be asked of a front.
bool is_better_less(const std::string& key) {
  return of_speed(key) == OfSpeed::time || sum_of(key) != SumOf::nothing ||
         foresight_of(key) == Foresight::exact;
}

/// Bills of engines that serve have no lines, and a front wants less of all that they tell.
void check_served(const Goal& goal, Diagnostics& out) {
  const auto refuse = [&](const Location& where, const std::string& what) {
    out.error(ProblemCode::conflict, where, "{} is not asked of an engine that serves a model",
              what);
  };
  for (const auto& one : goal.only) refuse(one.where, "only");
  if (!goal.stock.empty()) refuse(goal.where, "stock");
  for (const auto& key : goal.front)
    if (!is_better_less(key)) refuse(goal.where, fmt::format("front: less of {}", key));
}

void take_aims_meant(Goal& goal, Studied what) {
  for (std::string* const aim : {&goal.minimize, &goal.maximize})
    if (!axis_called(goal, *aim)) *aim = column_meant(*aim, what);
  for (std::string& key : goal.front) key = column_meant(key, what);
  take_columns_meant(goal.constraints, what);
  Diagnostics out;
  check_aims(goal, what, out);
  if (what == Studied::serving) check_served(goal, out);
  out.throw_if_any();
}

/// Where layouts are chosen, the scenario need not fit as it is.
std::vector<Override> for_layouts(const Goal& goal, const Catalog& catalog,
                                  const std::vector<Override>& overrides) {
  if (!goal.layouts) return overrides;
  try {
    load_scenario(goal.scenario.path, catalog, overrides);
    return overrides;
  } catch (const InputError&) {
    std::vector<Override> all = overrides;
    all.push_back({KeyPath("parallel"), "{ shard = \"parameters\" }", "layouts"});
    all.push_back({KeyPath("workload.recompute"), "\"full\"", "layouts"});
    return all;
  }
}

Studied studied_by(const Goal& goal) {
  const auto serves = [](const std::string& file) {
    return kind_of_file(file) == FileKind::serving;
  };
  const auto count = std::ranges::count_if(goal.scenarios, serves);
  if (count > 0 && count < std::ssize(goal.scenarios))
    throw InputError({{goal.where,
                       "also: some of these files serve a model and others do not; give a goal for "
                       "each"}});
  return count > 0 ? Studied::serving : Studied::scenario;
}

void add_workload(Choices& choices, SweepPlan plan, const Goal& goal) {
  if (plan.one_at_a_time)
    throw InputError({{goal.where, "SimGrid simulates one choice at a time: take --engine fluid"}});
  choices.workloads.push_back(std::move(plan));
}

}  // namespace

Choices choices_of(Goal goal, const Catalog& catalog, const std::vector<Override>& overrides,
                   const std::string& version) {
  take_aims_meant(goal, studied_by(goal));
  const Catalog remembering = catalog.remembering();
  Choices choices;
  for (std::size_t i = 0; i < goal.scenarios.size(); ++i)
    add_workload(choices,
                 plan_points(sweep_of(goal, i), remembering,
                             for_layouts(goal, remembering, overrides), version),
                 goal);
  choices.goal = std::move(goal);
  add_layouts(choices);
  return choices;
}

Choices choices_of(Goal goal, const ScenarioSource& base, const Catalog& remembering) {
  take_aims_meant(goal, Studied::scenario);
  Choices choices;
  add_workload(choices, plan_points(sweep_of(goal, 0), base, remembering, ""), goal);
  choices.goal = std::move(goal);
  add_layouts(choices);
  return choices;
}

Scenario scenario_of(const Choices& choices, std::int64_t choice, std::size_t workload) {
  const SweepPlan& plan = choices.workloads[workload];
  Scenario scenario = plan.source.load(overrides_of(plan, choice));
  scenario.run.once();
  return scenario;
}

std::vector<ChosenValue> values_of(const Choices& choices, std::int64_t choice) {
  std::vector<ChosenValue> values;
  for (std::size_t axis = 0; axis < choices.goal.axes.size(); ++axis)
    values.push_back({choices.goal.axes[axis].name, text(choices.goal.axes[axis].path),
                      toml_value(choices.workloads.front().points.value(choice, axis))});
  return values;
}

std::optional<double> axis_value(const Choices& choices, std::int64_t choice,
                                 const std::string& name) {
  const Axis* const axis = axis_called(choices.goal, name);
  if (!axis) return {};
  const auto number = static_cast<std::size_t>(axis - choices.goal.axes.data());
  const Operand value = operand_of(choices.workloads.front().points.value(choice, number));
  const auto* measure = std::get_if<Measure>(&value);
  return measure ? std::optional(measure->value) : std::nullopt;
}

}  // namespace gpufeed
