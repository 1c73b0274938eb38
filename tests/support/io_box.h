// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"
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
Drive ample_drive();

struct Box {
  int drives = 1;
  Layout layout = Layout::raid0;
  Drive drive = ample_drive();
  Bandwidth memory{kPlenty};
  Bandwidth uplink{kPlenty};

  /// "cpu0" and "cpu1"; drives "ssd0"... behind switch "plx" of cpu0, volume "data".
  System system() const;
};

IoJob job(double block, std::int64_t depth, std::int64_t jobs = 1, double reads = 1);

Scenario io_on(const Box& box, const IoJob& io);

/// Requests per second of reads and writes together.
inline double iops(const Scenario& scenario) { return simulate(scenario).io.back().iops; }
inline double iops(const Box& box, const IoJob& io) { return iops(io_on(box, io)); }
inline double bandwidth(const Box& box, const IoJob& io) {
  return simulate(io_on(box, io)).io.back().bandwidth_Bps;
}

}  // namespace gpufeed::systems
