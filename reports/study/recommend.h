// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "reports/study/choices.h"
#include "sim/model/study/recommendation.h"

namespace gpufeed {

class StudyPool;

/// How to search.
struct SearchRun {
  unsigned jobs = 1;  ///< choices at a time, in threads
  /// Told several times how many choices were made into scenarios.
  std::function<void(std::int64_t looked_at)> progress = [](std::int64_t) {};
  StudyPool* pool = nullptr;  ///< whoever else looks into some of the choices
};

/// The best choice of a goal, or its front, with proof: every other choice is worse by what is
/// known of it without simulation (its axes, bill, or the analytic bound of its throughput), or was
/// simulated. Choices are taken in the order of their best possible value, so that the search ends
/// at the first whose best is no better than what was found. A price, a power or a cost that lacks
/// parts which others have in theirs is not known to be less: such a choice is the answer only
/// where no other meets the constraints. Of equal ones the fastest wins, found
/// in the order of their bounds. Where the aim is simulated, choices that the best is not better
/// than by more than the noise
/// (`noise_of`) are equal: of them the cheapest wins, then the first; what may be one and is
/// cheaper is simulated too. Where an axis, price or power is the aim, that order needs no
/// scenarios: axes are numbers, and price and power sums (cost_tables.h). Should one of the sums
/// turn out wrong, they are dropped and each choice is worked out. Where nothing meets all
/// constraints, each is named with the closest that can be attained. \throws InputError  where
/// conditions compare what cannot be compared
Recommendation recommend(const Choices& choices, const SearchRun& run);

}  // namespace gpufeed
