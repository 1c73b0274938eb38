// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.h"
#include "sim/plan/cache/unlike_nodes.h"

namespace gpufeed {

struct Reading;
struct Scenario;

/// Whether drives of the nodes are a cache of a store (data.staging, mode read-through).
bool reads_through(const Scenario& scenario);

/// What such a cache fetches of the store at least, and drops as a whole; at most a file.
Bytes cache_block(const Scenario& scenario);

/// Bytes that it fetches for each of a sample that it lacks: of samples that lie anywhere in a file
/// all blocks that they touch, (bytes asked for + block) / sample; of others 1, since a file is
/// read to its end while its blocks are there.
/// \param near  how its drives are read
double pulled_per_byte(const Scenario& scenario, const Reading& near);

/// The share of the data set that it has room for, 1 at most.
double share_on_drives(const Scenario& scenario);

/// What epochs find in the page cache (`in_memory`), and behind it on drives. The law, and where it
/// fails, is in README.md.
/// \param memory  that the page cache may fill
/// \param epochs  of the job; the last one may be a part
CacheHits with_cache_on_drives(const Scenario& scenario, const NodeShare& share,
                               const CacheHits& in_memory, Bytes memory, double epochs,
                               double pull_per_byte);

}  // namespace gpufeed
