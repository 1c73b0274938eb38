// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/job/epochs/account.h"

namespace gpufeed {

/// How far a simulated rate was above what no schedule exceeds, relative; below 0: under it.
struct Excess {
  double over = 0;
  double known_to = kUnknown;  ///< half width of the rate's 95 % interval
  /// What GPUs may train beyond what lasts, because loaders of a few of them still had batches in
  /// stock when the pace of all seemed known, or some may be steps ahead of others at the end.
  double of_stock = 0;
};

/// What a simulation said before it was held to its bound.
struct Unheld {
  Excess all;     ///< of all epochs
  Excess steady;  ///< of the steady pace; unknown where the run tells none
};

/// Of either, what was further above its bound.
Unheld further(const Unheld& one, const Unheld& other);

/// Chance may make a simulation a little faster than what no schedule exceeds; that is then the
/// better estimate, of all epochs and of the steady pace. More than chance is a fault of ours: the
/// rate or the bound is wrong, and no answer is told. \param precision  nothing is known much
/// better
Unheld hold_to(EpochsAccount& account, Record& record, const Plan& plan, Rate bound,
               Ratio precision);

/// Tells nothing above a rate that itself rests on what was simulated, and so proves nothing.
void keep_below(EpochsAccount& account, Record& record, const Plan& plan, Rate rate);

}  // namespace gpufeed
