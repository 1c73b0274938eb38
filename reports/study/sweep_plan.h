// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/study/sweep_points.h"
#include "reports/writers/result_cells.h"
#include "sim/load/scenario_source.h"
#include "sim/load/serving/source.h"

namespace gpufeed {

/// What makes two sweeps the same: their points have the same numbers and the same results. In
/// words for messages ("the base scenario"), and in full.
struct PlanPart {
  std::string name;
  std::string text;

  bool operator==(const PlanPart&) const = default;
};

/// A sweep that is ready to run.
struct SweepPlan {
  Sweep sweep;
  ScenarioSource source;
  SweepPoints points;
  std::vector<PlanPart> parts;
  bool one_at_a_time = false;           ///< SimGrid has one engine in a process
  std::optional<ServingSource> served;  ///< where the file is of kind "serving": the same file

  Studied studied() const { return served ? Studied::serving : Studied::scenario; }
};

/// Reads a sweep and its scenario, or its engine that serves a language model, draws its points,
/// and checks what every axis may take. Points are simulated by the fluid engine unless the
/// scenario, an override or an axis names another. \param overrides  for the base scenario \param
/// version    of gpufeed \throws InputError  with every problem found
SweepPlan plan_sweep(const std::filesystem::path& file, const Catalog& catalog,
                     std::vector<Override> overrides, const std::string& version);

/// The same of a sweep that was read. \param remembering  a catalog that remembers
SweepPlan plan_points(Sweep sweep, const Catalog& remembering, std::vector<Override> overrides,
                      const std::string& version);

/// The same over a scenario that was read, whatever file the sweep names.
SweepPlan plan_points(Sweep sweep, const ScenarioSource& base, const Catalog& remembering,
                      const std::string& version);

/// The overrides that make the base scenario the point's.
std::vector<Override> overrides_of(const SweepPlan& plan, std::int64_t point);

/// The same of a combination that need not be a point. \param chosen  value of each axis, by number
std::vector<Override> overrides_at(const SweepPlan& plan, const std::vector<std::uint32_t>& chosen);

/// What became of a point.
struct SweepRow {
  std::int64_t point = 0;
  bool good = false;
  bool meets = false;            ///< all constraints, as predicted
  std::optional<double> chance;  ///< that what would be measured meets them, where it is known
  std::vector<Cell> result;      ///< empty where it failed
  std::string message;           ///< why it failed
};

/// Simulates a point. Safe in several threads at a time unless `one_at_a_time`.
SweepRow evaluate(const SweepPlan& plan, std::int64_t point);

}  // namespace gpufeed
