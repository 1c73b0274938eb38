// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.h"
#include "sim/plan/cache/hits_over_epochs.h"
#include "sim/plan/cache/page_cache.h"
#include "sim/plan/cache/unlike_nodes.h"

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
CacheHits cache_hits(const Scenario& scenario, const NodeShare& share, Bytes cache, double epochs,
                     double read_per_byte);

/// That replay. \param cache  that may be filled; 0: nothing is kept
CacheReplay replay_of(const Scenario& scenario, const NodeShare& share, Bytes cache);

/// How often what a node reads in an epoch makes the data set.
double read_by_node(const Scenario& scenario, const NodeShare& share);

/// Of windows that samples bring at random, `per_byte` of theirs: after x epochs
/// 1 - e^(-x per_byte) of the set has come, and what the cache has room for is found.
/// \param room  of the cache, over the size of the data set
CacheHits hits_of_windows(double room, double per_byte, double epochs);

}  // namespace gpufeed
