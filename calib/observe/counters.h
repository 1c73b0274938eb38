// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace gpufeed {

/// What the kernel has counted up to a moment; differences of two say what went on between them.
struct Counters {
  double time_s = 0;              ///< of a clock that only goes forward
  double core_s = 0;              ///< time of cores, of a process and all that it started
  std::optional<double> own_B;    ///< from drives, by these; none where the kernel does not tell
  double read_B = 0;              ///< from all drives of the machine
  double reads = 0;               ///< requests of these
  double received_B = 0;          ///< by all network cards
  std::optional<double> gpu_use;  ///< 0 to 1, mean of all GPUs just now; none where NVML is not
};

/// \return nothing where there is no such process (any more)
std::optional<Counters> read_counters(pid_t process);

/// "python3 train.py"; empty where there is no such process.
std::string command_of(pid_t process);

}  // namespace gpufeed
