// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/make/sources.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// The cores of a node that serve its loaders.
struct CorePools {
  std::vector<double> cores;  ///< of each pool, in cores without SMT
  double physical = 0;        ///< of all pools
  double used = 1;            ///< share of the machine's cores that its threads keep at work
};

/// One pool of the whole machine, or one for each socket (`loader.cores`). Threads beyond the cores
/// share them: SMT makes the pool larger by up to `smt_gain`, in proportion to the threads that
/// find a sibling. \param threads  of all loaders of the node
CorePools core_pools(const Scenario& scenario, std::int64_t threads);

/// The pool that serves a loader whose batches lie in the memory of `socket`.
std::size_t pool_of(const CorePools& pools, PartId socket);

/// What a sample takes of a core, and of its reader.
struct SampleTimes {
  Seconds decode;  ///< of a core, for every sample; copying out of the page cache included
  Seconds fetch;   ///< of a core beside, for one that the page cache does not hold
  Seconds fill;    ///< of its reader's core, to put such a one into the page cache
  Seconds reader;  ///< decoding while reading: least of a stored sample, without a core
  bool decodes_while_reading = false;
};

/// On the slowest of the machine's CPUs. A time that was measured at one load of the cores is
/// carried to theirs by `all_core_speed`: the speed falls linearly with the share of cores at work.
/// Where the page cache is full, each page that comes in throws one out: a reader in a cgroup does
/// that itself, else the kernel's own thread does it beside.
/// \param used  share of the machine's cores that are at work
/// \param full  whether the page cache is smaller than what is read
SampleTimes sample_times(const Scenario& scenario, const Sources& sources,
                         const LoaderShape& loader, double used, bool full);

/// What a core or GPU needs to decode one sample of the data set.
Seconds decode_time(const DecodeCost& cost, const Dataset& dataset);

}  // namespace gpufeed
