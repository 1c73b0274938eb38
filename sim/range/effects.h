// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/fields/mechanism.h"
#include "sim/model/result/result.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// What a scenario's own values do to the result of a job that runs epochs, each log-normal about
/// what is stated with the deviation that values of its basis have (deviations.h). A value's
/// effect is found by making the plan anew, with it alone raised and lowered by its deviation; of a
/// cluster, the plan of few nodes which stand for all. The result follows the plan's outlook:
/// throughput and times by the ratio of `sample_time`, checkpoints by the ratio of theirs. Values
/// are taken to act independently: their variances add up.
struct ValueEffects {
  Mechanism mechanism = Mechanism::rate_on_one_node;  ///< what the rate rests on
  double of_rate = 0;              ///< deviation of the logarithm of the throughput
  double of_time = 0;              ///< the same of the time to the result
  std::vector<RangeCause> causes;  ///< `share` is still the variance of the throughput
  std::vector<double> of_times;    ///< the same of the time to the result, of each cause
};
ValueEffects effects_of(const Scenario& scenario, const Result& result);

/// Whether it runs epochs, and has a rate.
bool has_effects(const Scenario& scenario, const Result& result);

/// How far off the predictions of one of several scenarios may be that are compared.
struct Drawn {
  /// What so many draws of the scenario's values make of the time to the result, copying in among
  /// it: of each the logarithm of what it is over the stated one, times the mechanism's
  /// `parameters`.
  std::vector<double> times;
  Mechanism mechanism = Mechanism::rate_on_one_node;
  double of_model = 0;  ///< scale of the model's own error (spread.h)
  double shared = 0;    ///< its correlation with that of another of the same mechanism
};

/// Scenarios drawn with one count and seed share the draws of every value that they share. The
/// draws are a Latin hypercube, so that few are enough. \return nothing drawn where the workload
/// runs no epochs, or the catalog does not know how far off its mechanism is
Drawn drawn(const Scenario& scenario, const Result& result, std::size_t count, std::int64_t seed);

}  // namespace gpufeed
