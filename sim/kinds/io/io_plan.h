// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/facts/warnings.h"
#include "sim/plan/rates.h"

namespace gpufeed {

/// An io workload as numbers: streams that move the bytes of its requests, reads and writes in
/// their mix, and what they share.
struct IoPlan {
  Graph graph;
  Limits limits;                ///< those of the graph first
  std::vector<Stream> streams;  ///< one over all drives; one a drive where files lie whole
  std::vector<PartId> sources;  ///< drives, or the one store
  StorageAccess access;         ///< how each drive is asked
  double active_drives = 0;     ///< at any one time
  double under_way = 0;         ///< requests of all jobs together
  Seconds wait;                 ///< store: mean time of a request when alone
  double written = 0;           ///< onto the drives, for each byte that is moved
  std::vector<Warning> warnings;
};

/// - Each job keeps `queue_depth` requests under way. Without O_DIRECT it waits for one read at a
///   time (of the readahead window, when sequential), as libaio does; writes return at once and
///   reach the drives in the background; every byte is copied by software: three memory passes, at
///   `core_copy_bandwidth` a job.
/// - A drive has under way: requests of all jobs x those that each becomes on the drives
///   (striping.h) / drives. Sequential requests that all lie within a few stripe units keep only
///   so many drives busy at a time.
/// - Drives of a striped or mirrored volume advance together, whole files independently.
/// - Reads and writes of one drive share its time (graph.h); what RAID 5 and 6 read to write counts
///   as reads. One stream of sequential requests on a disk needs no seeks.
/// - A store is reached by the NICs of `via`, which the jobs take in turn; each job gets at most
///   requests under way x size / (latency + size / narrowest link). A store's write latency is
///   taken to be its read latency, and its read_rate counts writes as well.
/// - Requests to drives cost a job's core what its engine takes (request_cost.h).
/// - Software: what bytes and requests take of the client (store_client.h) on any core, a reading
///   thread's `thread_read_bandwidth` for each job.
/// \throws InputError  where there is no way between memory and data
IoPlan make_io_plan(const Scenario& scenario);

}  // namespace gpufeed
