// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/data.h"
#include "sim/topology/graph.h"

namespace gpufeed {

/// What is read for a job and by whom, where that need not be what the scenario says of training.
struct ReadFrom {
  PartId at;  ///< a volume, drive or store
  ReadMode mode = ReadMode::buffered;
  ReadPath path = ReadPath::host;
  std::int64_t readers = 1;  ///< of a node, at the same time

  /// Whether samples pass the page cache: software copies them once more.
  bool buffered() const { return mode == ReadMode::buffered && path == ReadPath::host; }
};

/// How a loader's readers ask the storage for samples.
struct Reading {
  StorageAccess access;
  /// Requests of one sample that follow one another, each waiting for the latency: those for its
  /// windows of readahead (or its O_DIRECT requests), and those to open its file: on a store one of
  /// its protocol, else `data.open_requests`. The bytes of a record file come as one long stream.
  double waits_per_sample = 0;
  /// Besides these, for each sample: its part of `data.open_time` of its file; of a store whose
  /// client reads files (store_client.h) all that a sample waits for.
  Seconds open_time;
  /// Of what a sample takes of a store's rate of requests, those whose first byte is waited for.
  double first_bytes = 0;
  Bandwidth stream{std::numeric_limits<double>::infinity()};  ///< most that one reader gets
  /// Drives from which one stream receives at the same time.
  double drives_at_once = 1;
  /// Bytes that the storage gives for each of a sample: above 1 where its neighbors come along.
  double read_per_byte = 1;
};

/// What a sample of s bytes of such a file brings in, w being the window of readahead. Mapped: a
/// page that is missing brings the window around it, and the next window where the sample goes on
/// beyond it, 1 + max(0, s - w/2) / w of them (mm/filemap.c, do_sync_mmap_readahead). By a call:
/// the pages that it lies on, s + 4 KiB in the mean. \source  Linux 6.18, ext4, window of 8 MiB: 20
/// samples of 4 KiB of a file of 1 GiB brought 7.99
///          MiB each, 100 of them 5.1 (as they overlap), by calls 8.0 KiB; of 64 KiB 68
struct ReadAnywhere {
  double requests = 1;
  Bytes request;
  Bytes all() const { return request * requests; }
};
ReadAnywhere read_anywhere(bool mapped, Bytes sample, Bytes window);

/// For the data set of a scenario and the volume, drive or store that `from` names.
/// - O_DIRECT: requests of `data.request`, or whole samples.
/// - buffered: requests of `data.readahead`; on a striped volume at least two stripes, as Linux
///   sets it for such volumes; on a store what the protocol takes at once, or whole samples.
/// - no request on a drive is larger than the volume's stripe unit.
/// - what is read goes to pieces of memory of 4 KiB where direct readers have no huge pages; the
///   first of a request costs what its latency contains. The page cache's pages have 4 KiB in the
///   first window of a file, or of a sample that is read at random out of a record file, and four
///   times as much in each further one (Linux since 6.16 on ext4, 5.18 on XFS; page_cache_sync_ra
///   and page_cache_async_ra of mm/readahead.c).
/// - a disk's head moves once a file where one reader takes its samples in the order in which they
///   lie. Of n readers on d disks of whole files, the head of one moves after a window as often as
///   another of them has its present file there: 1 / run = x / window + (1 - x) / file,
///   x = 1 - (1 - 1/d)^(n-1). A stripe takes its part of the window or file; so do mirrors, d = 1.
Reading reading_of(const Scenario& scenario, const ReadFrom& from);

/// Whether the scenario puts its direct readers' memory into huge pages, they would not ask for
/// them, and none of the drives that they read looks pages up. No fault: it is a fact of the
/// readers, and the next drives may.
bool huge_pages_are_idle(const Scenario& scenario);

/// What one request of a buffered sequential reader brings: see above; infinite on a store whose
/// protocol says nothing.
Bytes readahead_window(const Scenario& scenario, const Volume* volume);

/// Whether a volume spreads every file over its drives.
bool is_striped(const Volume& volume);

}  // namespace gpufeed
