// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "sim/plan/hit_curve.h"

namespace gpufeed {

/// What leaves the cache when room is needed.
enum class CachePolicy {
  lru,       ///< least recently used
  two_list,  ///< Linux without multi-generation LRU: see two_list_cache
  mglru,     ///< Linux with it: see hit_rates
  fifo,      ///< first in, first out
  pinned,    ///< the first files read stay for good
  none,      ///< nothing is kept (O_DIRECT)
};

/// Who frees memory for new pages, under `two_list`.
enum class Reclaimer {
  kswapd,        ///< the machine's memory is full: in the background, in large runs
  cgroup,        ///< a memory cgroup (container) is full: the reader, 32 pages at a time
  cgroup_fresh,  ///< as cgroup, in kernels that read the cgroup's counters without delay
};

/// In which order a reader goes through the data set, anew in every epoch.
enum class ReadOrder {
  permutation,  ///< every file at a random place (PyTorch's sampler, DALI's shuffle_after_epoch)
  /// Shards in random order, each from start to end. A shuffle buffer behind the reads changes
  /// the order of the samples, not of the reads.
  shards,
  sequential,  ///< the same order in every epoch (DALI's random_shuffle)
};

/// A data set of files of one size, its readers, and the memory they share.
struct CacheReplay {
  /// Memory left for pages over the size of the data set; may exceed 1. Nodes that serve one
  /// another's misses form one cache: their sum.
  double cached_share = 0;
  CachePolicy policy = CachePolicy::two_list;
  ReadOrder order = ReadOrder::permutation;
  Reclaimer reclaimer = Reclaimer::kswapd;
  std::int64_t files = 1'000'000;
  std::int64_t shard_files = 1;  ///< of `files`, read one after the other; only under `shards`
  /// Independent readers of the whole set, each in an order of its own (several jobs on one node),
  /// advancing alike. The ranks of one job that share out one order are one reader.
  std::int64_t readers = 1;
  /// Each reader reads only random `parts` of `shares` of its order in an epoch. As many shares as
  /// readers where ranks shuffle without a common seed, so that what they read overlaps; times the
  /// nodes, each with a cache of its own, that share out every epoch. Several parts: those of the
  /// GPUs of a node, of the shares of all.
  std::int64_t shares = 1;
  std::int64_t parts = 1;
  double cache_GiB = 1;  ///< size of the page cache; with two_list it sets the ratio of the lists
  /// Share of the cache that pages of others, read more than once, hold at the start as active.
  /// 0: the job starts after memory was freed, as benchmarks do.
  double active_share_at_start = 0;
  /// A second cache behind it, on drives, that is asked for what the first does not hold: its room
  /// over the size of the data set; 0: there is none. What either holds counts as found.
  double behind_share = 0;
  CachePolicy behind = CachePolicy::lru;
  std::uint64_t seed = 1;
  std::int64_t epochs = 6;

  auto operator<=>(const CacheReplay&) const = default;
};

/// Active pages per inactive page above which Linux moves pages back: max(1, sqrt(10 GiB)), both
/// roots and GiB rounded down.
/// \source  Linux 6.1 and 6.18, mm/vmscan.c, inactive_is_low
std::int32_t inactive_ratio(double cache_GiB);

/// The share of reads found in memory, epoch by epoch, the mean over the readers; the first epoch
/// starts with none of the data set in memory. Replays the order of a set scaled down to at most
/// 8192 files (fewer with many readers): a few milliseconds an epoch.
///
/// `two_list` depends on who reclaims. kswapd frees about 2 % of the cache in a run (2900 to 3200
/// pages of 160,000 on Linux 6.1); each run that finds an activated refault deactivates in
/// proportion, so the active list stays short and reality near LRU. In a cgroup the reader frees as
/// many pages as it needs; counters of refaults are flushed every two seconds, so nearly no
/// reclaim sees one and the active list grows to `inactive_ratio`. `cgroup_fresh` sees the refault
/// of the file before. Epochs must last much longer than those two seconds.
///
/// `mglru` is first in, first out. Pages read through file descriptors enter the oldest generation
/// and are not moved by further reads, which raise their tier; the oldest generation never empties,
/// so no page ages into it. A tier is protected once its refaults per eviction exceed twice (since
/// 6.14: 1.5 times) those of tier 0 (mm/vmscan.c, sort_folio, get_tier_idx); where every file is
/// read in every epoch all tiers refault alike and none is. Linux 6.1 measured 0.01 to 0.03 above.
///
/// \source  tests/physics/page_cache_test.cpp: formulas, and measurements on Linux 6.1 and 6.18
std::vector<double> hit_rates(const CacheReplay& replay);

/// How these hits lie in each epoch. Of one reader under LRU with a share c of the set in memory, a
/// file at the position x hits with 1 - (1-c) / (1-x), and none does after x = c: those that are
/// still to come in this epoch fill the cache's place in the order of the last one.
std::vector<HitCurve> hit_curves(const CacheReplay& replay);

/// Files that stand for the set.
std::int64_t items_replayed(const CacheReplay& replay);

}  // namespace gpufeed
