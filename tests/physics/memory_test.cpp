// SPDX-License-Identifier: Apache-2.0
// What passes memories, and what the page cache keeps there.
#include <doctest/doctest.h>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/exact_times.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

TEST_CASE("what GPUDirect reads is asked for whole, by no readahead of the kernel's") {
  const std::string example =
      GPUFEED_SOURCE_DIR "/examples/05_gpudirect_or_bounce/scenario_gpudirect.toml";
  const auto rate = [&](const std::string& mode) {
    const Scenario scenario =
        load_scenario(example, own_catalog(),
                      {parse_override("data.request="), parse_override("data.mode=" + mode)});
    return simulate(scenario).throughput_samples_per_s;
  };
  CHECK(rate("") == rate("direct"));
  // One reader: the file is opened by a request of its own, then the sample is asked for, and comes
  // as fast as one thread reads.
  const Scenario scenario = load_scenario(example, own_catalog());
  const double latency = scenario.system->drives.front().model->read_latency.value;
  const double thread = scenario.system->sockets.front().model->thread_gpudirect_bandwidth->value;
  const double sample_s = 2 * latency + scenario.workload.dataset()->sample_size.value / thread;
  CHECK(rate("") == doctest::Approx(1 / sample_s).epsilon(0.01));
}

TEST_CASE("what the page cache holds is not read again") {
  RandomMachine m = ample_machine();
  m.rate[kDrive] = 5e7;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<RunsEpochs>().epochs = 5;
  const double data = 400.0 * 32 * 1e5;
  scenario.loader.cache = CacheRule::pinned;
  const double held = data * 25 * 4096 / 1e5;  // a file takes whole pages
  scenario.loader.cache_memory = Bytes{held / 4};
  const Result quarter = simulate(scenario);
  CHECK(quarter.cache.hit_rate == approx(0.25).epsilon(0.01));
  CHECK(steady_of(quarter) == approx(5e7 / 1e5 / (1 - quarter.cache.hit_rate)).epsilon(0.01));
  CHECK(quarter.cache.read_later_epoch_B == approx(data * (1 - quarter.cache.hit_rate)));
  scenario.loader.cache_memory = Bytes{2 * data};
  const Result all = simulate(scenario);
  CHECK(steady_of(all) == approx(1e3).epsilon(0.01));
  CHECK(all.first_epoch_s == approx(data / 5e7).epsilon(0.02));
  CHECK(all.time_to_result_s == approx(data / 5e7 + 4 * 400 * 32 / 1e3).epsilon(0.02));
  scenario.data.mode = ReadMode::direct;
  CHECK(simulate(scenario).cache.hit_rate == 0);
}

TEST_CASE(
    "a job that ends within its first epoch reads its own samples, at the pace it is said to") {
  RandomMachine m = ample_machine();
  m.rate[kDrive] = 5e7;
  Scenario scenario = scenario_of(m);
  auto& length = scenario.workload.get<RunsEpochs>();
  length.epochs.reset();
  length.samples = 100 * 32;  // of 400 steps
  const Result result = simulate(scenario);
  CHECK(result.cache.read_first_epoch_B == approx(100.0 * 32 * 1e5));
  CHECK(result.cache.read_later_epoch_B == approx(100.0 * 32 * 1e5));
  CHECK(result.cache.read_first_epoch_B / result.first_epoch_s == approx(5e7).epsilon(0.05));
}

TEST_CASE("a memory carries every pass: DMA, software copies, decoding, the copy to the GPU") {
  RandomMachine m = ample_machine();
  m.rate[kMemory] = 2e8;
  m.rate[kCompute] = 1e6;
  m.input_size = 5e4;
  Scenario scenario = scenario_of(m);
  const auto memory = [](double passes_stored, double passes_decoded) {
    return approx(2e8 / (passes_stored * 1e5 + passes_decoded * 5e4)).epsilon(0.01);
  };
  CHECK(rate_of(scenario) == memory(1 + 3, 1 + 2));
  scenario.data.mode = ReadMode::direct;
  CHECK(rate_of(scenario) == memory(1, 1 + 2));
  scenario.loader.decode = DecodeOn::none;
  CHECK(rate_of(scenario) == memory(1, 1));
  scenario.loader.pinned_memory = false;
  CHECK(rate_of(scenario) == memory(1, 1 + 2));
}

TEST_CASE("GPUDirect spares the memory, but each thread has its rate") {
  RandomMachine m = ample_machine();
  m.rate[kMemory] = 2e7;
  m.workers = 2;
  Scenario scenario = scenario_of(m);
  scenario.loader.decode = DecodeOn::none;
  scenario.data.path = ReadPath::gpudirect;
  CHECK(rate_of(scenario) == approx(1e3).epsilon(0.01));
  edit_cpus(scenario, [](Cpu& cpu) { cpu.thread_gpudirect_bandwidth = Bandwidth{1e7}; });
  CHECK(rate_of(scenario) ==
        approx(2 / (1e5 / 1e7 + kReadLatency + 1e-6)).epsilon(0.02));  // and the GPU's link
}

TEST_CASE("a thread reads into memory no faster than it can") {
  RandomMachine m = ample_machine();
  m.workers = 2;
  Scenario scenario = scenario_of(m);
  edit_cpus(scenario, [](Cpu& cpu) { cpu.thread_read_bandwidth = Bandwidth{1e7}; });
  CHECK(rate_of(scenario) == approx(2 / (1e5 / 1e7 + kReadLatency + kDecodeTime)).epsilon(0.02));
}

TEST_CASE("devices read and write the memory of another socket at what its CPU allows") {
  RandomMachine m = ample_machine();
  m.sockets = 2;
  m.input_size = 1e5;
  Scenario scenario = scenario_of(m);  // the drive and the GPU hang on cpu0
  scenario.loader.placement = part(scenario, "cpu1");
  CHECK(rate_of(scenario) == approx(1e3).epsilon(0.01));
  edit_cpus(scenario, [](Cpu& cpu) { cpu.remote_dma_write = Bandwidth{4e7}; });
  CHECK(rate_of(scenario) == approx(4e7 / 1e5).epsilon(0.01));
  edit_cpus(scenario, [](Cpu& cpu) { cpu.remote_dma_read = Bandwidth{3e7}; });
  CHECK(rate_of(scenario) == approx(3e7 / 1e5).epsilon(0.01));
  scenario.loader.placement = {Label(Loader::kLocal), {}};
  CHECK(rate_of(scenario) == approx(1e3).epsilon(0.01));
}

TEST_CASE("small files take whole pages of the page cache, and records do not") {
  RandomMachine m = ample_machine();
  m.sample_size = 1000;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<RunsEpochs>().epochs = 3;
  scenario.loader.cache = CacheRule::pinned;
  scenario.loader.cache_memory = Bytes{400.0 * 32 * 1024};
  CHECK(simulate(scenario).cache.hit_rate == approx(1024.0 / 4096).epsilon(0.01));
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples_per_file = 100; });
  scenario.loader.order = SampleOrder::sequential;
  CHECK(simulate(scenario).cache.hit_rate == approx(1).epsilon(0.01));
}

TEST_CASE("gradients take the time in which a memory carries them, whatever they wait for before") {
  RandomMachine m = ample_machine();
  m.gpus = 4;
  m.exchange = true;
  m.batch = 1;
  m.jitter = 0;
  m.sample_size = m.input_size = 100;  // of batches it carries next to nothing
  m.parameters = 10'000;
  const auto step = [&](double memory) {
    m.rate[kMemory] = memory;
    Scenario scenario = scenario_of(m);
    edit(scenario.system, [](System& system) { system.peer_to_peer = false; });
    return steady_step_of(simulate(scenario));
  };
  // A ring: every GPU sends 2 (N-1)/N of its gradients, written to the memory and read from there,
  // in 2 (N-1) rounds that each wait for links of 1 us.
  const double bytes = 4 * 2 * 3.0 / 4 * 4e4;
  CHECK(step(2e9) - step(1e13) == approx(2 * bytes / 2e9).epsilon(0.01));
}

TEST_CASE("a read takes the time in which a memory takes it in, however idle that is") {
  RandomMachine m = exact();
  m.rate[kMemory] = 2e8;
  m.rate[kDecode] = 1e3;  // one sample a millisecond, which the memory needs half of
  m.input_size = 10;
  Scenario scenario = scenario_of(m);
  scenario.data.mode = ReadMode::direct;
  const double build = kReadLatency + 1e5 / 2e8 + 1e-3;
  CHECK(rate_of(scenario) == approx(1 / build).epsilon(0.001));
}
