// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/job/epochs/checkpointed.h"

namespace gpufeed {

/// Of epochs that are alike.
struct EpochTimes {
  double first_s = 0;
  double later_s = 0;  ///< each of the others; the last may be shorter
  double all_s = 0;
};

/// Where the time of epochs goes that find equally much in the page cache: everything that is said
/// of rates, shares, loads and times comes from here. The fill of the loaders, with which an epoch
/// begins, and their running dry at its end are part of it.
struct EpochsAccount {
  std::int64_t steps = 0;        ///< of all these epochs
  EpochTimes trained;            ///< without checkpoints
  EpochTimes saved;              ///< what checkpoints add to that
  std::vector<TimeSpent> spent;  ///< of each GPU, over all; adds up to all_s
  double filling_s = 0;          ///< of all_s: until the first batch of each epoch is there
  double first_step_s = 0;       ///< until the first step ends
  double first_step_own_s = 0;   ///< mean over GPUs until each has computed it

  double all_s() const { return trained.all_s + saved.all_s; }
  double step_s() const { return all_s() / static_cast<double>(steps); }  ///< mean
};

/// Times of both, of the other so many times; for means over accounts of the same steps.
void add(EpochsAccount& to, const EpochsAccount& other, double times);

/// Without checkpoints. Of epochs simulated in full: their mean. Where the one epoch that was
/// simulated was cut, an epoch is that one and the steps between at the steady pace.
EpochsAccount account_of(const Plan& plan, const Record& record, const Epochs& epochs);

/// Seconds of these steps at a rate that nothing exceeds.
double least_time(const EpochsAccount& account, const Plan& plan, Rate bound);

/// Everything but checkpoints takes so many times as long.
void lengthen(EpochsAccount& account, double times);

/// Of epochs whose loaders work before those that went before are trained to their end; not so much
/// that they seem faster than what lasts.
void begin_early(EpochsAccount& account, const Plan& plan, const Record& before, Rate bound);

/// \param record  without checkpoints
void add_checkpoints(EpochsAccount& account, const Plan& plan, const Record& record,
                     const Epochs& epochs, const SavedEpochs& saved);

}  // namespace gpufeed
