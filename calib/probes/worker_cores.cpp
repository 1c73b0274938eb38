// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/worker_cores.h"

#include <cstddef>

namespace gpufeed {

WorkerCores::WorkerCores(int workers) {
  CPU_ZERO(&all_);
  if (sched_getaffinity(0, sizeof all_, &all_) != 0 || workers % CPU_COUNT(&all_) != 0) return;
  cores_.reserve(static_cast<std::size_t>(CPU_COUNT(&all_)));
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &all_)) cores_.push_back(cpu);
}

void WorkerCores::keep_to(int number) const {
  if (cores_.empty()) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cores_[static_cast<std::size_t>(number) % cores_.size()]), &one);
  sched_setaffinity(0, sizeof one, &one);
}

void WorkerCores::leave() const {
  if (!cores_.empty()) sched_setaffinity(0, sizeof all_, &all_);
}

}  // namespace gpufeed
