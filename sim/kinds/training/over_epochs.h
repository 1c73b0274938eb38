// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/job/epochs/held.h"
#include "sim/kinds/training/repeated.h"

namespace gpufeed {

/// Later epochs of a job whose page cache fills up over them, so that each finds more there than
/// the one before.
struct OverEpochs {
  EpochsAccount mean;  ///< what all of them take, as of epochs that are alike
  Rate bound;          ///< no schedule trains them faster
  Record record;       ///< steady step, steps simulated and certainty of all runs together
  Unheld unheld;       ///< of those simulated, what was furthest above its bound
};

/// A few epochs are simulated by what they find: that which finds least, that which finds most, the
/// mean, and, where what an epoch takes bends, more. Between two of them time is linear in what is
/// found, which is exact where one part works all the time, and else too long: by how much at most,
/// the limits of the plan tell, and the lines beside it, for time bends upward only. More epochs
/// make that less than the precision, if a few can.
///
/// \param plan       all nodes, with `filling`
/// \param simulated  the same, or few nodes that stand for all
/// \param later      the later epochs, with the mean of what they find
/// \param at_mean    of those
/// \param told       its account
/// \param before     the first epoch, where later ones begin before its end; null: they do not
OverEpochs over_epochs(const Scenario& scenario, const Plan& plan, const Plan& simulated,
                       const Epochs& later, const Record& at_mean, Repeated told,
                       const Record* before);

}  // namespace gpufeed
