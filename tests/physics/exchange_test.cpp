// SPDX-License-Identifier: Apache-2.0
// What travels between GPUs and nodes, every algorithm against its formula.
#include "sim/plan/exchange/plan_exchange.h"
#include "sim/plan/make/make_plan.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/simulate.h"
#include "tests/support/checks.h"
#include "tests/support/cluster.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kHopLatency = 6e-6;  ///< four links of 1 us and the fabric's 2 us
constexpr std::int64_t kNodes = 4;

/// Four nodes of two GPUs and one network card, nothing slow but the network.
RandomMachine node() {
  RandomMachine m = machine_of_cluster(2);
  m.rate[kMemory] = 1e13;
  m.parameters = kParameters;
  return m;
}

Scenario cluster(Algorithm algorithm, std::int64_t nodes = kNodes) {
  Scenario scenario = scenario_of(node());
  scenario.nodes = nodes;
  scenario.exchange.algorithm = algorithm;
  return scenario;
}

double exchange_s(const Scenario& scenario) { return exchange_time(make_plan(scenario)).value; }

void set_model(Scenario& scenario, std::int64_t blocks, Bytes block_output) {
  edit(scenario.workload.model(), [&](Model& model) {
    model.blocks = blocks;
    model.block_output = block_output;
  });
}

Parallel split(std::int64_t tensor, std::int64_t pipeline, std::int64_t micro_batches) {
  Parallel parallel;
  parallel.tensor = tensor;
  parallel.pipeline = pipeline;
  parallel.micro_batches = micro_batches;
  return parallel;
}

}  // namespace

TEST_CASE("a ring over all GPUs sends 2 (N-1)/N of the gradients over every network card") {
  const double ranks = 2 * kNodes;
  CHECK(exchange_s(cluster(Algorithm::ring)) ==
        approx(2 * (ranks - 1) / ranks * kGradients / kPort + 2 * (ranks - 1) * kHopLatency));
}

TEST_CASE("two trees of nodes bring half of the gradients each up and down") {
  // Nodes 0 to 3: 0 is over 1 and 2, 1 over 3, and the other way round; every node then receives
  // three halves, in two levels up and two down.
  CHECK(exchange_s(cluster(Algorithm::tree)) == approx(1.5 * kGradients / kPort + 4 * kHopLatency));
}

TEST_CASE("hierarchical: a chain to one GPU of each node, a ring of these, and back") {
  const double chain = kGradients / kPcie + 2e-6;
  const double ring = 2.0 * (kNodes - 1) / kNodes * kGradients / kPort;
  CHECK(exchange_s(cluster(Algorithm::hierarchical)) ==
        approx(2 * chain + ring + 2 * (kNodes - 1) * kHopLatency));
}

TEST_CASE("a torus scatters along rows, sums along columns, gathers along rows") {
  const double row = kGradients / 2 / kPcie + 2e-6;
  // Both columns share the network card, each with half of the gradients.
  const double column = 2.0 * (kNodes - 1) / kNodes * kGradients / kPort;
  CHECK(exchange_s(cluster(Algorithm::torus)) ==
        approx(2 * row + column + 2 * (kNodes - 1) * kHopLatency));
  Scenario narrow = cluster(Algorithm::torus);
  narrow.exchange.torus_width = 1;  // one column of all GPUs: a plain ring
  CHECK(exchange_s(narrow) == approx(exchange_s(cluster(Algorithm::ring))));
}

TEST_CASE("parameter servers receive all gradients and send all weights") {
  // Two GPUs a node, of whose gradients (n-1)/n leave it; as much arrives at its server.
  const double one_way = 2 * kGradients * (kNodes - 1) / kNodes / kPort;
  CHECK(exchange_s(cluster(Algorithm::parameter_server)) ==
        approx(2 * (one_way + kHopLatency)).epsilon(1e-3));
  Scenario single = cluster(Algorithm::parameter_server);
  single.exchange.servers = 1;  // all other GPUs through one card
  CHECK(exchange_s(single) == approx(2.0 * 2 * (kNodes - 1) * kGradients / kPort).epsilon(1e-3));
}

TEST_CASE("a memory that is idle on average still holds back gradients that come all at once") {
  RandomMachine m = node();
  m.gpus = 8;
  m.steps = 10'000;
  m.rate[kMemory] = 2e11;
  Scenario scenario = scenario_of(m);
  scenario.exchange.algorithm = Algorithm::parameter_server;
  scenario.workload.get<RunsEpochs>().batch_per_gpu = 1000;  // one second of computing
  // Every byte passes the memory four times on its way there, once by DMA and three times to be
  // summed, and once on its way back.
  const double exchange = 8 * kGradients * 5 / 2e11;
  CHECK(steady_step_of(simulate(scenario)) == approx(1 + exchange).epsilon(0.003));
}

TEST_CASE(
    "servers are reached through the GPUs' network cards, not through one beside the memory") {
  Scenario scenario = cluster(Algorithm::parameter_server);
  const double plain = exchange_s(scenario);
  System system = *scenario.system;
  system.switches.clear();
  add_device(system.switches, "plx0", "cpu0",
             ref(plugged<Switch>("plx", link(Bandwidth{kPcie}, 1_us), 1)));
  for (auto& gpu : system.gpus) gpu.at.id = Label("plx0");
  system.nics.front().at.id = Label("plx0");
  add_device(system.nics, "slow", "cpu0", nic(link(Bandwidth{kPcie}, 1_us), 1, 1_MBps));
  scenario.system = ref(joined(std::move(system)));
  CHECK(exchange_s(scenario) == approx(plain).epsilon(0.01));
}

TEST_CASE("auto takes the fastest, which changes with size and topology") {
  const auto chosen = [](const Scenario& scenario) { return make_plan(scenario).algorithm; };
  const auto fastest = [&](Scenario scenario) {
    double least = exchange_s(scenario);
    for (const auto algorithm :
         {Algorithm::ring, Algorithm::tree, Algorithm::hierarchical, Algorithm::torus}) {
      scenario.exchange.algorithm = algorithm;
      least = std::min(least, exchange_s(scenario));
    }
    return least;
  };
  const Scenario four = cluster(Algorithm::automatic);
  CHECK(exchange_s(four) == approx(fastest(four)));
  CHECK(chosen(four) == Algorithm::tree);
  // Of two nodes a torus sends S over each card, the ring 1.5 S.
  const Scenario two = cluster(Algorithm::automatic, 2);
  CHECK(exchange_s(two) == approx(fastest(two)));
  CHECK(chosen(cluster(Algorithm::automatic, 1)) == Algorithm::ring);
}

TEST_CASE("an oversubscribed uplink slows what leaves its leaf switch") {
  Scenario scenario = cluster(Algorithm::ring);
  scenario.fabric = Fabric{};
  scenario.fabric->nodes_per_switch = 2;
  const double all = exchange_s(scenario);
  CHECK(all == approx(exchange_s(cluster(Algorithm::ring))));  // as wide as its ports
  scenario.fabric->uplink_bandwidth = Bandwidth{kPort / 4};
  const double latency = 2 * 7 * kHopLatency;
  CHECK(exchange_s(scenario) - latency == approx(4 * (all - latency)));
}

TEST_CASE("rails keep what stays on one network card off the uplinks") {
  RandomMachine m = node();
  m.nics = 2;
  Scenario scenario = scenario_of(m);
  scenario.nodes = 2;
  scenario.exchange.algorithm = Algorithm::torus;
  const double plain = exchange_s(scenario);
  scenario.fabric = Fabric{};
  scenario.fabric->rails = true;
  scenario.fabric->uplink_bandwidth = 1_MBps;
  CHECK(exchange_s(scenario) == approx(plain));
}

TEST_CASE("through host memory what a GPU sends passes it once more each way") {
  Scenario scenario = cluster(Algorithm::ring);
  scenario.exchange.path = ReadPath::host;
  const Plan plan = make_plan(scenario);
  CHECK(loads_of(plan).exchanged[plan.graph.memory_resource({PartKind::socket, 0})] *
            plan.global_batch() ==
        approx(4 * 2 * 7.0 / 8 * kGradients));
}

TEST_CASE("a step is computing and the exchange, but for what overlaps") {
  Scenario scenario = cluster(Algorithm::ring);
  const double compute = kStep;
  const double exchange = exchange_s(scenario);
  const double samples = 32.0 * 2 * kNodes;
  CHECK(rate_of(scenario) == approx(samples / (compute + exchange)).epsilon(0.003));
  scenario.exchange.overlap = {0.5};
  CHECK(rate_of(scenario) == approx(samples / (compute / 2 + exchange)).epsilon(0.003));
}

TEST_CASE("N nodes with little to exchange train N times as fast, until the store gives no more") {
  RandomMachine m = node();
  m.parameters = 1;
  m.steps = 1000;
  m.store = true;
  m.rate[kArray] = 7e8;
  Scenario scenario = scenario_of(m);
  CHECK(rate_of(scenario) == approx(2e3).epsilon(0.01));
  scenario.nodes = 3;
  CHECK(rate_of(scenario) == approx(6e3).epsilon(0.01));
  scenario.nodes = 6;
  const Result six = simulate(scenario);
  CHECK(steady_of(six) == approx(7e8 / 1e5).epsilon(0.01));
  CHECK(six.bound.samples_per_s == approx(7e8 / 1e5).epsilon(0.01));
  CHECK(six.bottleneck.resource == fact<LimiterCode::store>());
}

TEST_CASE("at the barrier all wait for the slowest: the expected greatest of N") {
  RandomMachine m = node();
  m.exchange = false;
  m.gpus = 8;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<kind::Training>().step_jitter = {0.1};
  CHECK(rate_of(scenario) == approx(8e3 / (1 + 0.1 * kGreatestOf8)).epsilon(0.01));
}

TEST_CASE("host work adds to every step, more where a core serves many GPUs") {
  Scenario scenario = scenario_of(node());
  scenario.workload.model() = cluster(Algorithm::ring).workload.model();
  const double before = steady_step_of(simulate(scenario));
  scenario.workload.get<kind::Training>().step_overhead = 1_ms;
  scenario.workload.get<kind::Training>().contention_overhead = 64_ms;  // 2 GPUs on 64 cores
  CHECK(steady_step_of(simulate(scenario)) == approx(before + 1e-3 + 2e-3).epsilon(0.003));
}

TEST_CASE("time to target follows the samples that the global batch needs") {
  Scenario scenario = cluster(Algorithm::ring);
  scenario.workload.get<kind::Training>().target = {{128, 100'000, "a test", Basis::measured, {}},
                                                    {512, 400'000, "a test", Basis::measured, {}}};
  const Result result = simulate(scenario);  // 256: half way on both logarithms
  REQUIRE(result.time_to_target_s.has_value());
  CHECK(*result.time_to_target_s ==
        approx(200'000 / result.throughput_samples_per_s).epsilon(1e-6));
  CHECK(samples_to_target(scenario.workload.get<kind::Training>().target, 64) == 100'000);
  CHECK(samples_to_target(scenario.workload.get<kind::Training>().target, 4096) == 400'000);
}

TEST_CASE("tensor parallel: four all-reduces of every block's output, gradients a part") {
  Scenario scenario = cluster(Algorithm::automatic);
  set_model(scenario, 24, 1_MB);
  scenario.parallel = split(2, 1, 1);
  const Plan plan = make_plan(scenario);
  REQUIRE(plan.exchange.size() == 2);
  // Half of the gradients each, in rings of four replicas.
  CHECK(plan.exchange[0].flows.front().size.value == approx(kGradients / 2 * 2 * 3.0 / 4));
  // A replica of two GPUs works on 64 samples; 2 (t-1)/t = 1.
  CHECK(plan.exchange[1].flows.front().size.value == approx(4 * 24 * 64 * 1e6));
  CHECK(plan.gpus.front().compute.value == approx(kStep));
  auto& computed = scenario.workload.get<ComputesModel>();
  edit(computed.model, [](Model& model) { model.compute.front().precision = "bf16"; });
  computed.precision = "bf16";  // all in half the bytes
  const Plan half = make_plan(scenario);
  CHECK(half.exchange[0].flows.front().size.value == approx(kGradients / 2 * 3.0 / 4));
  CHECK(half.exchange[1].flows.front().size.value == approx(2 * 24 * 64 * 1e6));
  // Computed forward once more, blocks are summed up so once more, too.
  scenario.workload.get<kind::Training>().recompute = Recompute::full;
  CHECK(make_plan(scenario).exchange[1].flows.front().size.value == approx(3 * 24 * 64 * 1e6));
}

TEST_CASE("gradients of replicas travel behind computing, what a block computes on next does not") {
  Scenario scenario = cluster(Algorithm::automatic);
  set_model(scenario, 24, 1_MB);
  const auto time_with = [&](const Parallel& parallel, double overlap) {
    scenario.parallel = parallel;
    scenario.exchange.overlap = Ratio{overlap};
    return undisturbed_step(make_plan(scenario)).value;
  };
  const auto gradients = [&](const Parallel& parallel) {
    scenario.parallel = parallel;
    const Plan plan = make_plan(scenario);
    return PhaseTimes(plan).of(plan.exchange[0]).value;
  };
  for (const Parallel& parallel : {split(2, 1, 1), split(1, 2, 4), split(2, 2, 4)}) {
    const double hidden = time_with(parallel, 0) - time_with(parallel, 1);
    CHECK(hidden ==
          approx(std::min(gradients(parallel), make_plan(scenario).gpus.front().compute.value)));
  }
  // One replica has no gradients to send.
  CHECK(time_with(split(kNodes, 2, 4), 1) == approx(time_with(split(kNodes, 2, 4), 0)));
}

TEST_CASE("when GPUs compute in no time, the exchange holds back what follows it") {
  Scenario scenario = cluster(Algorithm::ring);
  scenario.workload.get<RunsEpochs>().batch_per_gpu = 256;  // computing takes most of a step
  const Result result = simulate(scenario);
  const Plan plan = make_plan(scenario);
  REQUIRE(plan.gpus.front().compute > exchange_time(plan));
  CHECK(result.bottleneck.resource == fact<LimiterCode::gpu_compute>());
  CHECK(result.bottleneck.next == fact<LimiterCode::gradient_exchange>());
  const double alone = plan.global_batch() / exchange_time(plan).value;
  CHECK(result.bottleneck.distance == approx(alone / result.throughput_samples_per_s));
}

TEST_CASE("the bubble of a pipeline is no computing") {
  Scenario scenario = cluster(Algorithm::automatic, 2);
  set_model(scenario, 24, 1_kB);
  for (const std::int64_t parts : {1, 4, 32}) {
    scenario.parallel = split(1, 4, parts);
    const Result result = simulate(scenario);
    // Each of four stages computes for the time of m micro-batches of m + 3.
    const double m = static_cast<double>(parts);
    const Plan plan = make_plan(scenario);
    const double bubble = plan.gpus.front().compute.value * 3 / (m + 3);
    const double step = plan.global_batch() / result.throughput_samples_per_s;
    CHECK(result.accelerator_utilization == approx(kStep / step).epsilon(0.01));
    CHECK(result.gpus.front().share.barrier == approx(bubble / step).epsilon(0.01));
  }
}

TEST_CASE("pipeline parallel: stages wait (p-1)/m of the time, boundaries are crossed twice") {
  Scenario scenario = cluster(Algorithm::automatic);
  set_model(scenario, 24, 1_MB);
  scenario.parallel = split(1, 4, 8);
  const Plan plan = make_plan(scenario);
  CHECK(plan.gpus.front().compute.value == approx(kStep * (1 + 3.0 / 8)));
  REQUIRE(plan.exchange.size() == 2);
  CHECK(plan.exchange[1].flows.size() == 2 * 3 * 2);  // two replicas, three boundaries, both ways
  CHECK(plan.exchange[1].flows.front().size.value == approx(4 * 32 * 1e6));
}

TEST_CASE("a square grid (SUMMA) multiplies in time only where the links keep up with the cores") {
  // Devices of 15 TFLOP/s, matrices of 2000 x 2000 in FP32: one device with its memory of 300 GB/s
  // keeps up, ten that are joined by 30 GB/s do not.
  const double n = 2000;
  const Bytes matrix{n * n * 4};
  const auto traffic_over_work = [&](std::int64_t devices, Bandwidth bandwidth) {
    const Seconds moved = summa_traffic(matrix, matrix, devices) / bandwidth;
    const double computed = 2 * n * n * n / static_cast<double>(devices) / 15e12;
    return moved.value / computed;
  };
  CHECK(traffic_over_work(1, 300_GBps) == approx(4 * 15e12 / (n * 300e9)));
  CHECK(traffic_over_work(1, 300_GBps) < 1);
  CHECK(traffic_over_work(10, 30_GBps) == approx(4 * 15e12 * std::sqrt(10) / (n * 30e9)));
  CHECK(traffic_over_work(10, 30_GBps) > 1);
}

TEST_CASE("tensor parallel on a grid moves tiles of inputs and weights") {
  Scenario scenario = cluster(Algorithm::automatic, 2);
  set_model(scenario, 10, 1_MB);
  scenario.parallel = split(4, 1, 1);
  scenario.parallel->layout = TensorLayout::grid;
  const Plan plan = make_plan(scenario);
  double sent = 0;
  for (const auto& flow : plan.exchange[0].flows) sent += flow.size.value;
  const double inputs = 4 * 32 * 1e6 / 2;      // of the replica's samples, over the grid's side
  const double weights = kGradients / 40 / 2;  // of one of 40 matrices
  CHECK(sent == approx(4 * 120 * (inputs + weights)));
}
