// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/base/units.h"

namespace gpufeed {

struct Scenario;

/// What the page cache may fill: `loader.cache_memory`, or all memory less what the system reserves
/// and the batches of all loaders, stored and decoded. 0 where reads go around it.
Bytes cache_memory(const Scenario& scenario);

/// Share of the bytes that the epochs after the first find in the page cache, by a replay of the
/// reading order (page_cache.h): mean over the epochs that the job reads in full, ten at most.
/// \param cache   that may be filled
/// \param epochs  of the job
double later_hit_rate(const Scenario& scenario, Bytes cache, std::int64_t epochs);

}  // namespace gpufeed
