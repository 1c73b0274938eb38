// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sim/model/result/prediction_interval.h"

namespace gpufeed {

/// Outcomes of equal chance that stand for all.
inline constexpr std::size_t kOutcomes = 1000;

/// Deviations of Student's t with four degrees of freedom, the law of spread.h, over its 90 %
/// quantile: of outcome `which` of `kOutcomes`, from the lowest to the highest.
double outcome_deviation(std::size_t which);

/// What would be measured if the prediction were off by so many deviations: p10 at -1, p50 at 0,
/// p90 at 1, in logarithms.
double value_off_by(const PredictionInterval& interval, double deviation);

}  // namespace gpufeed
