// SPDX-License-Identifier: Apache-2.0
// The steps of making a plan, each against its formula.
#include <doctest/doctest.h>

#include "sim/base/labels/label_text.h"
#include "sim/model/scenario.h"
#include "sim/plan/make/compute.h"
#include "sim/plan/make/copies.h"
#include "sim/plan/make/cores.h"
#include "sim/plan/make/job_length.h"
#include "sim/plan/make/loader_shape.h"
#include "sim/plan/make/make_plan.h"
#include "sim/plan/make/reads.h"
#include "tests/support/edits.h"
#include "tests/support/kinds.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

using doctest::Approx;

/// Four GPUs on one socket, two drives, and 400 steps of 4 x 32 samples of 100 kB an epoch.
Scenario four_gpus() { return scenario_of(four_ample_gpus()); }

Protocol uneven(double deviation) {
  auto protocol = named<Protocol>("nfs");
  protocol.share_deviation = {deviation};
  return protocol;
}

}  // namespace

TEST_CASE("a job is as long as its epochs, else its samples, else every sample once") {
  Scenario scenario = four_gpus();
  CHECK(job_length(scenario).steps_per_epoch == 400);
  CHECK(job_length(scenario).steps == 400);
  CHECK(job_length(scenario).epochs == 1);
  scenario.workload.get<RunsEpochs>().samples = 128 * 1000 + 1;  // the odd one fills no step
  CHECK(job_length(scenario).steps == 1000);
  CHECK(job_length(scenario).epochs == 3);
  scenario.workload.get<RunsEpochs>().epochs = 2;
  CHECK(job_length(scenario).steps == 800);
  scenario.loader.jobs = 2;  // each reads all, with half of the GPUs
  CHECK(job_length(scenario).steps_per_epoch == 800);
}

TEST_CASE("workers of PyTorch build batches each for itself, threads of TensorFlow share them") {
  Scenario scenario = four_gpus();
  Loader& loader = scenario.loader;
  loader.workers_per_gpu = 8;
  loader.prefetch_batches = 2;
  const LoaderShape own = loader_shape(scenario);
  CHECK_FALSE(own.shared_batches);
  CHECK(own.batches_at_once == 8);
  CHECK(own.threads_per_batch == 1);
  CHECK(own.stock() == 16);
  CHECK(own.threads() == 8);
  loader.style = LoaderStyle::tensorflow;
  loader.readers = 3;
  const LoaderShape shared = loader_shape(scenario);
  CHECK(shared.shared_batches);
  CHECK(shared.batches_at_once == 2);
  CHECK(shared.threads_per_batch == 8);
  CHECK(shared.readers_per_batch == 3);
  CHECK(shared.stock() == 2);
  CHECK(shared.threads() == 16);
}

TEST_CASE(
    "a benchmark's files of one sample, each a batch, are read three times its readers ahead") {
  Scenario scenario = four_gpus();
  auto job = named<Job>("bench");
  job.dataset = scenario.workload.dataset();
  become<kind::Emulated>(scenario.workload).job = ref(job);
  scenario.workload.get<RunsEpochs>().batch_per_gpu = 1;
  scenario.loader.style = LoaderStyle::tensorflow;
  scenario.loader.workers_per_gpu = 4;
  const LoaderShape files = loader_shape(scenario);
  CHECK_FALSE(files.shared_batches);
  CHECK(files.batches_at_once == 12);
  CHECK(files.stock() == 12);
  scenario.workload.get<RunsEpochs>().batch_per_gpu = 32;
  CHECK(loader_shape(scenario).shared_batches);
  scenario.workload.get<RunsEpochs>().batch_per_gpu = 1;
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples_per_file = 100; });
  CHECK(loader_shape(scenario).shared_batches);
}

TEST_CASE("a node's readers are its workers, or the readers that a loader's batches share") {
  Scenario scenario = four_gpus();
  scenario.loader.workers_per_gpu = 8;
  CHECK(read_from(scenario).readers == 32);
  scenario.loader.style = LoaderStyle::tensorflow;
  CHECK(read_from(scenario).readers == 32);
  scenario.loader.readers = 3;
  CHECK(read_from(scenario).readers == 12);
}

TEST_CASE("SMT enlarges a pool in proportion to the threads that find a sibling") {
  Scenario scenario = four_gpus();
  edit_cpus(scenario, [](Cpu& cpu) {
    cpu.cores = 10;
    cpu.threads_per_core = 2;
    cpu.smt_speedup = Ratio{1.3};
  });
  CHECK(core_pools(scenario, 8).cores == std::vector{10.0});
  CHECK(core_pools(scenario, 8).used == Approx(0.8));
  CHECK(core_pools(scenario, 15).cores.front() == Approx(10 * 1.15));
  CHECK(core_pools(scenario, 40).cores.front() == Approx(13));
  CHECK(core_pools(scenario, 40).physical == 10);
  CHECK(core_pools(scenario, 40).used == 1);
}

TEST_CASE("sockets that serve their own loaders have a pool each") {
  RandomMachine machine = four_ample_gpus();
  machine.sockets = 2;
  machine.cores = 10;
  Scenario scenario = scenario_of(machine);
  CHECK(core_pools(scenario, 40).cores == std::vector{20.0});
  CHECK(pool_of(core_pools(scenario, 40), {PartKind::socket, 1}) == 0);
  scenario.loader.cores = CorePool::socket;
  scenario.loader.decode_cores = 12;
  CHECK(core_pools(scenario, 40).cores == std::vector{6.0, 6.0});
  CHECK(pool_of(core_pools(scenario, 40), {PartKind::socket, 1}) == 1);
}

TEST_CASE("a decoding time is carried to another load of the cores") {
  Scenario scenario = four_gpus();
  edit(scenario.workload.dataset(), [](Dataset& dataset) {
    dataset.decode_time = Seconds{1e-3};
    dataset.decode_load = Ratio{0.0};
  });
  edit_cpus(scenario, [](Cpu& cpu) { cpu.all_core_speed = Ratio{0.8}; });
  const Sources sources = sources_of(scenario, read_from(scenario));
  const auto decode = [&](double used) {
    return sample_times(scenario, sources, {}, used, false).decode.value;
  };
  CHECK(decode(0) == Approx(1e-3));
  CHECK(decode(0.5) == Approx(1e-3 / 0.9));
  CHECK(decode(1) == Approx(1e-3 / 0.8));
}

TEST_CASE("a core copies what passes the page cache, and nothing that goes around it") {
  Scenario scenario = four_gpus();
  edit_cpus(scenario, [](Cpu& cpu) { cpu.core_copy_bandwidth = 10_GBps; });
  const auto decode = [&](ReadMode mode) {
    ReadFrom from = read_from(scenario);
    from.mode = mode;
    return sample_times(scenario, sources_of(scenario, from), {}, 1, false).decode.value;
  };
  CHECK(decode(ReadMode::direct) == Approx(1e-5));
  CHECK(decode(ReadMode::buffered) == Approx(1e-5 + 1e5 / 1e10));
}

TEST_CASE("batches that are built at once share the time of their readers") {
  Scenario scenario = four_gpus();
  auto decoder = named<Decoder>("inline");
  decoder.decodes_while_reading = true;
  decoder.reader_bandwidth = 100_MBps;
  edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.decoder = ref(decoder); });
  const Sources sources = sources_of(scenario, read_from(scenario));
  const auto reader = [&](const LoaderShape& shape) {
    return sample_times(scenario, sources, shape, 1, false).reader.value;
  };
  CHECK(reader({.batches_at_once = 6}) == Approx(1e-3));
  CHECK(reader({.shared_batches = true, .batches_at_once = 6, .readers_per_batch = 2}) ==
        Approx(3e-3));
}

TEST_CASE("a source gives a batch's readers what its requests, threads and stripes allow") {
  Scenario scenario = four_gpus();
  const Cpu unlimited;
  Cpu cpu;
  cpu.thread_read_bandwidth = 1_GBps;
  const auto most = [&](const Cpu& of, std::int64_t readers) {
    const Sources sources = sources_of(scenario, read_from(scenario));
    return most_of_source(sources, *scenario.system, sources.parts.front(), of, readers).value;
  };
  CHECK(sources_of(scenario, read_from(scenario)).parts ==
        std::vector<PartId>{{PartKind::drive, 0}, {PartKind::drive, 1}});
  // Striped over two drives, a thread gives each half of what it reads.
  CHECK(most(cpu, 1) == Approx(0.5e9));
  CHECK(most(cpu, 3) == Approx(1.5e9));
  edit(scenario.system, [](System& system) { system.volumes.front().layout = Layout::files; });
  CHECK(sources_of(scenario, read_from(scenario)).whole_files);
  CHECK(most(cpu, 1) == Approx(1e9));
  CHECK(most(cpu, 4) == Approx(2e9));  // two readers at each drive
  scenario.data.at = part(scenario, "nas");
  CHECK(std::isinf(most(unlimited, 1)));
  edit(scenario.store["nas"].model, [](Array& array) { array.stripe_bandwidth = 200_MBps; });
  scenario.store["nas"].stripes = 4;
  CHECK(most(unlimited, 1) == Approx(8e8));
}

TEST_CASE("readers share drives and a fair store equally, an uneven one by chance") {
  Scenario scenario = four_gpus();
  const auto shares = [&](std::int64_t seed) {
    scenario.run.seed = seed;
    std::vector<int> eighths;
    for (const GpuPlan& gpu : make_plan(scenario).gpus) eighths.push_back(gpu.share.eighths);
    return eighths;
  };
  const std::vector<int> equal(4, Weight{}.eighths);
  CHECK(shares(1) == equal);
  scenario.data.at = part(scenario, "nas");
  CHECK(shares(1) == equal);
  scenario.store["nas"].protocol = ref(uneven(0));
  CHECK(shares(1) == equal);
  scenario.store["nas"].protocol = ref(uneven(0.5));
  CHECK(shares(1) != equal);
  CHECK(shares(1) == shares(1));
  CHECK(shares(1) != shares(2));
}

TEST_CASE("a buffered read passes memory three times more than one with O_DIRECT") {
  const Scenario scenario = four_gpus();
  const auto passes = [&](ReadMode mode) {
    ReadFrom from = read_from(scenario);
    from.mode = mode;
    const Sources sources = sources_of(scenario, from);
    const Graph graph = build_graph(scenario, sources.reading.access);
    Routes made;
    RoutesInMaking routes(scenario, made);
    GpuFeed gpu;
    gpu.socket = {PartKind::socket, 0};
    add_reads(scenario, graph, sources, 1, {gpu.nic}, routes, gpu);
    CHECK(gpu.reads == std::vector{RouteIndex(0), RouteIndex(1)});
    return times_taken(made[RouteIndex(0)], graph.memory_resource({PartKind::socket, 0}));
  };
  CHECK(passes(ReadMode::buffered) == passes(ReadMode::direct) + 3);
}

TEST_CASE("GPUs share the processes of their node in order") {
  Scenario scenario = four_gpus();
  Graph graph = build_graph(scenario, {.request = 1_MB});
  CHECK_FALSE(add_processes(scenario, graph));
  scenario.loader.process_bandwidth = 1_GBps;
  scenario.loader.processes = 2;
  const auto first = add_processes(scenario, graph);
  REQUIRE(first);
  CHECK(text_of(graph.resource(ResourceIndex(first->position() + 1)).label) == "loader process 1");
  Routes made;
  RoutesInMaking routes(scenario, made);
  std::vector<std::size_t> process;
  for (std::size_t number = 0; number < 4; ++number) {
    GpuFeed gpu;
    gpu.number = number;
    pass_process(scenario, *first, routes, gpu);
    process.push_back(made[gpu.copy.value()].resources.back().position() - first->position());
  }
  CHECK(process == std::vector<std::size_t>{0, 0, 1, 1});
}

TEST_CASE("the host's work grows with the GPUs that a core serves") {
  Scenario scenario = four_gpus();  // on 64 cores
  const double alone = training_step(scenario, 0).all.value;
  CHECK(alone == Approx(32 / 1e3));
  scenario.workload.get<kind::Training>().step_overhead = 2_ms;
  scenario.workload.get<kind::Training>().contention_overhead = 16_ms;
  const StepTime step = training_step(scenario, 0);
  CHECK(step.all.value == Approx(alone + 2e-3 + 16e-3 * 4 / 64));
  CHECK(step.compute.step.value == Approx(alone));
}

TEST_CASE("what a GPU decodes is copied as stored, and takes its time") {
  Scenario scenario = four_gpus();
  CHECK(copied_size(scenario).value == 1e4);
  auto decoder = named<Decoder>("on-gpu");
  DecodeCost cost;
  cost.gpu = scenario.system->gpus.front().model;
  cost.per_sample = 1_ms;
  decoder.cost = {cost};
  edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.decoder = ref(decoder); });
  scenario.loader.decode = DecodeOn::gpu;
  CHECK(copied_size(scenario).value == 1e5);
  CHECK(training_step(scenario, 0).all.value == Approx(32e-3 + 32e-3));
  CHECK(training_step(scenario, 0).compute.step.value == Approx(32e-3));
}

TEST_CASE("a way that is not there is named, and all of them at once") {
  const Scenario scenario = four_gpus();
  Routes made;
  RoutesInMaking routes(scenario, made);
  CHECK_FALSE(routes.add({}, Label("ssd0"), Label("gpu0")));
  CHECK(routes.add(Route{}, Label("ssd1"), Label("gpu0")) == RouteIndex(0));
  CHECK_FALSE(routes.add({}, Label("ssd2"), Label("gpu0")));
  CHECK_THROWS_WITH_AS(routes.throw_if_any_is_missing(),
                       doctest::Contains("there is no way from ssd2 to gpu0 in system"),
                       InputError);
}
