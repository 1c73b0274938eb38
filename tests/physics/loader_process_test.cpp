// SPDX-License-Identifier: Apache-2.0
// What loaders make of cores, and the thread through which all batches of a process pass.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/kinds.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kProcess = 20e6;
constexpr double kInput = 1e5;  ///< decoded bytes of a sample: 200 of them a second pass a process

/// GPUs, drives and cores that could do many times as much.
Scenario four_gpus() {
  RandomMachine m = four_ample_gpus();
  m.input_size = kInput;
  m.jitter = 0;
  Scenario scenario = scenario_of(m);
  scenario.loader.process_bandwidth = Bandwidth{kProcess};
  return scenario;
}

}  // namespace

TEST_CASE("a process for each GPU: each takes over its own batches") {
  CHECK(rate_of(four_gpus()) == about(4 * kProcess / kInput, 2e-3));
}

TEST_CASE("GPUs that one process feeds share what it takes over") {
  Scenario scenario = four_gpus();
  for (const std::int64_t processes : {1, 2}) {
    scenario.loader.processes = processes;
    CHECK(rate_of(scenario) == about(static_cast<double>(processes) * kProcess / kInput, 2e-3));
  }
}

TEST_CASE("a loader alone hands its batches over as well, however many workers it has") {
  Scenario scenario = four_gpus();
  become<kind::Loader>(scenario.workload);
  scenario.loader.processes = 1;
  for (const std::int64_t workers : {4, 16}) {
    scenario.loader.workers_per_gpu = workers;
    const Result result = simulate(scenario);
    CHECK(steady_of(result) == about(kProcess / kInput, 2e-3));
    CHECK(result.bottleneck.resource == fact<LimiterCode::loader_process>());
  }
}

TEST_CASE("without a model, what is taken over is three bytes of each pixel, or what is stored") {
  Scenario scenario = four_gpus();
  become<kind::Loader>(scenario.workload);
  scenario.workload.get<kind::Loader>().model = {};
  static constexpr std::int64_t kPixels = 50'000;
  edit(scenario.workload.dataset(), [](Dataset& dataset) {
    dataset.pixels = kPixels;
    dataset.sample_size = {4e5};
  });
  CHECK(steady_of(simulate(scenario)) == about(4 * kProcess / (3 * kPixels), 2e-3));
  scenario.loader.decode = DecodeOn::none;
  CHECK(steady_of(simulate(scenario)) == about(4 * kProcess / 4e5, 2e-3));
}

TEST_CASE("every node has its own processes") {
  Scenario scenario = four_gpus();
  scenario.loader.processes = 1;
  scenario.nodes = 2;
  CHECK(rate_of(scenario) == about(2 * kProcess / kInput, 2e-3));
}

TEST_CASE("TensorFlow's readers decode on a DGX-1 what was measured there") {
  // 9968 AlexNet images/s (Pure Storage, 2017): 40 cores, both threads of each at work.
  const Result result =
      simulate(parse_scenario("system = 'nvidia-dgx1-p100'\n"
                              "[workload]\n"
                              "kind = 'loader'\n"
                              "dataset = 'imagenet-1k-tfrecord'\n"
                              "[loader]\n"
                              "style = 'tensorflow'\n"
                              "workers_per_gpu = 10\n"
                              "[run]\n"
                              "max_steps = 20\n",
                              "dgx1.toml", own_catalog()));
  const Stage* const decode = stage_of(result, LimiterCode::cpu_decode);
  REQUIRE(decode);
  CHECK(decode->capacity_samples_per_s == about(9968, 0.02));
}
