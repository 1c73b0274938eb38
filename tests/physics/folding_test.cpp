// SPDX-License-Identifier: Apache-2.0
// Few nodes that stand for all, against all nodes one by one.
#include "sim/job/fold/fold.h"
#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/base/numbers/random.h"
#include "sim/job/exchange_job.h"
#include "sim/job/fold/alike_flows.h"
#include "sim/kinds/training/training.h"
#include "sim/plan/limits/stages.h"
#include "sim/simulate.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/kinds.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kAgree = 0.005;

/// Nodes of eight GPUs of 1000 samples/s, two network cards, two drives; reads cost half of what
/// each node could deliver at most, so that the GPUs hold all up.
RandomMachine node() {
  RandomMachine m = ample_machine();
  m.gpus = 8;
  m.nics = 2;
  m.drives = 2;
  m.parameters = 10'000'000;
  m.exchange = true;
  m.rate[kMemory] = 1e13;
  m.rate[kNicPort] = 1e10;
  m.jitter = 0.05;
  m.steps = 120;
  return m;
}

Scenario cluster(const RandomMachine& m, std::int64_t nodes) {
  Scenario scenario = scenario_of(m);
  scenario.nodes = nodes;
  edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.samples *= nodes; });
  return scenario;
}

Scenario on_store(Scenario scenario, double bandwidth) {
  edit(scenario.store["nas"].model,
       [&](Array& array) { array.read_bandwidth = Bandwidth{bandwidth}; });
  scenario.data.at = part(scenario, "nas");
  return scenario;
}

/// Whose readers get unlike shares of it, of one stripe each.
Scenario shared_unevenly(Scenario scenario, double deviation, Bandwidth stream) {
  Store& store = scenario.store["nas"];
  edit(store.model, [&](Array& array) { array.stripe_bandwidth = stream; });
  store.stripes = 1;
  auto protocol = named<Protocol>("protocol");
  protocol.share_deviation = {deviation};
  store.protocol = ref(std::move(protocol));
  return scenario;
}

/// Every step of all, against every step of few.
/// \return why few stood for all, or did not
std::string check_agrees(Scenario scenario) {
  scenario.run.extrapolate = false;
  const Result few = simulate(scenario);
  CAPTURE(few.simulated.folded.why);
  scenario.run.fold = false;
  const Result all = simulate(scenario);
  CHECK(all.simulated.folded.simulated_nodes == scenario.nodes);
  CHECK(few.resources.size() == all.resources.size());
  const double noise = few.simulated.step_rate_uncertainty + all.simulated.step_rate_uncertainty;
  const auto* training = scenario.workload.find<kind::Training>();
  const double jitter = training ? training->step_jitter.value.value : 0;
  const double steps = jitter / std::sqrt(few.simulated.steps);
  CHECK(few.throughput_samples_per_s ==
        approx(all.throughput_samples_per_s).epsilon(kAgree + noise));
  CHECK(few.accelerator_utilization == approx(all.accelerator_utilization).epsilon(kAgree + noise));
  CHECK(few.training_s == approx(all.training_s).epsilon(kAgree + steps));
  if (few.checkpoint)
    CHECK(few.checkpoint->pause_s == approx(all.checkpoint->pause_s).epsilon(kAgree));
  return few.simulated.folded.why;
}

const std::string kAlike = "nodes are alike";

}  // namespace

TEST_CASE("GPUs hold all up: every exchange, on one switch or on several") {
  for (const auto algorithm : {Algorithm::ring, Algorithm::tree, Algorithm::hierarchical,
                               Algorithm::torus, Algorithm::parameter_server}) {
    CAPTURE(name_of(algorithm));
    Scenario scenario = cluster(node(), 32);
    scenario.exchange.algorithm = algorithm;
    // The roots of trees send less than other nodes.
    const std::string expected =
        algorithm == Algorithm::tree
            ? "nodes take unlike parts in the exchange, which loaders disturb"
            : kAlike;
    CHECK(check_agrees(scenario) == expected);
    scenario.fabric.emplace();
    scenario.fabric->nodes_per_switch = 4;
    scenario.fabric->rails = true;
    scenario.fabric->uplink_bandwidth = 20_GBps;  // half of what four cards bring
    CHECK(check_agrees(scenario) == expected);
  }
}

TEST_CASE("at the barrier all wait for the slowest of all, not of the few") {
  RandomMachine m = node();
  m.exchange = false;
  m.steps = 600;
  Scenario scenario = cluster(m, 64);
  scenario.workload.get<kind::Training>().step_jitter = {0.1};
  CHECK(check_agrees(scenario) == kAlike);
  // Gamma with mean 1 and deviation 0.1: mean of the greatest of 512.
  constexpr double kGreatestOf512 = 1.332;
  const double compute_s = 32 / 1e3;
  const double step_s = compute_s * kGreatestOf512 + exchange_time(make_plan(scenario)).value;
  const Result result = simulate(scenario);
  CHECK(result.simulated.folded.simulated_nodes == 8);
  CHECK(steady_step_of(result) == approx(step_s).epsilon(0.01));
  CHECK(result.accelerator_utilization == approx(compute_s / step_s).epsilon(0.01));
}

TEST_CASE("a store that all share holds all up: the few have their part of it") {
  RandomMachine m = node();
  m.parameters = 1000;
  Scenario scenario = on_store(cluster(m, 32), 1.28e10);  // half of what 256 GPUs ask for
  CHECK(check_agrees(scenario) == kAlike);
  const Result result = simulate(scenario);
  CHECK(steady_of(result) == approx(128e3).epsilon(0.01));
  CHECK(result.bottleneck.resource == fact<LimiterCode::store>());
  scenario.fabric.emplace();
  scenario.fabric->nodes_per_switch = 8;
  scenario.fabric->uplink_bandwidth = 1_GBps;  // 10,000 samples/s for each of four switches
  CHECK(check_agrees(scenario) == kAlike);
  CHECK(rate_of(scenario) == approx(40e3).epsilon(0.01));
}

TEST_CASE("few readers have the shares of a store that all have") {
  for (const double deviation : {0.2, 0.4})
    for (const Bandwidth stream : {40_MBps, 300_MBps}) {
      double all = 0, few = 0;
      for (int seed = 0; seed < 4; ++seed) {
        RandomMachine m = node();
        m.parameters = 1000;
        m.workers = 2;
        m.steps = 60;
        // An eighth of what 512 GPUs ask for.
        Scenario scenario = shared_unevenly(on_store(cluster(m, 64), 6.4e9), deviation, stream);
        scenario.run.seed = seed;
        scenario.run.replications = 1;
        scenario.run.extrapolate = false;
        const Result folded = simulate(scenario);
        CHECK(folded.simulated.folded.why == kAlike);
        CHECK(folded.simulated.folded.simulated_nodes == 8);
        few += folded.throughput_samples_per_s;
        scenario.run.fold = false;
        all += simulate(scenario).throughput_samples_per_s;
      }
      CAPTURE(deviation);
      CAPTURE(stream.value);
      CHECK(few == approx(all).epsilon(kAgree));
    }
}

TEST_CASE("shares of few keep the weight and the least of all") {
  Scenario scenario = shared_unevenly(on_store(cluster(node(), 64), 6.4e9), 0.3, 300_MBps);
  Plan all = make_plan(scenario);
  const Folding folding = fold_nodes(scenario, all);
  REQUIRE(folding.plan);
  const auto weights = [](const Plan& plan) {
    std::vector<int> each;
    for (const GpuPlan& gpu : plan.gpus) each.push_back(gpu.share.eighths);
    return each;
  };
  const auto of_all = weights(all), of_few = weights(*folding.plan);
  CHECK(std::ranges::min(of_few) == std::ranges::min(of_all));
  CHECK(of_few.size() == 64);
  const auto sum = [](const std::vector<int>& each) {
    return std::accumulate(each.begin(), each.end(), 0.0);
  };
  CHECK(8 * sum(of_few) == approx(sum(of_all)).epsilon(0.005));
}

TEST_CASE("every node has a page cache for its part") {
  RandomMachine m = node();
  m.rate[kDrive] = 1e9;
  m.steps = 100;
  Scenario scenario = cluster(m, 32);
  scenario.exchange.algorithm = Algorithm::ring;
  scenario.workload.get<RunsEpochs>().epochs = 3;
  const double part = m.sample_size * static_cast<double>(m.steps * m.batch * m.gpus);
  scenario.loader.cache_memory = Bytes{16 * part};  // half of the data set, of which 1/32 is read
  CHECK(check_agrees(scenario) == kAlike);
  CHECK(simulate(scenario).cache.hit_rate > 0);
}

TEST_CASE("loaders alone, and emulated accelerators, on a store that all share") {
  RandomMachine m = node();
  Scenario scenario = on_store(cluster(m, 32), 1.28e10);
  become<kind::Loader>(scenario.workload);
  CHECK(check_agrees(scenario) == kAlike);
  auto job = named<Job>("job");
  job.compute_time = 32_ms;
  become<kind::Emulated>(scenario.workload).job = ref(std::move(job));
  scenario.workload.get<FeedsGpus>().gpus = m.gpus;
  CHECK(check_agrees(scenario) == kAlike);
}

TEST_CASE("checkpoints of all GPUs are folded, that of one GPU is not") {
  Scenario scenario = on_store(cluster(node(), 32), 1e11);
  scenario.exchange.algorithm = Algorithm::ring;
  scenario.checkpoint.emplace();
  scenario.checkpoint->interval_steps = 50;
  scenario.checkpoint->size = 50_GB;
  scenario.checkpoint->writers = CheckpointWriters::all;
  CHECK(check_agrees(scenario) == kAlike);
  scenario.checkpoint->mode = CheckpointMode::asynchronous;
  CHECK(check_agrees(scenario) == kAlike);
  scenario.checkpoint->writers = CheckpointWriters::one;
  Plan plan = make_plan(scenario);
  CHECK(fold_nodes(scenario, plan).why == "one GPU writes the checkpoints");
}

TEST_CASE("split models: stages that nodes share, and stages that are nodes") {
  Scenario scenario = cluster(node(), 32);
  edit(scenario.workload.model(), [](Model& model) {
    model.blocks = 16;
    model.block_output = 100_kB;
  });
  scenario.parallel.emplace();
  scenario.parallel->tensor = 2;
  scenario.parallel->pipeline = 4;
  scenario.parallel->micro_batches = 8;
  CHECK(check_agrees(scenario) == kAlike);
  scenario.parallel->tensor = 8;
  check_agrees(scenario);
}

TEST_CASE("thousands of nodes: a step is computing, and the ring's rounds and bytes") {
  RandomMachine m = node();
  m.steps = 600;
  double latency_of_round = 0, time_of_all = 0;
  for (const std::int64_t nodes : {32, 512, 8192}) {
    CAPTURE(nodes);
    Scenario scenario = cluster(m, nodes);
    scenario.exchange.algorithm = Algorithm::ring;
    const Plan plan = make_plan(scenario);
    const double ranks = 8.0 * static_cast<double>(nodes);
    double latency = 0;
    for (const ExchangePhase& phase : plan.exchange) latency += phase.latency.value;
    const double exchange = exchange_time(plan).value;
    if (nodes == 32) latency_of_round = latency / (ranks - 1);
    if (nodes == 32) time_of_all = (exchange - latency) * ranks / (ranks - 1);
    CHECK(latency == approx(latency_of_round * (ranks - 1)));
    CHECK(exchange - latency == approx(time_of_all * (ranks - 1) / ranks));
    const Result result = simulate(scenario);
    CHECK(result.simulated.folded.why == kAlike);
    CHECK(result.nodes == nodes);
    CHECK(steady_step_of(result) == approx(32 / 1e3 + exchange).epsilon(0.01));
  }
}

TEST_CASE("what makes nodes unequal is named, and all are simulated") {
  const auto reason = [](const Scenario& scenario) {
    Plan plan = make_plan(scenario);
    const Folding folding = fold_nodes(scenario, plan);
    CHECK(!folding.plan);
    CHECK(folding.nodes == scenario.nodes);
    return folding.why;
  };
  Scenario scenario = cluster(node(), 32);
  scenario.run.fold = false;
  CHECK(reason(scenario) == "run.fold is false");
  CHECK(reason(cluster(node(), 12)) == "few nodes, or no even part of them");
  CHECK(reason(cluster(node(), 31)) == "few nodes, or no even part of them");
  scenario = cluster(node(), 32);
  scenario.fabric.emplace();
  scenario.fabric->nodes_per_switch = 5;
  CHECK(reason(scenario) == "few nodes, or no even part of them");
  RandomMachine m = node();
  m.rate[kDecode] = 150;  // 64 cores: 9600 samples/s for 8000
  CHECK(reason(cluster(m, 32)) == "a late batch of one node may hold up all");
  m = node();
  m.steps = 3;
  m.rate[kDecode] = 1e3;
  CHECK(reason(cluster(m, 32)) == "epochs are short, and begin with the latest first batch");
  scenario = shared_unevenly(on_store(cluster(node(), 64), 1.28e10), 0.3, 10_MBps);
  CHECK(reason(scenario) == "readers share a busy store unevenly");
}

TEST_CASE("of two jobs few nodes tell the ratio, though chance on one of many holds all up") {
  const auto rates = [](double decode) {
    RandomMachine m = node();
    m.rate[kDecode] = decode;
    const Scenario scenario = cluster(m, 32);
    const Result few = simulate_few_nodes(scenario);
    CHECK(few.nodes == 32);
    CHECK(few.simulated.folded.simulated_nodes == 4);
    const Result all = simulate(scenario);
    CHECK(all.simulated.folded.simulated_nodes == 32);
    return std::pair(few.job_samples_per_s, all.job_samples_per_s);
  };
  const auto fast = rates(150), slow = rates(90);
  CHECK(fast.first / slow.first == approx(fast.second / slow.second).epsilon(0.01));
}

TEST_CASE("a phase of a large cluster is timed by one flow of each kind") {
  for (const Algorithm algorithm :
       {Algorithm::ring, Algorithm::tree, Algorithm::hierarchical, Algorithm::torus}) {
    CAPTURE(static_cast<int>(algorithm));
    Scenario scenario = cluster(node(), 32);
    scenario.exchange.algorithm = algorithm;
    const Plan plan = make_plan(scenario);
    REQUIRE(!plan.exchange.empty());
    AlikeFlows alike(plan);
    for (const ExchangePhase& phase : plan.exchange) {
      CHECK(alike.time_of(phase.flows).value == approx(time_together(plan, phase.flows).value));
      if (algorithm != Algorithm::tree)
        CHECK(alike.of(phase.flows).flows.size() <= phase.flows.size() / 32);
    }
  }
}

TEST_CASE("flows of any sizes, caps and ways end with those of their kinds") {
  Random random(1);
  for (int draw = 0; draw < draws(200); ++draw) {
    Plan plan;
    for (int r = 0; r < 12; ++r) {
      Resource resource{Label("r"), ResourceKind::network, {r < 6 ? 1e9 : 2e9}, {}};
      plan.graph.resources.add(std::move(resource));
    }
    std::vector<Flow> flows;
    for (int f = 0; f < 24; ++f) {
      Route route;
      for (int taken = 0; taken < 3; ++taken)
        route.resources.push_back(
            ResourceIndex(static_cast<std::size_t>(random.uniform(0, 12))));  // one of them twice
      if (f % 3 == 0) route.cap = Bandwidth{3e8};
      flows.push_back({plan.routes.add(route), Bytes{1e9 * (1 + f % 2)}, Weight{8 * (1 + f % 4)}});
    }
    AlikeFlows alike(plan);
    const auto as_all = [&] {
      CHECK(alike.time_of(flows).value == approx(time_together(plan, flows).value));
    };
    as_all();
    for (Flow& flow : flows) flow.size = flow.size * 0.3;  // a later phase of the same
    as_all();
    flows[static_cast<std::size_t>(draw % 24)].size =
        flows[static_cast<std::size_t>(draw % 24)].size * 2;  // one is like the others no longer
    as_all();
    flows[static_cast<std::size_t>(draw % 24)].route =
        flows[static_cast<std::size_t>((draw + 1) % 24)].route;
    as_all();
  }
}

TEST_CASE("one node has nothing to fold") {
  const Result result = simulate(cluster(node(), 1));
  CHECK(result.simulated.folded.simulated_nodes == 1);
  CHECK(result.simulated.folded.why.empty());
}

TEST_CASE("random clusters: few nodes stand for all, or all are simulated") {
  int folded = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    RandomMachine m = random_machine(seed);
    m.steps = 150;
    Scenario scenario = cluster_of(m, seed);
    edit(scenario.workload.dataset(),
         [&](Dataset& dataset) { dataset.samples *= 48 / scenario.nodes; });
    scenario.nodes = 48;
    if (check_agrees(scenario) == kAlike) ++folded;
  }
  MESSAGE(folded << " clusters were folded");
  CHECK(folded >= 4);
}
