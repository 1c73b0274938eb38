// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/simulate.h"
#include "tests/support/kinds.h"
#include "tests/support/systems.h"

/// Drives that a job like one of fio reads and writes.
namespace gpufeed::systems {

inline constexpr double kPlenty = 1e13;  ///< a roof so high that it lowers no other
inline constexpr double kLatency = 100e-6;
inline constexpr double kWriteLatency = 20e-6;
inline constexpr double kOneRequest = 1e9;  ///< rate at which the bytes of one request move
inline constexpr double kBlock = 4096;
inline constexpr double kUnit = 524288;  ///< stripe unit

/// A drive without other limits than its latency; each test lowers one.
inline Drive ample_drive() {
  auto drive = plugged<Drive>("drive", link(Bandwidth{kPlenty}), 1);
  drive.capacity = 2_TB;
  drive.read_bandwidth = drive.write_bandwidth = Bandwidth{kPlenty};
  drive.read_rate = Rate{1e12};
  drive.read_latency = Seconds{kLatency};
  drive.write_latency = Seconds{kWriteLatency};
  drive.request_bandwidth = Bandwidth{kOneRequest};
  drive.largest_request = 1_GB;
  return drive;
}

struct Box {
  int drives = 1;
  Layout layout = Layout::raid0;
  Drive drive = ample_drive();
  Bandwidth memory{kPlenty};
  Bandwidth uplink{kPlenty};

  /// "cpu0" and "cpu1"; drives "ssd0"... behind switch "plx" of cpu0, volume "data".
  System system() const {
    auto system = named<System>("box");
    add_socket(system, "cpu0", cpu(memory));
    add_socket(system, "cpu1", cpu(memory));
    system.socket_links = {connection("cpu0", "cpu1", link(16_GBps))};
    add_device(system.switches, "plx", "cpu0", ref(plugged<Switch>("plx", link(uplink), 1)));
    const auto model = ref(Drive(drive));
    Volume volume;
    volume.id = "data";
    volume.layout = layout;
    for (int i = 0; i < drives; ++i) {
      add_device(system.drives, fmt::format("ssd{}", i), "plx", model);
      volume.drives.push_back({fmt::format("ssd{}", i), {}});
    }
    system.volumes.push_back(std::move(volume));
    return system;
  }
};

inline IoJob job(double block, std::int64_t depth, std::int64_t jobs = 1, double reads = 1) {
  IoJob io;
  io.block_size = {block};
  io.queue_depth = depth;
  io.jobs = jobs;
  io.read_share = {reads};
  return io;
}

inline Scenario io_on(const Box& box, const IoJob& io) {
  Scenario scenario = scenario_on(box.system());
  become<kind::Io>(scenario.workload).io = io;
  scenario.data.at.id = "data";
  return scenario;
}

/// Requests per second of reads and writes together.
inline double iops(const Scenario& scenario) { return simulate(scenario).io.back().iops; }
inline double iops(const Box& box, const IoJob& io) { return iops(io_on(box, io)); }
inline double bandwidth(const Box& box, const IoJob& io) {
  return simulate(io_on(box, io)).io.back().bandwidth_Bps;
}

}  // namespace gpufeed::systems
