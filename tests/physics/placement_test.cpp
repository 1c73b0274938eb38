// SPDX-License-Identifier: Apache-2.0
// Nodes with unlike numbers of GPUs (`workload.placement`), against formulas of a line.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/plan/exchange/plan_exchange.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/cluster.h"
#include "tests/support/edits.h"
#include "tests/support/refusals.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

using Placement = std::vector<std::int64_t>;

Scenario placed(RandomMachine m, const Placement& placement) {
  m.gpus = std::ranges::max(placement);
  Scenario scenario = scenario_of(m);
  scenario.nodes = std::ssize(placement);
  scenario.workload.get<kind::Training>().placement = placement;
  return scenario;
}

Scenario exchanging(const Placement& placement, Algorithm algorithm = Algorithm::ring) {
  RandomMachine m = machine_of_cluster(1);
  m.rate[kMemory] = 1e13;
  m.parameters = kParameters;
  Scenario scenario = placed(m, placement);
  scenario.exchange.algorithm = algorithm;
  scenario.exchange.path.value = ReadPath::host;
  return scenario;
}

double all_of(const Placement& placement) {
  return static_cast<double>(std::accumulate(placement.begin(), placement.end(), std::int64_t{0}));
}

const std::vector<Placement> kPlacements{{1, 3},       {3, 1},    {1, 4},
                                         {1, 1, 2, 4}, {2, 1, 3}, {4, 4, 1}};

std::string refused(const std::string& keys) {
  return refusal_of([&] {
    parse_scenario(
        "title = \"t\"\nnodes = 2\nsystem = \"nvidia-dgx1-p100\"\n[data]\nat = \"scratch\"\n"
        "[workload]\nmodel = \"alexnet\"\ndataset = \"imagenet-1k\"\n" +
            keys,
        "t.toml", own_catalog());
  });
}

bool says(const std::string& keys, std::string_view text) {
  const std::string said = refused(keys);
  CAPTURE(said);
  return said.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a ring over any placement sends 2 (N - 1) / N of the gradients by each node's port") {
  for (const Placement& placement : kPlacements) {
    const double gpus = all_of(placement);
    const double expected = 2 * (gpus - 1) / gpus * kGradients / systems::kPort;
    CHECK(exchange_time(make_plan(exchanging(placement))).value ==
          doctest::Approx(expected).epsilon(0.01));
  }
}

TEST_CASE("two trees over any placement send halves of the gradients up and down each edge") {
  for (const Placement& placement : kPlacements) {
    const int nodes = static_cast<int>(placement.size());
    std::vector<double> sent(placement.size(), 0);
    for (const bool mirrored : {false, true})
      for (int v = 1; v < nodes; ++v)
        for (const int end : {v, (v - 1) / 2})
          sent[static_cast<std::size_t>(mirrored ? nodes - 1 - end : end)] += kGradients / 2;
    CHECK(exchange_time(make_plan(exchanging(placement, Algorithm::tree))).value ==
          doctest::Approx(std::ranges::max(sent) / systems::kPort).epsilon(0.01));
  }
}

TEST_CASE("an even placement is what gpus and nodes say, to the last digit") {
  const Scenario placed_ones = exchanging({2, 2, 2});
  Scenario counted = exchanging({2, 2, 2});
  counted.workload.get<kind::Training>().placement.clear();
  const Result a = simulate(placed_ones), b = simulate(counted);
  CHECK(a.throughput_samples_per_s == b.throughput_samples_per_s);
  CHECK(a.time_to_result_s == b.time_to_result_s);
  CHECK(a.bound.samples_per_s == b.bound.samples_per_s);
}

TEST_CASE("all GPUs of a placement train, each as many samples, and permuted ones alike") {
  for (const Placement& placement : kPlacements) {
    const Scenario scenario = exchanging(placement);
    const Result result = simulate(scenario);
    std::int64_t gpus = 0;
    for (const GpuGroup& group : result.gpus) gpus += group.count;
    CHECK(static_cast<double>(gpus) == all_of(placement));
    CHECK(
        result.throughput_samples_per_s * result.step_s ==
        doctest::Approx(all_of(placement) * static_cast<double>(samples_of_step(scenario.workload)))
            .epsilon(0.01));
    Placement turned = placement;
    std::ranges::reverse(turned);
    CHECK(simulate(exchanging(turned)).throughput_samples_per_s ==
          doctest::Approx(result.throughput_samples_per_s).epsilon(0.01));
  }
}

TEST_CASE("no route is left of GPUs that the first node does not have") {
  for (const Placement& placement : kPlacements) {
    Scenario scenario = exchanging(placement);
    scenario.workload.get<RunsEpochs>().epochs = 3;
    scenario.loader.cache_memory = Bytes{1e12};
    const Plan plan = make_plan(scenario);
    std::vector<RouteIndex> used;
    for (const GpuPlan& gpu : plan.gpus) {
      used.insert(used.end(), gpu.reads.begin(), gpu.reads.end());
      for (const auto& route : {gpu.hits, gpu.copy})
        if (route) used.push_back(*route);
    }
    for (const ExchangePhase& phase : plan.exchange)
      for (const auto& flow : phase.flows) used.push_back(flow.route);
    for (const RouteIndex route : plan.routes.indices()) CHECK(std::ranges::count(used, route) > 0);
  }
}

TEST_CASE("where reading is the limit, the node with most GPUs sets the pace of all") {
  constexpr double kRead = 1e8;
  for (const Placement& placement : kPlacements) {
    RandomMachine m = ample_machine();
    m.nics = 1;
    m.exchange = true;
    m.rate[kDrive] = kRead;
    const Scenario scenario = placed(m, placement);
    const double of_node = kRead * static_cast<double>(scenario.system->drives.size()) /
                           scenario.workload.dataset()->sample_size.value;
    const double expected =
        of_node * all_of(placement) / static_cast<double>(std::ranges::max(placement));
    const Result result = simulate(scenario);
    CHECK(result.throughput_samples_per_s == doctest::Approx(expected).epsilon(0.03));
    CHECK(result.bound.samples_per_s == doctest::Approx(expected).epsilon(0.001));
  }
}

TEST_CASE("a placement that no job has, or that is not simulated, is refused by name") {
  CHECK(refused("placement = [1, 3]\nsamples = 100_000\n") == "accepted");
  CHECK(says("placement = [1, 3, 4]\n", "says the GPUs of 3 nodes, and nodes is 2; set nodes = 3"));
  CHECK(says("placement = [1, 9]\n", "has 9 GPUs of a node; expected 1 to 8"));
  CHECK(says("placement = [0, 2]\n", "has 0 GPUs of a node; expected 1 to 8"));
  CHECK(says("placement = [1, \"a\"]\n", "whole number"));
  CHECK(says("placement = \"1+3\"\n", "an array of whole numbers"));
  CHECK(says("placement = [1, 3]\ngpus = 2\n", "exclude each other"));
  CHECK(says("placement = [1, 3]\n[exchange]\nalgorithm = \"torus\"\n", "\"ring\" or \"tree\""));
  CHECK(says("placement = [1, 3]\n[exchange]\nmode = \"asynchronous\"\n", "\"synchronous\""));
  CHECK(says("placement = [2, 4]\n[parallel]\ntensor = 2\n", "splits no model"));
  CHECK(refused("placement = [4, 4]\nsamples = 100_000\n[exchange]\nalgorithm = \"torus\"\n") ==
        "accepted");
}
