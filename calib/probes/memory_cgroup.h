// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "calib/probes/child.h"
#include "sim/base/files/file_lock.h"
#include "sim/base/units.h"

namespace gpufeed {

/// A memory cgroup of its own below that of this process (version 2) or below the root of the
/// memory controller (version 1); removed when this ends, so let its processes end before. It is
/// locked meanwhile; those of processes that were killed are not, and are removed by the next one.
///
/// Linux frees a cgroup's page cache by counters that it refreshes every two seconds, or when
/// somebody asks for them: so this asks, sixteen times while the fastest drives would fill it. Else
/// epochs that take less keep up to twice as much of a set as those of minutes, for which they
/// stand, by where in these two seconds they begin. Source: FLUSH_TIME and
/// mem_cgroup_flush_stats_ratelimited of mm/memcontrol.c, Linux 6.18.
class MemoryCgroup {
 public:
  /// \param cache  what the page cache may hold in it, for which `limit` is to leave room
  /// \throws InputError  where the kernel or its rights permit none; says why
  explicit MemoryCgroup(Bytes cache);
  ~MemoryCgroup();
  MemoryCgroup(const MemoryCgroup&) = delete;
  MemoryCgroup& operator=(const MemoryCgroup&) = delete;

  int version() const { return version_; }
  /// What its processes and the page cache they filled hold now.
  Bytes usage() const;
  /// Page cache included; less than the present usage makes the kernel free the rest.
  void limit(Bytes most) const;
  /// The calling process, and what it starts from now on, count here.
  void enter() const;

 private:
  std::filesystem::path folder_;
  std::optional<FileLock> lock_;
  int version_ = 2;
  std::optional<Child> keeps_fresh_;
};

}  // namespace gpufeed
