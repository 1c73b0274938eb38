// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// The estimates on which a result of training rests, the weightiest first: those that move its
/// throughput by more than 1 % where they are `run.estimate_deviation` too high or too low.
/// The plan is made anew with each of them. Where its bound falls below the throughput, the
/// estimate counts; where a stage comes near its limit, or checkpoints or the first epoch change,
/// `simulate` tells.
/// \param simulate  what gave `result`
std::vector<std::string> estimates_behind(const Scenario& scenario, const Result& result,
                                          const std::function<Result(const Scenario&)>& simulate);

}  // namespace gpufeed
