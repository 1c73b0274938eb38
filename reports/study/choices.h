// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/study/sweep_plan.h"
#include "sim/model/study/goal.h"
#include "sim/model/study/recommendation.h"

namespace gpufeed {

struct Scenario;

/// All choices of a goal, of which any number of threads may ask at a time.
struct Choices {
  Goal goal;
  std::vector<SweepPlan> workloads;  ///< of the same points
  /// Of each, where its layout tells: no simulation gives more samples a second.
  std::vector<double> most_samples_per_s;
  /// Of each: those that split the model alike, and take the same on other axes, have one number.
  std::vector<std::uint32_t> split;
  std::int64_t layouts_tried = 0;  ///< of which these are all that fit

  Studied studied() const { return workloads.front().studied(); }
  std::int64_t count() const { return workloads.front().points.count(); }
};

/// \throws InputError  where the goal names what results do not have, or an axis takes what the
///                     scenarios refuse
Choices choices_of(Goal goal, const Catalog& catalog, const std::vector<Override>& overrides,
                   const std::string& version);

/// The same of a goal with one workload, over a scenario that was read.
Choices choices_of(Goal goal, const ScenarioSource& base, const Catalog& remembering);

/// A choice as the scenario of a workload, of which only one run is told. \throws InputError
Scenario scenario_of(const Choices& choices, std::int64_t choice, std::size_t workload);

/// What a choice takes on each axis.
std::vector<ChosenValue> values_of(const Choices& choices, std::int64_t choice);

/// The value of the axis of this name as a number; nothing where there is no such axis, or it takes
/// texts.
std::optional<double> axis_value(const Choices& choices, std::int64_t choice,
                                 const std::string& name);

}  // namespace gpufeed
