// SPDX-License-Identifier: Apache-2.0
#include "reports/clusters/cluster_study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "reports/study/in_parallel.h"
#include "reports/study/sweep_points.h"
#include "sim/base/nearest.h"
#include "sim/cluster/answer.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/cluster/document.h"
#include "sim/load/read/conditions.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/study/goal.h"

namespace gpufeed {
namespace {

constexpr std::int64_t kMostChoices = 10000;

Names figure_names() {
  Names out;
  for (const ClusterFigure& one : figures_of({}, {})) out.push_back(one.name);
  return out;
}

/// A condition takes figures as plain numbers in SI units: what it holds against them with a unit
/// becomes one.
void take_plain_numbers(Condition& condition) {
  const Side* const named = condition.left.names.empty() ? &condition.right : &condition.left;
  Side& held = condition.left.names.empty() ? condition.left : condition.right;
  if (named->names.empty() || !held.names.empty()) return;
  const UnitTable* const units = units_of_figure(named->names.front());
  const bool alike = std::ranges::all_of(
      named->names, [&](const auto& one) { return units_of_figure(one) == units; });
  if (units && alike && held.factor.units == units) held.factor.units = nullptr;
}

class Study {
 public:
  Study(const Sweep& sweep, const Catalog& catalog, std::vector<Override> overrides)
      : sweep_(sweep), catalog_(catalog.remembering()), overrides_(std::move(overrides)) {
    for (Condition& condition : sweep_.constraints) take_plain_numbers(condition);
  }

  ClusterStudy run(std::string aim, bool most, const ClusterStudyRun& run) {
    out_.title = sweep_.title;
    out_.aim = std::move(aim);
    out_.most = most;
    check();
    const SweepPoints points = make_points(sweep_);
    if (points.count() > kMostChoices)
      throw InputError({{sweep_.where,
                         fmt::format("these are {} choices, of which each is run with its repeats; "
                                     "{} are taken at most: give fewer values",
                                     points.count(), kMostChoices)}});
    check_values(points);
    out_.rows.resize(static_cast<std::size_t>(points.count()));
    std::mutex mutex;
    std::int64_t done = 0;
    in_parallel(out_.rows.size(), run.jobs, [&](std::size_t i) {
      out_.rows[i] = row_of(points, static_cast<std::int64_t>(i));
      const std::scoped_lock lock(mutex);
      if (run.progress) run.progress(++done, points.count());
    });
    if (std::ranges::all_of(out_.rows, [](const auto& row) { return row.figures.empty(); }))
      throw InputError({{sweep_.where, "no choice holds together: " + out_.rows.front().refused}});
    check_known();
    sort();
    return std::move(out_);
  }

 private:
  bool is_axis(const std::string& name) const {
    return std::ranges::count(sweep_.axes, name, &Axis::name) > 0;
  }

  void check() {
    Diagnostics out;
    Names known = figure_names();
    for (const Condition& condition : sweep_.constraints) {
      check_names(condition, known, out);
      out_.constraints.push_back(condition.text);
      for (const Side* const side : {&condition.left, &condition.right})
        std::ranges::copy(side->names, std::back_inserter(out_.limited));
    }
    for (const Axis& axis : sweep_.axes) known.push_back(axis.name);
    if (!out_.aim.empty() && std::ranges::count(known, out_.aim) == 0)
      out.error(ProblemCode::unknown_part, sweep_.where, "{}: there is no \"{}\"; {}",
                out_.most ? "maximize" : "minimize", out_.aim, suggestion(out_.aim, known));
    out.throw_if_any();
    for (const Condition& condition : sweep_.constraints)  // throws where its sides are no pair
      holds(condition, [](const auto&) { return Operand(Measure{0, nullptr}); });
  }

  Override override_of(std::size_t axis, const Literal& value) const {
    return {sweep_.axes[axis].path, toml_value(value),
            fmt::format("{} axis {}", sweep_.where.file, axis + 1), value.where};
  }

  /// Tries each value of an axis beside the first ones of the others: what is misspelt is an error,
  /// what only some combinations cannot have is refused with them.
  void check_values(const SweepPoints& points) const {
    Diagnostics out;
    std::set<std::string> told;
    for (std::size_t axis = 0; axis < sweep_.axes.size(); ++axis)
      for (const Literal& value : points.values[axis]) {
        std::vector<Override> overrides = overrides_;
        for (std::size_t other = 0; other < sweep_.axes.size(); ++other)
          overrides.push_back(
              override_of(other, other == axis ? value : points.values[other].front()));
        try {
          load_cluster(sweep_.scenario.path, catalog_, overrides);
        } catch (const InputError& error) {
          for (const Problem& problem : error.problems())
            if (told.insert(sentence(problem)).second) out.add(problem);
        }
      }
    out.throw_if_any();
  }

  ClusterRow row_of(const SweepPoints& points, std::int64_t number) const {
    ClusterRow row;
    row.number = number;
    std::vector<Override> overrides = overrides_;
    for (std::size_t axis = 0; axis < sweep_.axes.size(); ++axis) {
      const Literal& value = points.value(number, axis);
      row.values.push_back(
          {sweep_.axes[axis].name, text(sweep_.axes[axis].path), toml_value(value)});
      overrides.push_back(override_of(axis, value));
    }
    try {
      const cluster::Document document = load_cluster(sweep_.scenario.path, catalog_, overrides);
      const cluster::Answer answer =
          cluster::answer_of(document, cluster::schedulers_of(document).front());
      row.figures = figures_of(answer, price_of(document));
      row.repeated = answer.repeated;
      row.meets = std::ranges::all_of(sweep_.constraints, [&](const Condition& condition) {
        return holds(condition, [&](const std::string& name) -> std::optional<Operand> {
          const auto value = figure_in(row.figures, name);
          return value ? std::optional<Operand>(Measure{*value, nullptr}) : std::nullopt;
        });
      });
    } catch (const InputError& error) {
      row.refused = sentence(error.problems().front());
    } catch (const std::exception& error) {
      row.refused = error.what();
    }
    return row;
  }

  std::optional<double> aim_of(const ClusterRow& row) const {
    for (std::size_t axis = 0; axis < sweep_.axes.size(); ++axis)
      if (sweep_.axes[axis].name == out_.aim) {
        const Operand value = operand_of(row.values[axis].value);
        const auto* const number = std::get_if<Measure>(&value);
        if (number) return number->value;
        const std::string_view quoted = row.values[axis].value;
        if (quoted.size() < 2) return {};
        const Operand inside = operand_of(std::string(quoted.substr(1, quoted.size() - 2)));
        const auto* const measure = std::get_if<Measure>(&inside);
        return measure ? std::optional(measure->value) : std::nullopt;
      }
    return figure_in(row.figures, out_.aim);
  }

  /// An aim that no choice tells is no aim.
  void check_known() const {
    if (out_.aim.empty()) return;
    for (const ClusterRow& row : out_.rows)
      if (!row.figures.empty() && aim_of(row)) return;
    std::string why = "no choice tells it";
    if (out_.aim == "price_USD")
      why =
          "of some machines or stores no price is known: give systems and models of the catalog "
          "that have one, or minimize cost_USD or an axis of numbers";
    if (out_.aim == "cost_USD" || out_.aim == "energy_kWh") why = "not all nodes say their power";
    throw InputError({{sweep_.where, fmt::format("{}: {}", out_.aim, why)}});
  }

  void sort() {
    std::vector<std::pair<double, std::size_t>> good;
    for (std::size_t i = 0; i < out_.rows.size(); ++i) {
      if (!out_.rows[i].meets) continue;
      const auto value = out_.aim.empty() ? std::optional(0.0) : aim_of(out_.rows[i]);
      if (value) good.emplace_back(out_.most ? -*value : *value, i);
    }
    std::ranges::sort(good);
    for (const auto& [value, i] : good) out_.order.push_back(i);
  }

  Sweep sweep_;
  const Catalog catalog_;
  const std::vector<Override> overrides_;
  ClusterStudy out_;
};

void refuse_what_clusters_lack(const Goal& goal) {
  Diagnostics out;
  const auto refuse = [&](bool given, const char* what) {
    if (given)
      out.error(ProblemCode::conflict, goal.where, "{} is not asked of a shared cluster", what);
  };
  refuse(!goal.also.empty(), "also");
  refuse(goal.layouts, "layouts");
  refuse(!goal.front.empty(), "front");
  refuse(!goal.stock.empty(), "stock");
  refuse(!goal.only.empty(), "only");
  refuse(goal.confidence.has_value(), "confidence");
  out.throw_if_any();
}

}  // namespace

bool studies_cluster(const std::string& scenario) {
  return kind_of_file(scenario) == FileKind::cluster;
}

ClusterStudy study_cluster(const Goal& goal, const Catalog& catalog,
                           const std::vector<Override>& overrides, const ClusterStudyRun& run) {
  refuse_what_clusters_lack(goal);
  const bool most = !goal.maximize.empty();
  return Study(sweep_of(goal, 0), catalog, overrides)
      .run(most ? goal.maximize : goal.minimize, most, run);
}

ClusterStudy study_cluster(const Sweep& sweep, const Catalog& catalog,
                           const std::vector<Override>& overrides, const ClusterStudyRun& run) {
  return Study(sweep, catalog, overrides).run("", false, run);
}

}  // namespace gpufeed
