// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.h"
#include "sim/plan/cache/hits_over_epochs.h"

namespace gpufeed {

struct Scenario;

/// What the page cache may fill: `loader.cache_memory`, or all memory less what the system reserves
/// and the batches of all loaders, stored and decoded. 0 where reads go around it.
Bytes cache_memory(const Scenario& scenario);

/// Whether the data set is larger than that, so that memory is used again for what is read later.
bool fills_cache(const Scenario& scenario);

/// By a replay of the reading order (page_cache.h); of a mapped file that is read at random by what
/// its windows of readahead have brought.
/// \param cache   that may be filled
/// \param epochs  of the job; the last one may be a part
/// \param read_per_byte  Reading's
CacheHits cache_hits(const Scenario& scenario, Bytes cache, double epochs, double read_per_byte);

}  // namespace gpufeed
