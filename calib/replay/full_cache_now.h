// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "calib/replay/copy_now.h"
#include "calib/replay/run_replay.h"
#include "sim/base/units.h"

namespace gpufeed {

/// `pages_apart` of a full page cache, which depends on what a kernel did before.
struct PagesNow {
  Ratio now;
  Ratio stated;
};

/// At what rate a core puts bytes that are missed into a full page cache, in the place of others,
/// beyond copying them out: `cache_fill_bandwidth` and `cache_evict_bandwidth` one after the other.
/// It goes with the memory, by a third within an hour, and with who else is at it.
struct RefillNow {
  Bandwidth now;
  Bandwidth calibrated;
};

/// A page cache that holds not all of a set; what was not told stays.
struct FullCacheNow {
  std::optional<PagesNow> pages;
  std::optional<RefillNow> refill;
};

/// The mean over the epochs after the first, or over the only one, where pages go within an epoch
/// from how they lay at its beginning to how they lie at its end. \param at_ends  at the end of
/// each epoch, one at least
Ratio apart_later(const std::vector<double>& at_ends);

/// Of the epochs after the first: what a core spent in read calls beyond copying all of their bytes
/// out, for those that were missed. Nothing where that is nothing, or no later epoch missed any.
/// \param size  of a sample
std::optional<Bandwidth> refill_rate(const std::vector<ReplayEpoch>& epochs, Bytes size,
                                     Bandwidth copy);

/// Runs the loader on the data set, of large ones on a part, for as many epochs as the replay has,
/// five at most, in a memory cgroup of its own, by the replay's own workers, for each core hands
/// out the pages it took back itself. It looks where the pages of the last files of each epoch lie,
/// if the drive has a `page_time` and the kernel tells; and what cores spend on missed bytes, if
/// the CPU's rates for that and its copying were calibrated. Nothing where the scenario has no such
/// cgroup, or it holds the set.
///
/// \param copy  as it is now
/// \throws InputError  where a file cannot be read, or when interrupted
FullCacheNow full_cache_now(const Scenario& scenario, const ReplayPlan& plan,
                            const std::optional<CopyNow>& copy);

}  // namespace gpufeed
