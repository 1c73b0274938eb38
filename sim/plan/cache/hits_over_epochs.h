// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/plan/hit_curve.h"

namespace gpufeed {

struct CacheReplay;

/// What epochs find in the page cache.
struct CacheHits {
  HitCurve first;  ///< what another reader of the same job or of another one has just read
  HitCurve later;  ///< mean over the epochs that the job reads after it
  std::vector<HitStretch> filling;  ///< those, in order, where they do not find the same; else none
};

/// Readers of the whole set, or of the same part in each epoch, have settled in the second one: the
/// mean of a replay of ten stands for all. Those that read a random 1/S of it, another in each
/// epoch, have what they read before: until the cache is full, epoch j of k readers finds
///   1 - (1 - 1/S)^(k (j - 1)), and of what is left, at the part x of it, 1 - (1 - x/S)^(k - 1).
/// What leaves a full cache is replayed, until every file was read ten times in the mean; further
/// epochs are as those of the later half.
/// \param epochs  of the job, the last one may be a part; `replay.epochs` does not count
CacheHits hits_over_epochs(const CacheReplay& replay, double epochs);

}  // namespace gpufeed
