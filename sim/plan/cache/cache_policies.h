// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace gpufeed {

/// Memory that holds whole files of one size, as their readers see it. A file is one item: its
/// pages are read together, so they enter, age and leave together.
class FileCache {
 public:
  virtual ~FileCache() = default;
  /// Reads the file `item` from its first byte to its last. \returns whether it was in memory.
  virtual bool read(std::int32_t item) = 0;
};

/// Least recently used: a hit moves to the head, a miss replaces the tail.
/// \param items     files there are, numbered from 0
/// \param capacity  files that fit, at least one; both parameters as below
std::unique_ptr<FileCache> lru_cache(std::int32_t items, std::int32_t capacity);

/// First in, first out: hits move nothing.
std::unique_ptr<FileCache> fifo_cache(std::int32_t items, std::int32_t capacity);

/// Keeps the first `capacity` files read, for good.
std::unique_ptr<FileCache> pinned_cache(std::int32_t items, std::int32_t capacity);

/// Two of them: what the first does not hold, the second is asked for. Either may be null.
std::unique_ptr<FileCache> one_behind(std::unique_ptr<FileCache> front,
                                      std::unique_ptr<FileCache> behind);

/// What moves files between the kernel's two lists, see two_list_cache.
struct TwoListRules {
  std::int32_t inactive_ratio = 1;  ///< files leave the active list above this times the inactive
  std::int32_t foreign_active = 0;  ///< files of others that fill the active list at the start
  std::int32_t refault_window = 0;  ///< misses for which reclaim remembers an activated refault
  /// Reclaim looks at the same share of both lists; if not, at as many active as inactive files.
  bool proportional_scan = false;
};

/// Linux's active and inactive list of file pages, without multi-generation LRU, as in Linux 6.1
/// and 6.18 (both measured; the rules are older, some of the names are not):
/// - A missed file enters the inactive list, already marked as referenced by the read itself; a
///   further read activates it. A read of an active file, or of an inactive one without the mark,
///   sets the mark and moves nothing (mm/swap.c, folio_mark_accessed).
/// - Reclaim takes inactive files from the tail, whatever their mark: they are clean and not mapped
///   (mm/vmscan.c, folio_check_references), and leaves a shadow, the count of evictions and
///   activations so far (mm/workingset.c, workingset_eviction, workingset_age_nonresident).
/// - A miss whose shadow is at most the active list's length old enters the active list instead
///   (mm/workingset.c, workingset_test_recent, workingset_refault; without swap).
/// - Active files from the tail go back to the inactive head, with their mark, when the inactive
///   list is low or a refault was activated since the last run of reclaim (mm/vmscan.c,
///   prepare_scan_control, inactive_is_low, shrink_active_list, snapshot_refaults).
/// Left out: dirty and mapped pages, competition with anonymous memory, readahead beyond the end of
/// a file (there is none), readahead inside it (the file is read to its end anyway), NUMA nodes
/// (each has its lists; pages spread over them alike).
std::unique_ptr<FileCache> two_list_cache(std::int32_t items, std::int32_t capacity,
                                          const TwoListRules& rules);

}  // namespace gpufeed
