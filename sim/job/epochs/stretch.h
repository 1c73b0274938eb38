// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/job/epochs/checkpointed.h"

namespace gpufeed {

/// Simulates epochs, without checkpoints. Where what they find in the page cache changes within
/// an epoch, no pace lasts, and whole epochs are simulated; of long ones shorter ones with the same
/// curve, each twice as long as the one before, until what the further steps of the last add is
/// known: it no longer changes, and the two epochs of each run are so alike that chance, carried as
/// far as the steps left out, stays within the precision. Where it does not, whole epochs are
/// simulated after all. For with the curve given, an epoch's time is a + b x steps: its fill, what
/// loaders are ahead of the GPUs where reads begin to lag, and its end do not depend on its length.
///
/// \return of `epochs`; the record says how many steps were simulated
Record run_alike_epochs(const Scenario& scenario, const Plan& plan, const Epochs& epochs);

}  // namespace gpufeed
