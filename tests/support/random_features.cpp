// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_features.h"

namespace gpufeed::systems {

void draw_storage(Scenario& scenario, System& system, Dataset& dataset, Random& random) {
  auto& data = scenario.data;
  data.mode = random.integer(0, 2) == 0 ? ReadMode::direct : ReadMode::buffered;
  if (random.integer(0, 1) == 0) data.request = Bytes{log_uniform(random, 1e4, 1e6)};
  data.readahead = {log_uniform(random, 16e3, 8e6)};
  dataset.samples_per_file = random.integer(0, 1) == 0 ? 1 : random.integer(2, 2000);
  auto& volume = system.volumes.front();
  volume.stripe_unit = {log_uniform(random, 16e3, 2e6)};
  const auto drives = static_cast<std::int64_t>(volume.drives.size());
  std::vector<Layout> layouts{Layout::raid0, Layout::files};
  if (drives >= 2) layouts.push_back(Layout::raid1);
  if (drives >= 3) layouts.push_back(Layout::raid5);
  if (drives == 4) layouts.insert(layouts.end(), {Layout::raid6, Layout::raid10});
  volume.layout = layouts[static_cast<std::size_t>(
      random.integer(0, static_cast<std::int64_t>(layouts.size()) - 1))];
  for (auto& part : system.drives) {
    Drive drive = *part.model;
    drive.file_efficiency = {0.855};
    if (random.integer(0, 3) == 0) {
      drive.medium = Medium::disk;
      drive.read_rate = {500};
      drive.read_latency = 4_ms;
    }
    for (auto& other : system.drives) other.model = ref(drive);
    break;
  }
}

void draw_store(Store& store, Random& random) {
  Array array = *store.model;
  array.blades = 4;
  array.metadata_rate = Rate{log_uniform(random, 1e3, 1e6)};
  array.stripe_bandwidth = Bandwidth{log_uniform(random, 1e8, 1e9)};
  array.front_end_bandwidth = Bandwidth{log_uniform(random, 1e9, 2e10)};
  store.model = ref(std::move(array));
  store.blades = random.integer(1, 8);
  store.other_load = {random.uniform(0, 0.5)};
  if (random.integer(0, 1) == 0) store.stripes = random.integer(1, 4);
  if (random.integer(0, 1) == 0) {
    auto protocol = named<Protocol>("protocol");
    protocol.connection_bandwidth = Bandwidth{log_uniform(random, 1e8, 2e9)};
    protocol.core_bandwidth = Bandwidth{log_uniform(random, 3e8, 4e9)};
    protocol.request_core_time = {log_uniform(random, 1e-6, 1e-4)};
    protocol.request_latency = {log_uniform(random, 1e-5, 1e-3)};
    protocol.largest_request = Bytes{log_uniform(random, 64e3, 4e6)};
    protocol.share_deviation = {random.uniform(0, 0.4)};
    store.protocol = ref(std::move(protocol));
    store.connections = random.integer(1, 16);
  }
}

void draw_links(System& system, Random& random) {
  Cpu cpu = *system.sockets.front().model;
  cpu.threads_per_core = random.integer(1, 2);
  cpu.smt_speedup = Ratio{random.uniform(1, 1.4)};
  cpu.core_copy_bandwidth = Bandwidth{log_uniform(random, 3e9, 2e10)};
  if (random.integer(0, 1) == 0)
    cpu.thread_read_bandwidth = Bandwidth{log_uniform(random, 3e8, 2e10)};
  if (random.integer(0, 1) == 0)
    cpu.thread_gpudirect_bandwidth = Bandwidth{log_uniform(random, 3e8, 2e10)};
  if (random.integer(0, 1) == 0) {
    cpu.remote_dma_read = Bandwidth{log_uniform(random, 2e9, 4e10)};
    cpu.remote_dma_write = Bandwidth{log_uniform(random, 2e9, 4e10)};
  }
  for (auto& socket : system.sockets) socket.model = ref(cpu);
  Gpu gpu = *system.gpus.front().model;
  Link link = *gpu.link;
  if (random.integer(0, 1) == 0) link.duplex = Ratio{random.uniform(1.2, 2)};
  gpu.link = ref(link);
  for (auto& part : system.gpus) part.model = ref(gpu);
  if (system.gpus.size() > 1 && random.integer(0, 3) == 0) {
    system.nvlinks.clear();
    NvSwitch part;
    part.id = Label("nvswitch0");
    for (const auto& of : system.gpus) part.gpus.push_back({of.id, {}});
    part.link = systems::link(Bandwidth{log_uniform(random, 1e10, 5e10)}, 1_us);
    part.count = random.integer(1, 6);
    system.nvswitches = {part};
  }
}

void draw_loader(Scenario& scenario, Dataset& dataset, Random& random) {
  auto& loader = scenario.loader;
  loader.style = random.integer(0, 2) == 0 ? LoaderStyle::tensorflow : LoaderStyle::pytorch;
  loader.cores = random.integer(0, 1) == 0 ? CorePool::machine : CorePool::socket;
  loader.pinned_memory = random.integer(0, 3) > 0;
  loader.batch_overhead = {random.integer(0, 1) == 0 ? 0 : log_uniform(random, 1e-5, 1e-3)};
  if (scenario.system->sockets.size() == 2 && random.integer(0, 2) == 0)
    loader.placement = part(scenario, "cpu1");
  const auto place = random.integer(0, 3);
  if (place == 0 && scenario.workload.is<kind::Training>())
    scenario.data.path = ReadPath::gpudirect;
  if (place <= 1) loader.decode = DecodeOn::none;
  if (random.integer(0, 1) == 0) {
    auto decoder = named<Decoder>("decoder");
    decoder.decodes_while_reading = random.integer(0, 1) == 0;
    DecodeCost cost;
    cost.per_sample = {log_uniform(random, 1e-6, 1e-3)};
    cost.byte_rate = Bandwidth{log_uniform(random, 1e8, 1e10)};
    decoder.cost = {cost};
    DecodeCost on_gpu = cost;
    on_gpu.gpu = scenario.system->gpus.front().model;
    decoder.cost.push_back(on_gpu);
    dataset.decode_time = {};
    dataset.decoder = ref(std::move(decoder));
    if (place == 2 && scenario.workload.is<kind::Training>()) loader.decode = DecodeOn::gpu;
  }
  // Drawn apart, so that the rest of the machine stays as it is.
  Random more(static_cast<std::uint64_t>(dataset.samples));
  if (loader.style == LoaderStyle::pytorch && more.integer(0, 2) == 0)
    loader.take_over_time = {log_uniform(more, 1e-5, 1e-2)};
  if (more.integer(0, 3) == 0) loader.copy = BatchCopy::in_order;
}

Scenario cluster_of(RandomMachine m, std::uint64_t seed) {
  Random random(seed + 2'000'000);
  m.exchange = true;
  m.nics = std::max<std::int64_t>(m.nics, 1);
  m.gpus = std::min<std::int64_t>(m.gpus, 4);
  Scenario scenario = scenario_of(m);
  scenario.nodes = random.integer(2, 5);
  Dataset dataset = *scenario.workload.dataset();
  dataset.samples *= scenario.nodes;
  scenario.workload.dataset() = ref(std::move(dataset));
  scenario.exchange.algorithm = static_cast<Algorithm>(random.integer(0, 5));
  scenario.exchange.path = random.integer(0, 1) == 0 ? ReadPath::host : ReadPath::gpudirect;
  scenario.workload.get<kind::Training>().step_jitter = {random.uniform(0, 0.1)};
  if (random.integer(0, 1) == 0) {
    Fabric fabric;
    fabric.nodes_per_switch = random.integer(1, 3);
    fabric.rails = random.integer(0, 1) == 0;
    fabric.uplink_bandwidth = Bandwidth{log_uniform(random, 1e9, 1e11)};
    scenario.fabric = fabric;
  }
  return scenario;
}

Scenario featured_scenario(const RandomMachine& m, std::uint64_t seed) {
  Scenario scenario = scenario_of(m);
  Random random(seed + 1'000'000);
  System system = *scenario.system;
  Dataset dataset = *scenario.workload.dataset();
  const auto kind = random.integer(0, 3);
  if (kind == 1) become<kind::Loader>(scenario.workload);
  if (kind == 2) become<kind::Emulated>(scenario.workload);
  draw_storage(scenario, system, dataset, random);
  draw_store(scenario.store["nas"], random);
  draw_links(system, random);
  scenario.system = ref(joined(std::move(system)));
  auto model = *scenario.workload.model();
  for (auto& row : model.compute) row.gpu = scenario.system->gpus.front().model;
  scenario.workload.model() = ref(std::move(model));
  draw_loader(scenario, dataset, random);
  if (kind == 2) {
    auto job = named<Job>("job");
    job.compute_time = {static_cast<double>(m.batch) / m.rate[kCompute]};
    job.step_overhead = {log_uniform(random, 1e-6, 1e-3)};
    scenario.workload.get<kind::Emulated>().job = ref(std::move(job));
    scenario.workload.get<FeedsGpus>().gpus = m.gpus;
  }
  if (kind == 3 && m.gpus % 2 == 0) scenario.loader.jobs = 2;
  scenario.workload.dataset() = ref(std::move(dataset));
  return scenario;
}

}  // namespace gpufeed::systems
