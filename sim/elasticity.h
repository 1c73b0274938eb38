// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/elasticity.h"
#include "sim/model/result/result.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// What a tenth more of each resource would give, and what binds next. A simulation for each
/// resource in use and one more, with the same seed; of workers, which come in whole ones, the gain
/// is carried over: (T'/T)^(ln 1.1 / ln(n'/n)) - 1.
/// \param scenario  that trains, emulates or loads
/// \param result    of it
Elasticity elasticity_of(const Scenario& scenario, const Result& result);

/// A difference of rates that nobody would act on, however exactly it is known.
inline constexpr double kLeastGain = 0.005;

/// The gain of throughput that may be chance where both results are of one seed: the half widths
/// of their 95 % intervals together. Where too few steps were simulated to tell them, and for what
/// is rounded, at least `least`.
double noise_of(const Result& one, const Result& other, double least);

}  // namespace gpufeed
