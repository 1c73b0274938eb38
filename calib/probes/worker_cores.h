// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <optional>
#include <vector>

namespace gpufeed {

/// The cores of workers that leave none free and share them evenly; none where they do not.
///
/// Each worker keeps to its core: Linux pulls none to a core that rests for less than half a
/// millisecond (sched_migration_cost_ns), so that two would share one by chance. Who takes a batch
/// of a worker that waits for it keeps to that worker's core meanwhile: elsewhere it would share a
/// core with another one while this rests, for the same reason (two workers that read 256 KiB,
/// virtio, Linux 6.18: 1.4 times as long by the clock as of a core).
///
/// What is compared with workers keeps to cores as they do: a reader that is free moves to the core
/// which a drive's interrupts come to, and waits 10 % less for 4 KiB (virtio, Linux 6.18).
class WorkerCores {
 public:
  /// Of those that the calling process may run on.
  explicit WorkerCores(int workers);

  /// The calling process runs on the core of a worker. \param number  of the worker, from 0
  void keep_to(int number) const;
  /// The calling process runs on all again.
  void leave() const;

 private:
  std::vector<int>
      cores_;  ///< by number, then again from the first; none where workers keep to none
  cpu_set_t all_{};
};

}  // namespace gpufeed
