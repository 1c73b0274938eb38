// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/keep_to_core.h"

#include <sched.h>

#include <cstddef>

namespace gpufeed {

void keep_to_core(int number, int workers) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || workers % CPU_COUNT(&allowed) != 0)
    return;
  int before = number % CPU_COUNT(&allowed);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || before-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

}  // namespace gpufeed
