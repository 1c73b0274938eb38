// SPDX-License-Identifier: Apache-2.0
// GPUs that do not wait for one another.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/checkpoints.h"
#include "tests/support/checks.h"
#include "tests/support/cluster.h"
#include "tests/support/draws.h"
#include "tests/support/edits.h"
#include "tests/support/random_features.h"
#include "tests/support/run_all.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

Scenario asynchronous(const RandomMachine& m) {
  Scenario scenario = scenario_of(m);
  scenario.exchange.mode = ExchangeMode::asynchronous;
  return scenario;
}

/// Makes the first GPU of every node `times` as fast.
void speed_up_first(Scenario& scenario, double times) {
  edit(scenario.system, [&](System& system) {
    Gpu fast = *system.gpus.front().model;
    fast.name = "fast";
    system.gpus.front().model = ref(std::move(fast));
  });
  edit(scenario.workload.model(), [&](Model& model) {
    ComputeRow row = model.compute.front();
    row.gpu = scenario.system->gpus.front().model;
    row.rate = row.rate * times;
    model.compute.push_back(row);
  });
}

}  // namespace

TEST_CASE("a faster GPU trains more batches, up to the staleness that is allowed") {
  Scenario scenario = asynchronous(machine_of_cluster(2));
  speed_up_first(scenario, 3);
  CHECK(rate_of(scenario) == approx(3000 + 1000).epsilon(0.005));
  scenario.exchange.staleness = 5;
  CHECK(rate_of(scenario) == approx(2 * 1000).epsilon(0.005));
  const Result held_back = simulate(scenario);
  REQUIRE(held_back.gpus.size() == 2);
  // The faster computes a third of the time, and waits for the slower otherwise.
  for (const auto& group : held_back.gpus)
    CHECK(group.share.barrier == approx(group.group == "gpu0" ? 2.0 / 3 : 0.0).epsilon(0.02));
  scenario.exchange.mode = ExchangeMode::synchronous;
  scenario.exchange.staleness = {};
  CHECK(rate_of(scenario) == approx(2 * 1000).epsilon(0.005));
}

TEST_CASE("who is late in one step and early in the next holds back nobody") {
  Scenario scenario = asynchronous(machine_of_cluster(8));
  scenario.workload.get<kind::Training>().step_jitter = {0.1};
  CHECK(rate_of(scenario) == approx(8e3).epsilon(0.01));
  scenario.exchange.staleness = 0;  // a barrier
  CHECK(rate_of(scenario) == approx(8e3 / (1 + 0.1 * kGreatestOf8)).epsilon(0.01));
  scenario.exchange.staleness = 1;
  const double one = rate_of(scenario);
  CHECK(one > 1.02 * 8e3 / (1 + 0.1 * kGreatestOf8));
  CHECK(one < 0.99 * 8e3);
}

TEST_CASE("a GPU sends its gradients and fetches the weights before its next batch") {
  RandomMachine m = machine_of_cluster(1);
  m.nics = 1;
  m.parameters = kParameters;
  Scenario scenario = asynchronous(m);
  scenario.nodes = 2;
  scenario.exchange.servers = 1;
  // The second node's GPU through both cards, the first one's over its own bus.
  const double far = kStep + 2 * kGradients / kPort, near = kStep + 2 * kGradients / kPcie;
  CHECK(rate_of(scenario) == approx(kBatch / far + kBatch / near).epsilon(0.005));
  scenario.exchange.overlap = {0.5};
  CHECK(rate_of(scenario) ==
        approx(kBatch / (far - kStep / 2) + kBatch / (near - 0.008)).epsilon(0.005));
  const Result result = simulate(scenario);
  REQUIRE(result.exchange);
  CHECK(result.exchange->mode == "asynchronous");
  CHECK(result.exchange->algorithm == "parameter-server");
  CHECK(result.exchange->alone_s == approx(2 * kGradients / kPort).epsilon(0.001));
  CHECK(result.exchange->sent_B == approx(2 * kGradients));
}

TEST_CASE("some send while others fetch: a closed network of two processor-sharing stations") {
  RandomMachine m = machine_of_cluster(2);
  m.parameters = kParameters;
  m.rate[kCompute] = 320;
  m.steps = 4000;
  Scenario scenario = asynchronous(m);
  scenario.nodes = 4;
  scenario.exchange.servers = 1;
  scenario.workload.get<kind::Training>().step_jitter = {0.6};
  // Six GPUs compute for 100 ms, send S through one card and fetch S through it; two are beside the
  // server. Mean value analysis (Reiser, Lavenberg, 1980) says how often the six come round.
  const double think = kBatch / 320, demand = kGradients / kPort;
  double waiting = 0, cycles = 0;  // at each station; per second
  for (int gpus = 1; gpus <= 6; ++gpus) {
    const double there = demand * (1 + waiting);
    cycles = gpus / (think + 2 * there);
    waiting = cycles * there;
  }
  const double beside = 2 / (think + 2 * kGradients / kPcie);
  double mean = 0;
  constexpr int kSeeds = 5;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    scenario.run.seed = seed;
    mean += rate_of(scenario) / kSeeds;
  }
  CHECK(mean == approx(kBatch * (cycles + beside)).epsilon(0.01));
  scenario.exchange.mode = ExchangeMode::synchronous;
  scenario.exchange.algorithm = Algorithm::parameter_server;
  scenario.workload.get<kind::Training>().step_jitter = {0};
  CHECK(rate_of(scenario) == approx(8 * kBatch / (think + 2 * 6 * demand)).epsilon(0.01));
}

TEST_CASE("whoever is free takes the next batch, and every batch is trained once") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomMachine m = random_machine(seed);
    m.exchange = true;
    m.deviation = 0;
    m.steps = 30;
    Scenario scenario = asynchronous(m);
    if (seed % 2 == 0) speed_up_first(scenario, 2.5);
    if (seed % 3 == 0) scenario.exchange.staleness = static_cast<std::int64_t>(seed % 4);
    const Plan plan = make_plan(scenario);
    const Record record = run_all(plan, *make_fluid_engine(), 1);
    CHECK(record.steps == m.steps);
    CHECK(record.batches_read == m.steps * m.gpus);
    CHECK(record.read.value ==
          approx(static_cast<double>(m.steps * m.gpus * m.batch) * m.sample_size).epsilon(1e-12));
    double computed = 0;  // in batches
    for (std::size_t g = 0; g < plan.gpus.size(); ++g)
      computed +=
          record.spent[g][static_cast<std::size_t>(Activity::compute)] / plan.gpus[g].compute.value;
    CHECK(computed == approx(static_cast<double>(m.steps * m.gpus)).epsilon(1e-9));
  }
}

TEST_CASE("a GPU behind a slow link lets the others take its batches") {
  RandomMachine m = machine_of_cluster(2);
  m.switches = 2;
  Scenario scenario = asynchronous(m);
  edit(scenario.system, [](System& system) {
    // 100 samples/s of 10 kB to the second GPU.
    system.switches[1].model = ref(plugged<Switch>("slow", link(Bandwidth{1e6}, 1_us), 1));
  });
  CHECK(rate_of(scenario) == approx(1000 + 100).epsilon(0.01));
  const Result result = simulate(scenario);
  CHECK(result.bound.samples_per_s == approx(1000 + 100).epsilon(0.01));
  check_loads(result, 0.01);
  scenario.exchange.mode = ExchangeMode::synchronous;
  CHECK(rate_of(scenario) == approx(2 * 100).epsilon(0.01));
}

TEST_CASE("a GPU that comes to no batch before all are trained waits for one all the time") {
  RandomMachine m = machine_of_cluster(4);
  m.steps = 2;
  m.workers = 8;  // those of the first GPU take all eight batches
  const Result result = simulate(asynchronous(m));
  CHECK(result.accelerator_utilization * result.training_s == approx(2 * kStep).epsilon(1e-6));
  CHECK(result.gpus.front().share.storage > 0.5);
  check_spent_once(result);
}

TEST_CASE("a checkpoint stops GPUs that do not wait for one another, too") {
  RandomMachine m = machine_of_cluster(4);
  m.steps = 2000;
  Scenario scenario = asynchronous(m);
  scenario.checkpoint = checkpoint_every(50);
  const Result result = simulate(scenario);
  REQUIRE(result.checkpoint);
  CHECK(result.checkpoint->count == 40);
  const double period = 50 * kStep + result.checkpoint->pause_s;
  CHECK(result.checkpoint->pause_s > 4.0);  // one drive of 1 GB/s
  // Up to three GPUs compute on while the checkpoint begins.
  CHECK(result.throughput_samples_per_s >= 50 * 4 * kBatch / period * 0.995);
  CHECK(result.throughput_samples_per_s <= 50 * 4 * kBatch / (period - kStep));
  CHECK(result.gpus.front().share.checkpoint ==
        approx(result.checkpoint->pause_s / period).epsilon(0.02));
  check_spent_once(result);
}

TEST_CASE(
    "GPUs that read nothing any more and collide at the servers are known as soon as others") {
  RandomMachine m = machine_of_cluster(4);
  m.parameters = kParameters;
  m.rate[kMemory] = 2e11;
  Scenario scenario = scenario_of(m);
  scenario.exchange.algorithm = Algorithm::parameter_server;
  scenario.workload.get<RunsEpochs>().epochs = 5;
  scenario.workload.get<RunsEpochs>().samples = {};
  edit(scenario.system, [](System& system) {
    for (auto& socket : system.sockets) socket.memory = 1000_GB;
  });
  const Result result = simulate(scenario);
  REQUIRE(result.cache.hit_rate == 1);
  CHECK(result.simulated.step_rate_uncertainty <= 0.001);
  CHECK(result.simulated.steps < 800);
}

TEST_CASE("samples to a target are told with a warning: older weights may need more") {
  Scenario scenario = asynchronous(machine_of_cluster(2));
  scenario.workload.get<kind::Training>().target = {{64, 100'000, "a test", Basis::measured, {}}};
  const Result result = simulate(scenario);
  REQUIRE(result.time_to_target_s);
  CHECK(result.warnings == std::vector{fact<WarningCode::target_of_synchronous_training>(),
                                       fact<WarningCode::asynchronous_unseen>()});
}

TEST_CASE("random clusters, asynchronous: below the bound, time spent once, engines agree") {
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= costly_draws(120u); ++seed) {
    CAPTURE(seed);
    Scenario scenario = cluster_of(random_machine(seed), seed);
    scenario.exchange.mode = ExchangeMode::asynchronous;
    scenario.exchange.algorithm = Algorithm::parameter_server;
    if (seed % 2 == 0) speed_up_first(scenario, 2);
    if (seed % 3 == 0) scenario.exchange.staleness = static_cast<std::int64_t>(seed % 5);
    const Result result = simulate(scenario);
    const double noise = std::max(0.002, 2 * result.simulated.step_rate_uncertainty);
    if (noise <= 0.01) ++exact;
    CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + noise));
    check_spent_once(result);
    check_loads(result, noise);
    if (seed > 20) continue;
    scenario.run.engine = EngineKind::fluid;
    CHECK(simulate(scenario).throughput_samples_per_s ==
          approx(result.throughput_samples_per_s).epsilon(2 * noise));
  }
  MESSAGE(exact << " clusters had a narrow tolerance");
  CHECK(exact >= costly_draws(60));
}

TEST_CASE("the spans of every GPU follow one another without a gap") {
  Scenario scenario = asynchronous(machine_of_cluster(3));
  scenario.workload.get<kind::Training>().step_jitter = {0.2};
  scenario.run.timeline = true;
  const Result result = simulate(scenario);
  REQUIRE(result.timeline.size() == 2);
  for (const auto& stretch : result.timeline)
    for (const auto& gpu : stretch.gpus) {
      double reached = gpu.intervals.front().start_s;
      for (const auto& span : gpu.intervals) {
        CHECK(span.start_s == approx(reached).epsilon(1e-12));
        reached = span.end_s;
      }
      CHECK(reached > gpu.intervals.front().start_s + 7 * kStep);
    }
}
