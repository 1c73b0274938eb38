// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>

namespace gpufeed {

/// What one process took, and those that it started and waited for.
struct ProcessCounts {
  double ticks = 0;              ///< time of cores, in the kernel's clock ticks
  std::optional<double> read_B;  ///< from drives; none where another user's is not told
};

/// The processes of a machine, as they are whenever asked.
class Processes {
 public:
  Processes() = default;
  virtual ~Processes() = default;
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  /// The parent of each one that is there.
  virtual std::map<pid_t, pid_t> parents() const = 0;
  /// Nothing where there is no such process (any more).
  virtual std::optional<ProcessCounts> counts(pid_t pid) const = 0;
};

/// Of a process and all that descend from it, each of which is counted once, though a parent that
/// waits for a child takes over its counts: children are asked before their parents, and all again
/// where one of them has gone meanwhile. Of 20 times that this happened in a row, the last one
/// stands. \return nothing where there is no such process
std::optional<ProcessCounts> counts_of_job(pid_t root, const Processes& processes);

}  // namespace gpufeed
