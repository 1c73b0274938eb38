// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "calib/replay/full_cache_now.h"
#include "calib/replay/machine_now.h"
#include "calib/replay/run_replay.h"

namespace gpufeed {

struct MeasuredReplay {
  std::vector<ReplayEpoch> epochs;
  std::vector<MeasuredParts> moments;  ///< before, after, and after a third and two of the epochs
  FullCacheNow full_cache;             ///< before
  double others = 0;                   ///< share of the cores that others took meanwhile
};

/// Runs the replay, and measures what it rests on. Between epochs the loader is left out, for
/// measuring it would change what the page cache holds.
/// \throws InputError  as `run_replay`
MeasuredReplay measure_replay(const Scenario& scenario, const ReplayPlan& plan);

}  // namespace gpufeed
