// SPDX-License-Identifier: Apache-2.0
// PyTorch's loader: workers that start, share cores and hand their batches over, or none.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/exact_times.h"
#include "tests/support/kinds.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kReadBatch = 32 * (kReadLatency + 1e5 / 1e10);  ///< a batch of exact(), alone

/// When `jobs` that begin at once end, where each needs `work` of a core and there are `cores`:
/// processor sharing.
std::vector<double> ends_of(std::vector<double> work, double cores) {
  std::ranges::sort(work);
  std::vector<double> ends;
  double now = 0, done = 0;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const double rate = std::min(1.0, cores / static_cast<double>(work.size() - i));
    now += (work[i] - done) / rate;
    done = work[i];
    ends.push_back(now);
  }
  return ends;
}

}  // namespace

TEST_CASE("workers beyond the cores share them by time slices") {
  for (const std::int64_t workers : {2, 3, 8}) {
    RandomMachine m = exact();
    m.workers = workers;
    m.cores = 2;
    m.rate[kDecode] = 100;
    m.rate[kDrive] = 1e13;
    m.rate[kDriveLink] = 1e13;
    Scenario scenario = scenario_of(m);
    scenario.data.mode = ReadMode::direct;
    edit_drives(scenario, [](Drive& drive) { drive.read_latency = {}; });
    const std::vector<double> batches(static_cast<std::size_t>(workers), 0.32);
    CHECK(first_step(scenario) ==
          approx(ends_of(batches, 2).front() + kCopyAndCompute).epsilon(2e-3));
    CHECK(rate_of(scenario) == about(std::min(2, static_cast<int>(workers)) * 100, 0.01));
  }
}

TEST_CASE("a process takes batches over in a thread: they pass it one after the other") {
  RandomMachine m = exact();
  m.workers = 4;
  Scenario scenario = scenario_of(m);
  scenario.loader.take_over_time = 20_ms;
  CHECK(rate_of(scenario) == about(1e3, 2e-3));  // beside the step of 32 ms
  scenario.loader.take_over_time = 50_ms;
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s == about(32 / 50e-3, 2e-3));
  CHECK(result.bottleneck.resource == fact<LimiterCode::loader_process>());
  CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + 1e-9));
}

// t = tensors x take_over_time + bytes / process_bandwidth, and what pinning adds: of each tensor
// 0.115 ms, and the bytes once more (rf-detr, pull request 1396: 232 samples/s where memory was
// pinned, 329 where it was not).
TEST_CASE("a batch of many tensors is taken over tensor by tensor") {
  const auto rate = [](std::int64_t tensors, bool pinned) {
    RandomMachine m = exact();
    m.workers = 16;
    Scenario scenario = scenario_of(m);
    Loader& loader = scenario.loader;
    loader.take_over_time = Seconds{0.393e-3};
    loader.tensors_per_batch = tensors;
    if (pinned) loader.pin_time = Seconds{0.115e-3};
    return rate_of(scenario);
  };
  CHECK(rate(114, false) == about(32 / (114 * 0.393e-3), 2e-3));
  CHECK(rate(114, true) == about(32 / (114 * 0.508e-3), 2e-3));
  CHECK(rate(9, false) == about(1e3, 2e-3));  // beside the step of 32 ms
}

TEST_CASE("without pinned memory no thread takes over: the GPU waits") {
  RandomMachine m = exact();
  m.workers = 4;
  m.input_size = 1e6;
  m.rate[kGpuLink] = 4e9;
  Scenario scenario = scenario_of(m);
  scenario.loader.take_over_time = 20_ms;
  scenario.loader.pinned_memory = false;
  const double copy = 32 * 1e6 / 4e9 + 1e-6;
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s == about(32 / (20e-3 + copy + kStep), 3e-3));
  CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + 1e-9));
  check_spent_once(result);
}

TEST_CASE("taking over costs the cores that decode") {
  RandomMachine m = ample_machine();
  m.gpus = 4;
  m.workers = 4;
  m.cores = 2;
  m.rate[kDecode] = 1e3;
  Scenario scenario = scenario_of(m);
  CHECK(rate_of(scenario) == about(2 / 1e-3, 0.01));
  scenario.loader.take_over_time = 16_ms;  // half of what decoding a batch takes
  CHECK(rate_of(scenario) == about(2 / 1.5e-3, 0.01));
}

TEST_CASE("without workers a batch is read, decoded, copied and trained, one after the other") {
  RandomMachine m = exact();
  m.rate[kDecode] = 1e3;
  Scenario scenario = scenario_of(m);
  scenario.loader.workers_per_gpu = 0;
  const double step = kReadBatch + 32e-3 + kCopyAndCompute;
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s == about(32 / step, 2e-3));
  CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + 1e-9));
  check_spent_once(result);
  // 43 ms of the 66 to 75 ms that a step takes: it is not the GPU that holds the job back.
  CHECK(result.bottleneck.resource == fact<LimiterCode::loader_workers>());
  CHECK(result.bottleneck.next == fact<LimiterCode::gpu_compute>());
  CHECK(result.bound.cut.front().code == LimiterCode::before_step);
  scenario.loader.workers_per_gpu = 1;
  scenario.loader.prefetch_batches = 1;
  CHECK(rate_of(scenario) == about(32 / (kReadBatch + 32e-3), 2e-3));
  scenario.loader.workers_per_gpu = 0;
  become<kind::Loader>(scenario.workload);
  CHECK(rate_of(scenario) == about(32 / (kReadBatch + 32e-3), 2e-3));
}

TEST_CASE("without workers several GPUs and asynchronous ones have a process each") {
  RandomMachine m = exact();
  m.gpus = 2;
  m.rate[kDecode] = 1e3;
  Scenario scenario = scenario_of(m);
  scenario.loader.workers_per_gpu = 0;
  // Both read at the same time, from one drive.
  const double step = kReadBatch + 32 * 1e5 / 1e10 + 32e-3 + kCopyAndCompute;
  CHECK(rate_of(scenario) == about(2 * 32 / step, 3e-3));
  scenario.exchange.mode = ExchangeMode::asynchronous;
  CHECK(rate_of(scenario) == about(2 * 32 / step, 0.01));
}

TEST_CASE("an epoch begins when all its workers have started, unless they persist") {
  RandomMachine m = exact();
  m.workers = 4;
  Scenario scenario = scenario_of(m);
  scenario.loader.worker_start = 60_ms;
  scenario.loader.persistent_workers = true;
  const double without = first_step(scenario);
  const double epoch = simulate(scenario).epoch_s;
  scenario.loader.persistent_workers = false;
  CHECK(first_step(scenario) - without == approx(4 * 60e-3).epsilon(1e-3));
  CHECK(simulate(scenario).epoch_s - epoch == approx(4 * 60e-3).epsilon(0.02));
}

TEST_CASE("drop_last: what whole steps leave over is left out, or makes one more step") {
  RandomMachine m = ample_machine();
  m.gpus = 2;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<RunsEpochs>().epochs = 3;
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples = 10 * 64 + 1; });
  CHECK(make_plan(scenario).steps == 30);
  scenario.loader.drop_last = false;
  CHECK(make_plan(scenario).steps == 33);
  CHECK(make_plan(scenario).steps_per_epoch == 11);
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples = 640; });
  CHECK(make_plan(scenario).steps_per_epoch == 10);
}
