// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/plan.h"

namespace gpufeed {

/// A job of loaders and, unless it only loads, GPUs or what a benchmark has in their place.
/// \throws InputError  where a GPU has no way to the data, or two GPUs none to each other
Plan make_plan(const Scenario& scenario);

/// The first epoch of a scenario that copies its data in meanwhile: every batch is read from the
/// store, past any page cache, and what has been read is written to the drives at the same pace,
/// from the memory into which it was read, in equal parts. `staging.rate` limits all of it
/// together. \throws InputError  where a GPU has no way to the store, or a memory none to a drive
Plan make_staged_epoch_plan(const Scenario& scenario);

}  // namespace gpufeed
