// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_machine.h"

#include <fmt/format.h>

namespace gpufeed::systems {

RandomMachine random_machine(std::uint64_t seed) {
  Random random(seed);
  RandomMachine m;
  m.rate = {log_uniform(random, 2e8, 8e9),   log_uniform(random, 3e8, 8e9),
            log_uniform(random, 1e9, 4e10),  log_uniform(random, 5e8, 2e10),
            log_uniform(random, 2e9, 2e10),  log_uniform(random, 4e9, 2e10),
            log_uniform(random, 4e9, 2e10),  log_uniform(random, 4e9, 4e10),
            log_uniform(random, 2e10, 2e11), log_uniform(random, 1e10, 5e10),
            log_uniform(random, 100, 2000),  log_uniform(random, 50, 3000)};
  m.sockets = random.integer(1, 2);
  m.switches = random.integer(0, 4);
  m.gpus = random.integer(1, 8);
  m.drives = random.integer(1, 4);
  m.nics = random.integer(1, 2);
  m.nvlink = random.integer(0, 1) == 1;
  m.store = random.integer(0, 2) == 0;
  m.exchange = random.integer(0, 3) > 0;
  m.batch = random.integer(4, 128);
  m.workers = random.integer(1, 6);
  m.prefetch = random.integer(1, 3);
  m.parameters = static_cast<std::int64_t>(log_uniform(random, 1e5, 1e8));
  m.cores = random.integer(2, 40);
  m.sample_size = log_uniform(random, 5e3, 5e6);
  m.input_size = log_uniform(random, 5e3, 5e6);
  m.deviation = random.integer(0, 1) == 0 ? 0 : 0.5 * m.sample_size;
  m.jitter = random.uniform(0.02, 0.1);
  m.overlap = random.integer(0, 2) == 0 ? random.uniform(0, 0.6) : 0;
  return m;
}

RandomMachine ample_machine() {
  RandomMachine m;
  m.rate = {1e10, 1e10, 1e11, 1e11, 1e11, 1e11, 1e11, 1e11, 1e13, 1e11, 1e6, 1e3};
  m.exchange = false;
  m.batch = 32;
  m.workers = 4;
  m.prefetch = 2;
  m.steps = 400;
  m.cores = 64;
  m.sample_size = 1e5;
  m.input_size = 1e4;
  m.jitter = 0.02;
  return m;
}

RandomMachine four_ample_gpus() {
  RandomMachine m = ample_machine();
  m.rate[kMemory] = 1e12;
  m.rate[kDecode] = 1e5;
  m.gpus = 4;
  m.drives = 2;
  return m;
}

System system_of(const RandomMachine& m) {
  auto system = named<System>("random");
  const auto per_lane = [&](RateOf r) {
    return link(Bandwidth{m.rate[static_cast<std::size_t>(r)]}, 1_us);
  };
  const auto home = [&](std::int64_t i, std::int64_t count) {
    return fmt::format("cpu{}", i * m.sockets / count);
  };
  for (std::int64_t i = 0; i < m.sockets; ++i) {
    auto model = *cpu(Bandwidth{m.rate[kMemory]});
    model.cores = m.cores;
    add_socket(system, fmt::format("cpu{}", i), ref(std::move(model)));
  }
  if (m.sockets == 2) system.socket_links = {connection("cpu0", "cpu1", per_lane(kSocketLink))};
  const auto plx = ref(plugged<Switch>("plx", per_lane(kUplink), 1));
  for (std::int64_t i = 0; i < m.switches; ++i)
    add_device(system.switches, fmt::format("plx{}", i), home(i, m.switches), plx);
  const auto gpu = ref(plugged<Gpu>("gpu", per_lane(kGpuLink), 1));
  for (std::int64_t i = 0; i < m.gpus; ++i)
    add_device(system.gpus, fmt::format("gpu{}", i),
               m.switches == 0 ? home(i, m.gpus) : fmt::format("plx{}", i * m.switches / m.gpus),
               gpu);
  if (m.nvlink)
    for (int a = 0; a < m.gpus; ++a)
      for (int b = a + 1; b < m.gpus; ++b) add_bricks(system, a, b, per_lane(kBrick));
  const auto ssd = drive(per_lane(kDriveLink), 1, Bandwidth{m.rate[kDrive]}, 1_GBps);
  for (std::int64_t i = 0; i < m.drives; ++i)
    add_device(system.drives, fmt::format("ssd{}", i), "cpu0", ssd);
  const auto card = nic(per_lane(kNicLink), 1, Bandwidth{m.rate[kNicPort]});
  for (std::int64_t i = 0; i < m.nics; ++i)
    add_device(system.nics, fmt::format("nic{}", i), home(i, m.nics), card);
  Volume volume;
  volume.id = Label("scratch");
  for (const auto& part : system.drives) volume.drives.push_back({part.id, {}});
  system.volumes = {volume};
  return system;
}

Scenario scenario_of(const RandomMachine& m) {
  Scenario scenario = scenario_on(system_of(m));
  add_store(scenario, "nas", array(Bandwidth{m.rate[kArray]}), {});
  for (const auto& nic : scenario.system->nics)
    scenario.store["nas"].via.push_back(part(scenario, nic.id));
  auto model = named<Model>("model");
  model.parameters = m.parameters;
  model.input_size = {m.input_size};
  ComputeRow row;
  row.gpu = scenario.system->gpus.front().model;
  row.batch = m.batch;
  row.rate = {m.rate[kCompute]};
  if (!m.exchange) row.includes = {Includes::exchange};
  model.compute = {row};
  auto dataset = named<Dataset>("dataset");
  dataset.samples = m.steps * m.batch * m.gpus;
  dataset.sample_size = {m.sample_size};
  dataset.sample_size_deviation = {m.deviation};
  dataset.decode_time = {1 / m.rate[kDecode]};
  scenario.workload.model() = ref(std::move(model));
  scenario.workload.dataset() = ref(std::move(dataset));
  scenario.workload.get<RunsEpochs>().batch_per_gpu = m.batch;
  scenario.data.at = part(scenario, m.store ? "nas" : "scratch");
  scenario.loader.workers_per_gpu = m.workers;
  scenario.loader.prefetch_batches = m.prefetch;
  scenario.loader.jitter = {m.jitter};
  scenario.loader.sample_jitter = Ratio{m.sample_jitter};
  scenario.exchange.overlap = {m.overlap};
  scenario.run.precision = {0.001};
  return scenario;
}

}  // namespace gpufeed::systems
