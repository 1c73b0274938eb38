// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/edits.h"
#include "tests/support/random_machine.h"

/// Machines that save checkpoints, to be computed by hand.
namespace gpufeed::systems {

inline constexpr double kLink = 1e-6;    ///< latency of each link of the machines here
inline constexpr double kWrite = 1e9;    ///< of each drive
inline constexpr double kGpuBus = 1e11;  ///< of each GPU
inline constexpr double kSize = 4e9;

/// Four GPUs that never wait, two drives.
inline RandomMachine checkpointed_machine() {
  RandomMachine m = four_ample_gpus();
  m.rate[kGpuLink] = kGpuBus;
  m.steps = 2000;
  return m;
}

inline Checkpoint checkpoint_every(std::int64_t steps) {
  Checkpoint checkpoint;
  checkpoint.interval_steps = steps;
  checkpoint.size = Bytes{kSize};
  checkpoint.sync = true;
  return checkpoint;
}

inline Scenario saved_every(std::int64_t steps, const RandomMachine& m = checkpointed_machine()) {
  Scenario scenario = scenario_of(m);
  scenario.checkpoint = checkpoint_every(steps);
  return scenario;
}

/// Drives that all read and write so fast.
inline void set_drives(Scenario& scenario, double read, double write) {
  edit_drives(scenario, [&](Drive& drive) {
    drive.read_bandwidth = {read};
    drive.write_bandwidth = {write};
  });
}

inline void set_array_write(Scenario& scenario, double rate) {
  edit(scenario.store["nas"].model, [&](Array& array) { array.write_bandwidth = Bandwidth{rate}; });
}

/// Who writes, and where to.
inline void draw_writing(Scenario& scenario, Checkpoint& checkpoint, Random& random) {
  if (random.integer(0, 1) == 0) checkpoint.writers = CheckpointWriters::all;
  if (random.integer(0, 2) == 0) checkpoint.at.id = "nas";
  set_array_write(scenario, log_uniform(random, 2e8, 1e10));
}

/// One GPU that waits for one drive, which four workers keep reading.
inline Scenario starving(double read, double write) {
  RandomMachine m = checkpointed_machine();
  m.gpus = 1;
  m.drives = 1;
  m.rate[kCompute] = 1e6;
  m.rate[kDecode] = 1e7;
  m.sample_size = 1e7;
  Scenario scenario = scenario_of(m);
  set_drives(scenario, read, write);
  scenario.data.mode = ReadMode::direct;
  return scenario;
}

}  // namespace gpufeed::systems
