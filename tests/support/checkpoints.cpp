// SPDX-License-Identifier: Apache-2.0
#include "tests/support/checkpoints.h"

namespace gpufeed::systems {

RandomMachine checkpointed_machine() {
  RandomMachine m = four_ample_gpus();
  m.rate[kGpuLink] = kGpuBus;
  m.steps = 2000;
  return m;
}

Checkpoint checkpoint_every(std::int64_t steps) {
  Checkpoint checkpoint;
  checkpoint.interval_steps = steps;
  checkpoint.size = Bytes{kSize};
  checkpoint.sync = true;
  return checkpoint;
}

Scenario saved_every(std::int64_t steps, const RandomMachine& m) {
  Scenario scenario = scenario_of(m);
  scenario.checkpoint = checkpoint_every(steps);
  return scenario;
}

void set_drives(Scenario& scenario, double read, double write) {
  edit_drives(scenario, [&](Drive& drive) {
    drive.read_bandwidth = {read};
    drive.write_bandwidth = {write};
  });
}

void set_array_write(Scenario& scenario, double rate) {
  edit(scenario.store["nas"].model, [&](Array& array) { array.write_bandwidth = Bandwidth{rate}; });
}

void draw_writing(Scenario& scenario, Checkpoint& checkpoint, Random& random) {
  if (random.integer(0, 1) == 0) checkpoint.writers = CheckpointWriters::all;
  if (random.integer(0, 2) == 0) checkpoint.at = part(scenario, "nas");
  set_array_write(scenario, log_uniform(random, 2e8, 1e10));
}

Scenario starving(double read, double write) {
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
