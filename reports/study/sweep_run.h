// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "reports/study/sweep_store.h"

namespace gpufeed {

/// How to run a sweep.
struct SweepRun {
  Shard shard;
  unsigned jobs = 1;  ///< points at a time, in threads; 1 where the plan is `one_at_a_time`
  /// Asked several times a second: whether to stop once the points under way have ended. Those that
  /// have are in the store by then, should the process not wait for the others.
  std::function<bool()> stop;
  /// Told several times a second how many of how many points are finished.
  std::function<void(std::int64_t finished, std::int64_t of)> progress;
};

/// Simulates the points that `store` lacks, and adds them as they finish. A point that fails is
/// finished too.
/// \return whether all points of the shard are finished
/// \throws InputError  where the store cannot be written; what it has stays
bool run_sweep(const SweepPlan& plan, SweepStore& store, const SweepRun& run);

}  // namespace gpufeed
