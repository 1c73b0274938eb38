// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calib/observe/observation.h"

namespace gpufeed {

/// What a monitor, an exporter or a profiler wrote: of a file, or one pasted.
struct MonitorText {
  std::string name;  ///< of the file, for messages
  std::string text;
};

/// No monitor's output is larger; traces of many steps are.
inline constexpr std::size_t kLargestMonitor = 256u << 20;

/// What all texts tell of one job, of all its nodes and ranks.
struct MonitoredJob {
  std::optional<SeenRate> gpu_use;        ///< 0 to 1, mean of all GPUs
  std::optional<SeenRate> read_Bps;       ///< of all nodes
  std::optional<SeenRate> reads_per_s;    ///< of all nodes
  std::optional<SeenRate> received_Bps;   ///< mean of the nodes
  std::optional<SeenRate> cores;          ///< mean of the nodes
  std::optional<SeenRate> steps_per_s;    ///< mean of the ranks
  std::optional<SeenRate> samples_per_s;  ///< of all GPUs, where it is told
  std::optional<double> time_s;           ///< that was looked at, the longest; none: not told
  std::vector<std::string> sources;       ///< "nvidia-smi dmon, 8 GPUs"
  std::vector<std::string> notes;         ///< what is known beside: stalls, copies, collectives
  std::vector<std::string> left_out;      ///< what was read and is not taken, by name
};

/// Reads any of: nvidia-smi dmon, nvidia-smi --query-gpu (CSV), dcgmi dmon; the Prometheus text or
/// range query (JSON) of DCGM's and the node's exporters; iostat -x (text or JSON), sadf -j,
/// nfsiostat, Lustre's stats; traces of PyTorch's profiler (Kineto); CSV of steps (TensorBoard);
/// what gpufeed observe wrote on each node. Counters become rates between two looks at them, in one
/// text or several. \throws InputError  where a text is none of these, or damaged, or all tell
/// nothing
MonitoredJob read_monitors(const std::vector<MonitorText>& texts);

/// As a file of `simulate --observed`; rates of steps become samples where it is said how many one
/// has. \param samples_per_step  of all GPUs together
std::string monitored_toml(const MonitoredJob& job, std::optional<double> samples_per_step);

}  // namespace gpufeed
