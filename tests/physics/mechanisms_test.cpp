// SPDX-License-Identifier: Apache-2.0
// Every mechanism between storage and GPU alone, against its formula.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/edits.h"
#include "tests/support/kinds.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// An ample machine with no variation at all and one worker, so that times add up exactly.
RandomMachine exact() {
  RandomMachine m = ample_machine();
  m.workers = 1;
  m.prefetch = 1;
  m.jitter = 0;
  return m;
}

Protocol protocol(std::string name) { return named<Protocol>(std::move(name)); }

double rate_of(const Scenario& scenario) { return simulate(scenario).throughput_samples_per_s; }

constexpr double kLatency = 101e-6;   ///< 100 us of the drive, 1 us of its link
constexpr double kDecodeTime = 1e-6;  ///< of ample_machine(): a million samples/s of a core

/// Time of the first batch until it is on the GPU and computed, in ample machines.
double first_step(const Scenario& scenario) { return simulate(scenario).time_to_first_result_s; }
/// What the drive of ample_machine() attains with requests of so many bytes, many at once.
double drive_rate(double request) {
  return std::pow(std::pow(1e10, -4) + std::pow(1e6 * std::min(request, 131072.0), -4), -0.25);
}

constexpr double kCopyAndCompute = 1e-6 + 32 * 1e4 / 1e11 + 32 / 1e3;

}  // namespace

TEST_CASE("a buffered reader waits once for every window of readahead") {
  Scenario scenario = scenario_of(exact());
  for (const double window : {16384.0, 65536.0, 1e6}) {
    scenario.data.readahead = {window};
    const double waits = std::ceil(1e5 / window);
    CAPTURE(window);
    CHECK(first_step(scenario) ==
          doctest::Approx(
              32 * (waits * kLatency + 1e5 / drive_rate(std::min(window, 1e5)) + kDecodeTime) +
              kCopyAndCompute)
              .epsilon(1e-6));
  }
}

TEST_CASE("a reader with O_DIRECT waits once for every request, a whole sample if it is not told") {
  Scenario scenario = scenario_of(exact());
  scenario.data.mode = ReadMode::direct;
  const auto expected = [](double waits, double request) {
    return doctest::Approx(32 * (waits * kLatency + 1e5 / drive_rate(request) + kDecodeTime) +
                           kCopyAndCompute)
        .epsilon(1e-6);
  };
  CHECK(first_step(scenario) == expected(1, 1e5));
  scenario.data.request = Bytes{4096};
  CHECK(first_step(scenario) == expected(std::ceil(1e5 / 4096), 4096));
}

TEST_CASE("record files are read as one stream: a sample waits for its part of a window") {
  Scenario scenario = scenario_of(exact());
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples_per_file = 1000; });
  const double waits = 1e5 / 131072;
  CHECK(first_step(scenario) ==
        doctest::Approx(32 * (waits * kLatency + 1e5 / 1e10 + kDecodeTime) + kCopyAndCompute)
            .epsilon(1e-6));
}

TEST_CASE("one stream receives from as many drives as its window has stripe units") {
  RandomMachine m = exact();
  m.drives = 4;
  m.sample_size = 4e6;
  Scenario scenario = scenario_of(m);
  for (const double unit : {1e6, 2e6, 8e6}) {
    edit(scenario.system, [&](System& system) { system.volumes[0].stripe_unit = {unit}; });
    const double drives = std::min(4.0, std::max(1.0, 4e6 / unit));
    CAPTURE(unit);
    CHECK(first_step(scenario) ==
          doctest::Approx(32 * (kLatency + 4e6 / (drives * 1e10) + kDecodeTime) + kCopyAndCompute)
              .epsilon(1e-6));
  }
}

TEST_CASE("a latency-bound loader gains by workers, not by bandwidth") {
  RandomMachine m = ample_machine();
  m.rate[kCompute] = 1e6;
  m.sample_size = 4096;
  m.workers = 2;
  m.batch = 256;
  const double slow = rate_of(scenario_of(m));
  CHECK(slow == doctest::Approx(2 / (kLatency + kDecodeTime)).epsilon(0.02));
  m.rate[kDrive] *= 4;
  m.rate[kDriveLink] *= 4;
  CHECK(rate_of(scenario_of(m)) == doctest::Approx(slow).epsilon(0.01));
  m.workers = 8;
  CHECK(rate_of(scenario_of(m)) == doctest::Approx(4 * slow).epsilon(0.02));
}

TEST_CASE("whole files on single drives: the drives of few files wait for one another") {
  RandomMachine m = ample_machine();
  m.drives = 4;
  m.rate[kDrive] = 5e7;
  m.workers = 16;
  Scenario scenario = scenario_of(m);
  const double striped = rate_of(scenario);
  CHECK(striped == doctest::Approx(1e3).epsilon(0.01));
  edit(scenario.system, [](System& system) { system.volumes[0].layout = Layout::files; });
  const double files = rate_of(scenario);
  CHECK(files <= striped * 1.001);
  // A batch of one file leaves three drives to the other workers.
  m.rate[kDrive] = 2e7;
  m.batch = 1;
  m.workers = 1;
  scenario = scenario_of(m);
  edit(scenario.system, [](System& system) { system.volumes[0].layout = Layout::files; });
  CHECK(rate_of(scenario) ==
        doctest::Approx(1 / (kLatency + 1e5 / 2e7 + kDecodeTime)).epsilon(0.05));
}

TEST_CASE("blades add bandwidth up to the front end, and others leave what they do not use") {
  RandomMachine m = ample_machine();
  m.store = true;
  Scenario scenario = scenario_of(m);
  const auto with = [&](std::int64_t blades, double other_load) {
    Store& store = scenario.store["nas"];
    edit(store.model, [](Array& array) {
      array.read_bandwidth = {3e7};
      array.blades = 3;
      array.front_end_bandwidth = Bandwidth{5e7};
    });
    store.blades = blades;
    store.other_load = {other_load};
    return rate_of(scenario);
  };
  CHECK(with(2, 0) == doctest::Approx(2e7 / 1e5).epsilon(0.01));
  CHECK(with(4, 0) == doctest::Approx(4e7 / 1e5).epsilon(0.01));
  CHECK(with(9, 0) == doctest::Approx(5e7 / 1e5).epsilon(0.01));
  CHECK(with(9, 0.5) == doctest::Approx(2.5e7 / 1e5).epsilon(0.01));
}

TEST_CASE("many small files are limited by how many can be opened, record files are not") {
  RandomMachine m = ample_machine();
  m.store = true;
  Scenario scenario = scenario_of(m);
  edit(scenario.store["nas"].model, [](Array& array) { array.metadata_rate = Rate{200}; });
  CHECK(rate_of(scenario) == doctest::Approx(200).epsilon(0.01));
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples_per_file = 1000; });
  CHECK(rate_of(scenario) == doctest::Approx(1e3).epsilon(0.01));
}

TEST_CASE("a machine's connections carry what they carry, and more of them more") {
  RandomMachine m = ample_machine();
  m.store = true;
  Scenario scenario = scenario_of(m);
  auto nfs = protocol("nfs");
  nfs.connection_bandwidth = Bandwidth{2e7};
  scenario.store["nas"].protocol = ref(nfs);
  CHECK(rate_of(scenario) == doctest::Approx(2e7 / 1e5).epsilon(0.01));
  scenario.store["nas"].connections = 3;
  CHECK(rate_of(scenario) == doctest::Approx(3 * 2e7 / 1e5).epsilon(0.01));
}

TEST_CASE("two readers share a busy store by chance, the unlucky one holds up the step") {
  RandomMachine m = exact();
  m.gpus = 2;
  m.store = true;
  m.rate[kArray] = 1e8;
  Scenario scenario = scenario_of(m);
  auto uneven = protocol("uneven");
  uneven.share_deviation = {0.3};
  scenario.store["nas"].protocol = ref(uneven);
  edit(scenario.store["nas"].model, [](Array& array) { array.read_latency = {}; });
  for (const std::int64_t seed : {1, 2, 3, 4, 5}) {
    scenario.run.seed = seed;
    const Plan plan = make_plan(scenario);
    const double one = plan.gpus[0].share.value(), other = plan.gpus[1].share.value();
    const double least = std::min(one, other) / (one + other);
    CAPTURE(least);
    CHECK(first_step(scenario) ==
          doctest::Approx(32 * 1e5 / (1e8 * least) + kCopyAndCompute).epsilon(0.005));
  }
}

TEST_CASE("TCP takes cores for every byte it brings") {
  RandomMachine m = ample_machine();
  m.store = true;
  m.cores = 2;
  m.workers = 8;
  Scenario scenario = scenario_of(m);
  auto tcp = protocol("tcp");
  tcp.core_bandwidth = Bandwidth{2e7};
  scenario.store["nas"].protocol = ref(tcp);
  CHECK(rate_of(scenario) == doctest::Approx(2 / (1e5 / 2e7 + kDecodeTime)).epsilon(0.01));
}

TEST_CASE("the client's work goes on beside a decoder that starts while it reads") {
  RandomMachine m = exact();
  m.store = true;
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("npz");
  decoder.decodes_while_reading = true;
  decoder.cost = {DecodeCost{}};
  decoder.cost[0].per_sample = 1_ms;
  edit(scenario.workload.dataset(), [&](Dataset& dataset) {
    dataset.decode_time = {};
    dataset.decoder = ref(decoder);
  });
  // It reads at the decoder's pace even where the copy out of the page cache is slow: that is part
  // of the decoder's own rate.
  edit_cpus(scenario, [](Cpu& cpu) { cpu.core_copy_bandwidth = Bandwidth{5e7}; });
  for (const double client : {2e8, 5e7}) {
    CAPTURE(client);
    auto tcp = protocol("tcp");
    tcp.core_bandwidth = Bandwidth{client};
    scenario.store["nas"].protocol = ref(tcp);
    CHECK(first_step(scenario) ==
          doctest::Approx(32 * std::max(1e-3, 1e5 / client) + kCopyAndCompute).epsilon(0.02));
  }
}

TEST_CASE("a protocol adds its latency, an opening and its largest request") {
  RandomMachine m = exact();
  m.store = true;
  Scenario scenario = scenario_of(m);
  auto s3 = protocol("s3");
  s3.request_latency = 10_ms;
  s3.largest_request = 40_kB;
  scenario.store["nas"].protocol = ref(s3);
  const double latency = 1e-3 + 10e-3 + 2e-6;  // array, protocol, NIC's link
  const double waits = std::ceil(1e5 / 4e4) + 1;
  CHECK(first_step(scenario) ==
        doctest::Approx(32 * (waits * latency + 1e5 / 1e11 + kDecodeTime) + kCopyAndCompute)
            .epsilon(0.001));
}

TEST_CASE("a file on few storage targets is read at what they give") {
  RandomMachine m = exact();
  m.store = true;
  Scenario scenario = scenario_of(m);
  edit(scenario.store["nas"].model, [](Array& array) { array.stripe_bandwidth = Bandwidth{1e6}; });
  scenario.store["nas"].stripes = 2;
  CHECK(first_step(scenario) == doctest::Approx(32 * 1e5 / 2e6).epsilon(0.03));
}

TEST_CASE("what the page cache holds is not read again") {
  RandomMachine m = ample_machine();
  m.rate[kDrive] = 5e7;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<RunsEpochs>().epochs = 5;
  const double data = 400.0 * 32 * 1e5;
  scenario.loader.cache = CacheRule::pinned;
  scenario.loader.cache_memory = Bytes{data / 4};
  const Result quarter = simulate(scenario);
  CHECK(quarter.cache.hit_rate == doctest::Approx(0.25).epsilon(0.01));
  CHECK(quarter.throughput_samples_per_s ==
        doctest::Approx(5e7 / 1e5 / (1 - quarter.cache.hit_rate)).epsilon(0.01));
  CHECK(quarter.cache.read_later_epoch_B == doctest::Approx(data * (1 - quarter.cache.hit_rate)));
  scenario.loader.cache_memory = Bytes{2 * data};
  const Result all = simulate(scenario);
  CHECK(all.throughput_samples_per_s == doctest::Approx(1e3).epsilon(0.01));
  CHECK(all.first_epoch_s == doctest::Approx(data / 5e7).epsilon(0.02));
  CHECK(all.time_to_result_s == doctest::Approx(data / 5e7 + 4 * 400 * 32 / 1e3).epsilon(0.02));
  scenario.data.mode = ReadMode::direct;
  CHECK(simulate(scenario).cache.hit_rate == 0);
}

TEST_CASE("a memory carries every pass: DMA, software copies, decoding, the copy to the GPU") {
  RandomMachine m = ample_machine();
  m.rate[kMemory] = 2e8;
  m.rate[kCompute] = 1e4;
  m.input_size = 5e4;
  Scenario scenario = scenario_of(m);
  const auto memory = [](double passes_stored, double passes_decoded) {
    return doctest::Approx(2e8 / (passes_stored * 1e5 + passes_decoded * 5e4)).epsilon(0.01);
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
  CHECK(rate_of(scenario) == doctest::Approx(1e3).epsilon(0.01));
  edit_cpus(scenario, [](Cpu& cpu) { cpu.thread_gpudirect_bandwidth = Bandwidth{1e7}; });
  CHECK(rate_of(scenario) ==
        doctest::Approx(2 / (1e5 / 1e7 + kLatency + 1e-6)).epsilon(0.02));  // and the GPU's link
}

TEST_CASE("a thread reads into memory no faster than it can") {
  RandomMachine m = ample_machine();
  m.workers = 2;
  Scenario scenario = scenario_of(m);
  edit_cpus(scenario, [](Cpu& cpu) { cpu.thread_read_bandwidth = Bandwidth{1e7}; });
  CHECK(rate_of(scenario) ==
        doctest::Approx(2 / (1e5 / 1e7 + kLatency + kDecodeTime)).epsilon(0.02));
}

TEST_CASE("devices read and write the memory of another socket at what its CPU allows") {
  RandomMachine m = ample_machine();
  m.sockets = 2;
  m.input_size = 1e5;
  Scenario scenario = scenario_of(m);  // the drive and the GPU hang on cpu0
  scenario.loader.placement.id = "cpu1";
  CHECK(rate_of(scenario) == doctest::Approx(1e3).epsilon(0.01));
  edit_cpus(scenario, [](Cpu& cpu) { cpu.remote_dma_write = Bandwidth{4e7}; });
  CHECK(rate_of(scenario) == doctest::Approx(4e7 / 1e5).epsilon(0.01));
  edit_cpus(scenario, [](Cpu& cpu) { cpu.remote_dma_read = Bandwidth{3e7}; });
  CHECK(rate_of(scenario) == doctest::Approx(3e7 / 1e5).epsilon(0.01));
  scenario.loader.placement.id = "local";
  CHECK(rate_of(scenario) == doctest::Approx(1e3).epsilon(0.01));
}

TEST_CASE("threads beyond the cores gain what SMT gains") {
  RandomMachine m = ample_machine();
  m.cores = 4;
  m.rate[kDecode] = 100;
  m.workers = 8;
  Scenario scenario = scenario_of(m);
  CHECK(rate_of(scenario) == doctest::Approx(4 * 100).epsilon(0.01));
  edit_cpus(scenario, [](Cpu& cpu) {
    cpu.threads_per_core = 2;
    cpu.smt_speedup = Ratio{1.3};
  });
  CHECK(rate_of(scenario) == doctest::Approx(1.3 * 4 * 100).epsilon(0.01));
  scenario.loader.workers_per_gpu = 6;  // half of the cores run two
  CHECK(rate_of(scenario) == doctest::Approx(1.15 * 4 * 100).epsilon(0.02));
}

TEST_CASE("cores of a socket serve its own loaders where they are kept apart") {
  RandomMachine m = ample_machine();
  m.sockets = 2;
  m.gpus = 4;
  m.cores = 2;
  m.rate[kDecode] = 100;
  Scenario scenario = scenario_of(m);
  CHECK(rate_of(scenario) == doctest::Approx(4 * 100).epsilon(0.01));
  scenario.loader.placement.id = "cpu0";
  CHECK(rate_of(scenario) == doctest::Approx(4 * 100).epsilon(0.01));
  scenario.loader.cores = CorePool::socket;
  CHECK(rate_of(scenario) == doctest::Approx(2 * 100).epsilon(0.01));
}

TEST_CASE("a decoder costs so much a sample, a byte and a pixel") {
  RandomMachine m = ample_machine();
  m.cores = 2;
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("jpeg");
  DecodeCost cost;
  cost.per_sample = 1_ms;
  cost.byte_rate = Bandwidth{5e7};
  cost.pixel_rate = Rate{1e8};
  decoder.cost = {cost};
  edit(scenario.workload.dataset(), [&](Dataset& dataset) {
    dataset.decode_time = {};
    dataset.decoder = ref(decoder);
    dataset.pixels = 300000;
  });
  CHECK(rate_of(scenario) == doctest::Approx(2 / (1e-3 + 1e5 / 5e7 + 3e5 / 1e8)).epsilon(0.01));
}

TEST_CASE("a decoder that starts while it reads hides the shorter of both") {
  RandomMachine m = exact();
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("npz");
  decoder.decodes_while_reading = true;
  DecodeCost cost;
  decoder.cost = {cost};
  for (const double decode : {50e-6, 500e-6}) {
    decoder.cost[0].per_sample = {decode};
    edit(scenario.workload.dataset(), [&](Dataset& dataset) {
      dataset.decode_time = {};
      dataset.decoder = ref(decoder);
    });
    CAPTURE(decode);
    CHECK(first_step(scenario) ==
          doctest::Approx(32 * std::max(kLatency + 1e5 / 1e10, decode) + kCopyAndCompute)
              .epsilon(1e-6));
  }
}

TEST_CASE("a reader that waits between its reads leaves the core to others") {
  RandomMachine m = ample_machine();
  m.cores = 1;
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("npz");
  decoder.decodes_while_reading = true;
  decoder.reader_bandwidth = Bandwidth{1e5 / 8e-3};
  decoder.cost = {DecodeCost{}};
  decoder.cost[0].per_sample = 2_ms;
  edit(scenario.workload.dataset(), [&](Dataset& dataset) {
    dataset.decode_time = {};
    dataset.decoder = ref(decoder);
  });
  for (const LoaderStyle style : {LoaderStyle::pytorch, LoaderStyle::tensorflow})
    for (const std::int64_t workers : {1, 2, 8}) {  // four keep the core busy
      CAPTURE(name_of(style));
      CAPTURE(workers);
      scenario.loader.style = style;
      scenario.loader.workers_per_gpu = workers;
      const double readers = static_cast<double>(workers) / 8e-3;
      CHECK(rate_of(scenario) == doctest::Approx(std::min(readers, 1 / 2e-3)).epsilon(0.01));
    }
  // What is not decoded is read as fast as it comes.
  scenario.loader.decode = DecodeOn::none;
  CHECK(rate_of(scenario) == doctest::Approx(1000).epsilon(0.01));
}

TEST_CASE("cores run slower the more of them are at work") {
  RandomMachine m = ample_machine();
  m.cores = 4;
  m.rate[kDecode] = 100;
  m.workers = 8;
  Scenario scenario = scenario_of(m);
  edit_cpus(scenario, [](Cpu& cpu) { cpu.all_core_speed = 60_percent; });
  const auto speed = [](double load) { return 1 - 0.4 * load; };
  for (const std::int64_t cores : {1, 2, 4})
    for (const double measured : {0.0, 0.5, 1.0}) {
      CAPTURE(cores);
      CAPTURE(measured);
      scenario.loader.decode_cores = cores;
      edit(scenario.workload.dataset(),
           [&](Dataset& dataset) { dataset.decode_load = Ratio{measured}; });
      const auto used = static_cast<double>(cores);
      CHECK(rate_of(scenario) ==
            doctest::Approx(used * 100 * speed(used / 4) / speed(measured)).epsilon(0.01));
    }
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.decode_load = {}; });
  CHECK(rate_of(scenario) == doctest::Approx(400).epsilon(0.01));  // as stated
  // Two workers do not employ more than two cores; a decoder states its load as well.
  scenario.loader.decode_cores = {};
  scenario.loader.workers_per_gpu = 2;
  auto decoder = named<Decoder>("jpeg");
  decoder.cost = {DecodeCost{}};
  decoder.cost[0].per_sample = 10_ms;
  decoder.cost[0].load = 25_percent;
  edit(scenario.workload.dataset(), [&](Dataset& dataset) {
    dataset.decode_time = {};
    dataset.decoder = ref(decoder);
  });
  CHECK(rate_of(scenario) == doctest::Approx(2 * 100 * speed(2.0 / 4) / speed(0.25)).epsilon(0.01));
  // How cores slow down is an estimate, and so is what follows from it.
  edit_cpus(scenario, [](Cpu& cpu) { cpu.provenance.basis = Basis::estimate; });
  decoder.cost[0].basis = Basis::measured;
  for (const bool stated : {true, false}) {
    if (!stated) decoder.cost[0].load = {};
    edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.decoder = ref(decoder); });
    const Result result = simulate(scenario);
    const auto cores = std::ranges::find(result.resources, "decode cores", &ResourceUse::id);
    REQUIRE(cores != result.resources.end());
    CHECK(cores->basis == (stated ? "estimate" : "measured"));
  }
}

TEST_CASE("decoding on the GPU takes its time there and copies what is stored") {
  RandomMachine m = ample_machine();
  m.cores = 1;
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("nvjpeg");
  DecodeCost cost;
  cost.gpu = scenario.system->gpus.front().model;
  cost.per_sample = {1e-3};
  decoder.cost = {cost};
  edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.decoder = ref(decoder); });
  scenario.loader.decode = DecodeOn::gpu;
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s == doctest::Approx(1 / (1e-3 + 1e-3)).epsilon(0.01));
  const auto copy = std::ranges::find(result.resources, "cpu0 -> gpu0", &ResourceUse::id);
  REQUIRE(copy != result.resources.end());
  CHECK(copy->utilization == doctest::Approx(500 * 1e5 / 1e11).epsilon(0.01));
}

TEST_CASE("copying out of the page cache and collating take cores as well") {
  RandomMachine m = ample_machine();
  m.cores = 1;
  m.workers = 8;
  Scenario scenario = scenario_of(m);
  scenario.loader.batch_overhead = 64_ms;
  CHECK(rate_of(scenario) == doctest::Approx(32 / (32 * kDecodeTime + 64e-3)).epsilon(0.01));
  scenario.loader.batch_overhead = {};
  edit_cpus(scenario, [](Cpu& cpu) { cpu.core_copy_bandwidth = Bandwidth{5e7}; });
  CHECK(rate_of(scenario) == doctest::Approx(1 / (kDecodeTime + 1e5 / 5e7)).epsilon(0.01));
}

TEST_CASE("TensorFlow's readers share a batch; PyTorch's workers take one each") {
  RandomMachine m = exact();
  m.rate[kDecode] = 1e3;
  m.workers = 4;
  Scenario scenario = scenario_of(m);
  const double one = 32 * (kLatency + 1e5 / 1e10 + 1e-3);
  CHECK(first_step(scenario) == doctest::Approx(one + kCopyAndCompute).epsilon(0.01));
  scenario.loader.style = LoaderStyle::tensorflow;
  CHECK(first_step(scenario) == doctest::Approx(one / 4 + kCopyAndCompute).epsilon(0.01));
}

TEST_CASE("jobs on one machine share its GPUs, and each goes through all the data") {
  RandomMachine m = ample_machine();
  m.gpus = 4;
  Scenario scenario = scenario_of(m);
  scenario.loader.cache = CacheRule::none;
  const Result one = simulate(scenario);
  scenario.loader.jobs = 4;
  const Result four = simulate(scenario);
  CHECK(four.throughput_samples_per_s == doctest::Approx(one.throughput_samples_per_s));
  CHECK(four.first_epoch_s == doctest::Approx(4 * one.first_epoch_s).epsilon(0.01));
  CHECK(four.cache.read_first_epoch_B == doctest::Approx(4 * one.cache.read_first_epoch_B));
}

TEST_CASE("a loader alone runs at the pace of its narrowest stage, without any GPU") {
  RandomMachine m = ample_machine();
  m.cores = 3;
  m.rate[kDecode] = 500;
  Scenario scenario = scenario_of(m);
  become<kind::Loader>(scenario.workload);
  edit(scenario.system, [](System& system) { system.gpus.clear(); });
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s == doctest::Approx(3 * 500).epsilon(0.01));
  CHECK(result.bottleneck.resource == "CPU decode");
}

TEST_CASE("an emulated benchmark is scored by its own rules") {
  RandomMachine m = exact();
  m.workers = 4;
  m.steps = 50;
  Scenario scenario = scenario_of(m);
  auto job = named<Job>("bench");
  job.dataset = scenario.workload.dataset();
  job.accelerator = "H100";
  job.batch = 32;
  job.compute_time = 40_ms;
  job.step_overhead = 2_ms;
  job.crowding_overhead = 64_ms;
  job.threshold = {0.9};
  become<kind::Emulated>(scenario.workload).job = ref(job);
  scenario.workload.get<FeedsGpus>().gpus = 2;
  scenario.loader.cache = CacheRule::none;
  edit(scenario.workload.dataset(),
       [](Dataset& dataset) { dataset.samples = std::int64_t{50} * 2 * 32; });
  edit(scenario.system, [](System& system) { system.gpus.clear(); });
  const Result result = simulate(scenario);
  REQUIRE(result.benchmark);
  const double step = 40e-3 + 2e-3 + 64e-3 * 2 / 64;  // two ranks on 64 cores
  // The eight workers of both read at once.
  const double fill = 32 * (kLatency + 8 * 1e5 / 1e10 + kDecodeTime);
  const double epoch = fill + 50 * step;
  CHECK(result.step_s == doctest::Approx(step).epsilon(1e-4));
  CHECK(result.benchmark->first_step_s == doctest::Approx(fill + step).epsilon(0.02));
  CHECK(result.benchmark->utilization_v1 ==
        doctest::Approx(49 * 40e-3 / (epoch - fill - step)).epsilon(1e-3));
  CHECK(result.benchmark->throughput_v1_samples_per_s ==
        doctest::Approx(50 * 2 * 32 / epoch).epsilon(1e-3));
  CHECK(result.benchmark->throughput_later_samples_per_s ==
        doctest::Approx(48 * 2 * 32 / (epoch - fill - step)).epsilon(1e-3));
  CHECK(result.benchmark->passes);
}
