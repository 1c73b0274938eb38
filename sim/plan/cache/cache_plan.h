// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.h"
#include "sim/plan/hit_curve.h"

namespace gpufeed {

struct Scenario;

/// What the page cache may fill: `loader.cache_memory`, or all memory less what the system reserves
/// and the batches of all loaders, stored and decoded. 0 where reads go around it.
Bytes cache_memory(const Scenario& scenario);

/// Whether the data set is larger than that, so that memory is used again for what is read later.
bool fills_cache(const Scenario& scenario);

/// What epochs find in the page cache.
struct CacheHits {
  HitCurve first;  ///< what another reader of the same job or of another one has just read
  HitCurve later;  ///< mean over the epochs that the job reads in full, ten at most
};

/// By a replay of the reading order (page_cache.h).
/// \param cache   that may be filled
/// \param epochs  of the job
CacheHits cache_hits(const Scenario& scenario, Bytes cache, std::int64_t epochs);

}  // namespace gpufeed
