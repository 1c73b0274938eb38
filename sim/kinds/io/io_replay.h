// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// Replays the log of `workload.io` on `data.at`: what fio would report of its requests, and how
/// long they took.
/// - Requests are made at the times of the log, whether earlier ones are done or not: where storage
///   falls behind, they pile up, as they did not when a program waited for them.
/// - A request waits for the latency of its drives or store; then its bytes flow to or from the
///   nearest memory (`workload.io.memory`), sharing drives and links max-min fairly with all others
///   under way. A drive's bandwidth is that of its law for requests of the mean size, reads and
///   writes apart; both share the drive's time. Requests queue nowhere else.
/// - Unless direct, reads pass the page cache (block_cache.h). What is found there is copied at
///   `core_copy_bandwidth`, and so are writes, which reach the storage in the background.
/// - Where files lie: log_pieces.h. Over a network files take the NICs of `via` in turn, and what a
///   store's write latency is, its read latency says.
/// Not modeled: the kernel's own queues and merging of requests, readahead, opening of files, and
/// that writers must wait where too much memory waits to be written.
/// \throws InputError  where there is no way between memory and data
Result replay_log(const Scenario& scenario);
/// Refuses what that would. \throws InputError
void check_replay(const Scenario& scenario);

}  // namespace gpufeed
