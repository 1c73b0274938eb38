// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// How far the parameters of a job that runs epochs leave its result open: 10 to 90 % of
/// `run.range_samples` draws of all of them, each log-normal about its stated value with the
/// deviation that values of its basis have, and of what the model itself gets wrong (deviations.h).
/// A draw makes the plan anew, of a cluster that of few nodes which stand for all; the result
/// follows its outlook: throughput and times by the ratio of `sample_time`, checkpoints by the
/// ratio of theirs. The draws are a Latin hypercube, so that few are enough.
///
/// A cause's share is that of the variance when one parameter alone is raised and lowered by its
/// deviation. Of causes, the three weightiest that have at least a hundredth are named.
/// \return nothing where the workload runs no epochs or no samples are asked for
std::optional<Range> range_of(const Scenario& scenario, const Result& result);

/// What so many draws make of a result: of each the logarithm of what it is over the stated one.
struct Drawn {
  std::vector<double> rates;
  std::vector<double> times;  ///< to the result, copying in among them
};

/// Scenarios drawn with one count and seed share the draws of every parameter and part of the model
/// that has one name in both. \return nothing where the workload runs no epochs
Drawn drawn(const Scenario& scenario, const Result& result, std::size_t count, std::int64_t seed);

}  // namespace gpufeed
