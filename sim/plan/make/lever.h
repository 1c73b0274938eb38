// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/plan/limits/stages.h"

namespace gpufeed {

/// What a plan may have more or less of, or what may be faster or slower than said.
enum class Lever {
  storage,
  storage_latency,
  network,
  pcie,
  socket_link,
  memory,
  nvlink,
  staged_copies,
  exchange_latency,
  cores,
  core_speed,
  workers,
  process,
  gpu_decode,
  compute
};
template <>
struct EnumNames<Lever> {
  static constexpr auto names = words_of<Lever>({{Lever::storage, "storage"},
                                                 {Lever::storage_latency, "storage latency"},
                                                 {Lever::network, "network"},
                                                 {Lever::pcie, "PCIe"},
                                                 {Lever::socket_link, "socket links"},
                                                 {Lever::memory, "memory"},
                                                 {Lever::nvlink, "NVLink"},
                                                 {Lever::staged_copies, "staged copies"},
                                                 {Lever::exchange_latency, "exchange latency"},
                                                 {Lever::cores, "cores"},
                                                 {Lever::core_speed, "core speed"},
                                                 {Lever::workers, "loader workers"},
                                                 {Lever::process, "loader process"},
                                                 {Lever::gpu_decode, "GPU decode"},
                                                 {Lever::compute, "GPU compute"}});
};

/// `factor` times as much of it: as many bytes a second, cores or workers, or as fast.
struct Shift {
  Lever lever;
  double factor = 1;
};

/// Those that do something in a job: of resources that carry anything.
std::vector<Lever> levers_of(const Plan& plan);

/// Of the resources that a lever stands for, the one with the greatest load; nothing where it
/// stands for none.
std::optional<ResourceIndex> busiest_of(Lever lever, const Plan& plan);

/// Moves one lever of a plan and leaves all else as it is: routes, algorithms and sizes stay those
/// that were chosen before.
/// - storage, network, pcie, socket_link, memory, nvlink, process: the capacity of every resource
///   of that kind, but for staged copies; storage: reads and writes.
/// - staged_copies: what copies between GPUs through host memory attain of a link.
/// - exchange_latency: the waits of every exchange of gradients, divided.
/// - storage_latency: the waits of a sample that the page cache does not hold, divided.
/// - cores: how many; core_speed: what each does, so that one worker is faster, too, and starts
///   sooner.
/// - workers: how many batches (TensorFlow: threads of a batch) are made at the same time, in whole
///   ones: rounded up where there are to be more, else down, and never none.
/// - gpu_decode, compute: the time that it takes; compute: the host's part of a step, too.
/// What one transfer alone attains at most is moved with what it is a part of: reads and writes of
/// checkpoints with storage, copies by a core with its speed, others with their narrowest link.
/// \return the factor that it comes to: another one than wanted only of whole workers
double apply(const Shift& shift, Plan& plan);

}  // namespace gpufeed
