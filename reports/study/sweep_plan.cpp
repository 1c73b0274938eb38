// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "reports/study/chances.h"
#include "reports/study/served_points.h"
#include "sim/base/fault.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/read/conditions.h"
#include "sim/load/read/fingerprint.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/study/sweep.h"
#include "sim/model/scenario.h"
#include "sim/serving/answer.h"
#include "sim/serving/beside.h"
#include "sim/serving/outcomes.h"
#include "sim/simulate.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

Override override_of(const Sweep& sweep, std::size_t axis, const Literal& value) {
  // In the sweep's folder, because a value may be a path.
  const std::string option = fmt::format("{} axis {}", sweep.where.file, axis + 1);
  return {sweep.axes[axis].path, toml_value(value), option, value.where};
}

/// Without an engine of its own, a sweep takes the one of which many can run at a time.
void choose_engine(const Scenario& base, std::vector<Override>& overrides) {
  if (std::ranges::count(base.defaults, KeyPath("run.engine"), &DefaultValue::key) > 0)
    overrides.push_back({"run.engine", "\"fluid\"", "--engine fluid"});
}

bool uses_simgrid(const Scenario& base, const Sweep& sweep) {
  return std::ranges::any_of(sweep.axes, [](const Axis& a) { return a.path == "run.engine"; }) ||
         base.run.engine == EngineKind::simgrid;
}

/// The values of an axis that must be tried. What lies between the ends of a range is as good as
/// they are.
std::vector<Literal> ends_of(const Axis& axis) {
  if (!axis.open && axis.range) return {axis.values.front(), axis.values.back()};
  if (!axis.open) return axis.values;
  const bool is_text = !axis.open->unit.empty();
  return {{literal_text(axis.open->low, axis.open->unit), is_text, axis.range->where},
          {literal_text(axis.open->high, axis.open->unit), is_text, axis.range->where}};
}

/// Tries the values of an axis beside the first ones of the others.
template <class Source>
void check_values(const Sweep& sweep, const Source& source, Diagnostics& out) {
  std::vector<Override> first;
  std::set<std::string> told;  // a misspelt path is one problem, however many values it has
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
    first.push_back(override_of(sweep, axis, ends_of(sweep.axes[axis]).front()));
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
    for (const Literal& value : ends_of(sweep.axes[axis])) {
      auto overrides = first;
      overrides[axis] = override_of(sweep, axis, value);
      Diagnostics found;
      source.check(overrides, found);
      for (const auto& problem : found.problems())
        if (told.insert(sentence(problem)).second) out.add(problem);
    }
}

/// SQL does not tell "Batch" from "batch".
std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

void check_columns(const Sweep& sweep, Studied what, Diagnostics& out) {
  Names taken = result_column_names(what);
  for (const auto& constraint : sweep.constraints) check_names(constraint, taken, out);
  out.throw_if_any();
  // Throws where kinds do not fit. Each by itself: one that does not hold ends the look at all.
  std::vector<Cell> empty;
  for (const ResultColumn& column : result_columns(what)) empty.push_back(column.empty);
  for (const auto& constraint : sweep.constraints) meets_all({constraint}, empty, what);
  taken.insert(taken.end(), {"point", "status", "meets", "chance", "message", "digest"});
  for (const Axis& axis : sweep.axes) {
    const auto same = std::ranges::find(taken, lower_case(axis.name), lower_case);
    if (same != taken.end())
      out.error(ProblemCode::conflict, axis.where,
                "an axis cannot be called {}: another column of the results is {}", axis.name,
                *same == axis.name ? "too" : "called " + *same);
    taken.push_back(axis.name);
  }
}

std::string sweep_text(const Sweep& sweep) {
  std::string out;
  for (const Axis& axis : sweep.axes) {
    out += fmt::format("axis {} {}:", axis.name, text(axis.path));
    if (axis.open)
      out += fmt::format(" {} to {} {} {}", axis.open->low, axis.open->high, axis.open->unit,
                         name_of(axis.open->spacing));
    for (const Literal& value : axis.values) out += " " + toml_value(value);
    out += "\n";
  }
  for (const auto& filter : sweep.filters) out += fmt::format("filter {}\n", filter.text);
  for (const auto& constraint : sweep.constraints)
    out += fmt::format("constraint {}\n", constraint.text);
  const Sample& sample = sweep.sample;
  out += fmt::format("sample {} {}", name_of(sample.kind), sample.count.value_or(0));
  return out + (sample.kind == SampleKind::full ? "\n" : fmt::format(" {}\n", sample.seed));
}

/// \param plan  without points and parts
SweepPlan finish(SweepPlan plan, const Catalog& remembering, const std::string& version) {
  take_columns_meant(plan.sweep.constraints, plan.studied());
  Diagnostics out;
  check_columns(plan.sweep, plan.studied(), out);
  if (plan.served)
    check_values(plan.sweep, *plan.served, out);
  else
    check_values(plan.sweep, plan.source, out);
  out.throw_if_any();
  plan.points = make_points(plan.sweep);
  // Before points are run, or entries that they name would count as part of the base.
  plan.parts = {{"the version of gpufeed", version},
                {"the sweep", sweep_text(plan.sweep)},
                {"the base scenario", plan.source.canonical_text()},
                {"the catalog", fingerprint(remembering)}};
  return plan;
}

void simulate(const SweepPlan& plan, SweepRow& row) {
  const auto& constraints = plan.sweep.constraints;
  Scenario scenario = plan.source.load(overrides_of(plan, row.point));
  const std::int64_t draws = scenario.run.range_samples;
  scenario.run.once();  // no column says what results rest on, nor how runs differ
  if (!constraints.empty()) scenario.run.range_samples = draws;
  const Result result = gpufeed::simulate(scenario);
  row.result = result_cells(result);
  if (!constraints.empty())
    if (const auto chances = chances_of(result, constraints)) row.chance = chances->all;
}

void simulate_served(const SweepPlan& plan, SweepRow& row) {
  const auto& constraints = plan.sweep.constraints;
  const serving::Document document =
      serving::with_training_beside(plan.served->load(overrides_of(plan, row.point)));
  const serving::Answer answer = serving::one_draw(document);
  row.result = result_cells(answer);
  if (!constraints.empty())
    row.chance = chances_in(serving::outcomes_of(document, answer), constraints).all;
}

std::string in_one_line(const std::vector<Problem>& problems) {
  std::string out;
  for (const auto& problem : problems)
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", text(problem.where), sentence(problem));
  return out;
}

}  // namespace

SweepPlan plan_sweep(const fs::path& file, const Catalog& catalog, std::vector<Override> overrides,
                     const std::string& version) {
  const Catalog remembering = catalog.remembering();
  return plan_points(load_sweep(file, remembering), remembering, std::move(overrides), version);
}

SweepPlan plan_points(Sweep sweep, const Catalog& remembering, std::vector<Override> overrides,
                      const std::string& version) {
  if (std::error_code unknown; !std::filesystem::exists(sweep.scenario.path, unknown))
    throw InputError(
        {{sweep.scenario.where,
          fmt::format("there is no file \"{}\", which the axes vary", sweep.scenario.path)}});
  std::optional<ServingSource> served;
  if (kind_of_file(sweep.scenario.path) == FileKind::serving)
    served.emplace(sweep.scenario.path, remembering, overrides);
  const ScenarioSource base(sweep.scenario.path, remembering, std::move(overrides));
  if (!served) return plan_points(std::move(sweep), base, remembering, version);
  return finish({std::move(sweep), base, {}, {}, false, std::move(served)}, remembering, version);
}

SweepPlan plan_points(Sweep sweep, const ScenarioSource& base, const Catalog& remembering,
                      const std::string& version) {
  std::vector<Override> engine;
  choose_engine(base.load(), engine);
  ScenarioSource source = base.with(engine);
  const bool one_at_a_time = uses_simgrid(source.load(), sweep);
  return finish({std::move(sweep), std::move(source), {}, {}, one_at_a_time, {}}, remembering,
                version);
}

std::vector<Override> overrides_of(const SweepPlan& plan, std::int64_t point) {
  std::vector<Override> overrides;
  for (std::size_t axis = 0; axis < plan.sweep.axes.size(); ++axis)
    overrides.push_back(override_of(plan.sweep, axis, plan.points.value(point, axis)));
  return overrides;
}

std::vector<Override> overrides_at(const SweepPlan& plan,
                                   const std::vector<std::uint32_t>& chosen) {
  std::vector<Override> overrides;
  for (std::size_t axis = 0; axis < plan.sweep.axes.size(); ++axis)
    overrides.push_back(override_of(plan.sweep, axis, plan.points.values[axis][chosen[axis]]));
  return overrides;
}

SweepRow evaluate(const SweepPlan& plan, std::int64_t point) {
  SweepRow row;
  row.point = point;
  // What an exception leaves of SimGrid, which is one for the process, no other point could use.
  std::optional<FaultsThrow> guard;
  if (!plan.one_at_a_time) guard.emplace();
  try {
    plan.served ? simulate_served(plan, row) : simulate(plan, row);
    row.meets = meets_all(plan.sweep.constraints, row.result, plan.studied());
    row.good = true;
  } catch (const InputError& error) {
    row.message = in_one_line(error.problems());
  } catch (const std::exception& error) {
    row.message = fmt::format("internal error: {}", error.what());
  }
  return row;
}

}  // namespace gpufeed
