// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/study/condition.h"

namespace gpufeed {

/// How likely what would be measured meets conditions on a result.
struct Chances {
  std::vector<double> each;  ///< of the conditions in their order, 0 to 1
  double all = 1;            ///< that all hold at once
};

/// Over outcomes of equal chance (chance.h), in each of which all rates of the result are off
/// together, and its times and costs of samples as much the other way; a benchmark passes where its
/// utilization does. What is known without a simulation, such as prices, is as stated, and so is
/// what is neither rate, time nor cost, such as the bottleneck.
/// \return empty where the result has no prediction interval
std::optional<Chances> chances_of(const Result& result, const std::vector<Condition>& conditions);

}  // namespace gpufeed
