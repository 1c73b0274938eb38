// SPDX-License-Identifier: Apache-2.0
// The plan of one node of each kind, against that of all nodes of the same cluster.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "sim/base/labels/label_text.h"
#include "sim/load/load.h"
#include "sim/model/compute.h"
#include "sim/model/uncertain.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/range/outlook.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/checkpoints.h"
#include "tests/support/draws.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kSums = 1e-9;  ///< sums are taken in another order

/// The last of its switches may not be full.
Scenario large_cluster(std::uint64_t seed) {
  Random random(seed + 9'000'000);
  Scenario scenario = cluster_of(random_machine(seed), seed);
  if (scenario.fabric) scenario.fabric->nodes_per_switch = random.integer(1, 9);
  scenario.nodes = random.integer(2, 30);
  edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.samples *= 10; });
  const auto gpus = static_cast<std::int64_t>(scenario.system->gpus.size());
  if (scenario.exchange.algorithm == Algorithm::parameter_server && random.integer(0, 1) == 0)
    scenario.exchange.servers = random.integer(1, scenario.nodes);
  if (random.integer(0, 3) == 0 && gpus % 2 == 0) {
    scenario.exchange.algorithm = Algorithm::automatic;
    Parallel& parallel = scenario.parallel.emplace();
    parallel.tensor = 2;
    if (scenario.nodes * gpus % 4 == 0) parallel.pipeline = random.integer(1, 2);
  }
  if (random.integer(0, 2) == 0) {
    scenario.checkpoint = checkpoint_every(100);
    scenario.checkpoint->writers =
        random.integer(0, 1) == 0 ? CheckpointWriters::one : CheckpointWriters::all;
  }
  return scenario;
}

Scenario with_other_rates(const Scenario& scenario, std::uint64_t seed) {
  Random random(seed + 10'000'000);
  std::vector<double> factors(uncertain_values(scenario).size());
  std::ranges::generate(factors, [&] { return random.lognormal(0.3); });
  return with_factors(scenario, factors);
}

/// Of every kind of resource, the least that one of it lets through.
std::map<std::string, double> narrowest_of_each(const Plan& plan) {
  std::map<std::string, double> least;
  const Loads loads = loads_of(plan);
  for (const ResourceIndex r : loads.read.indices()) {
    const Resource& resource = plan.graph.resources[r];
    if (loads.total(r) <= 0) continue;
    const std::string& name = text_of(plan.resource(resource.of_first.value_or(r)).label);
    const double rate = resource.capacity.value / loads.total(r);
    const auto [it, is_new] = least.try_emplace(name, rate);
    it->second = std::min(it->second, rate);
  }
  return least;
}

void check_same_exchange(const Plan& few, const Plan& all) {
  CHECK(few.algorithm == all.algorithm);
  REQUIRE(few.exchange.size() == all.exchange.size());
  PhaseTimes of_few(few), of_all(all);
  for (std::size_t p = 0; p < all.exchange.size(); ++p) {
    CHECK(few.exchange[p].latency.value == about(all.exchange[p].latency.value, kSums));
    CHECK(few.exchange[p].stretch == about(all.exchange[p].stretch, kSums));
    CHECK(few.exchange[p].ready == all.exchange[p].ready);
    CHECK(of_few.of(few.exchange[p]).value == about(of_all.of(all.exchange[p]).value, kSums));
  }
}

/// The slowest, and all together, of GPUs that exchange each by itself.
void check_same_exchange_of_each(const Plan& few, const Plan& all) {
  CHECK(few.algorithm == all.algorithm);
  CHECK(exchange_time(few).value == about(exchange_time(all).value, kSums));
  const auto mean = [](const Plan& plan) {
    PhaseTimes times(plan);
    double sum = 0;
    for (const GpuPlan& gpu : plan.gpus) sum += times.of(gpu.exchange).value;
    return sum / static_cast<double>(plan.gpus.size());
  };
  CHECK(mean(few) == about(mean(all), kSums));
}

void check_same_stages(const Plan& few, const Plan& all) {
  const double share = static_cast<double>(few.gpus.size()) / static_cast<double>(all.gpus.size());
  const auto of_few = stage_limits(few, loads_of(few));
  const auto of_all = stage_limits(all, loads_of(all));
  REQUIRE(of_few.size() == of_all.size());
  for (std::size_t s = 0; s < of_all.size(); ++s) {
    CAPTURE(EnumNames<PathStage>::names[static_cast<std::size_t>(of_all[s].kind)]);
    CHECK(of_few[s].kind == of_all[s].kind);
    CHECK(1 / of_few[s].capacity.value == about(1 / of_all[s].capacity.value / share, kSums));
  }
  CHECK(undisturbed_step(few).value == about(undisturbed_step(all).value, kSums));
  CHECK(throughput_bound(few).rate.value == about(throughput_bound(all).rate.value * share, kSums));
}

void check_same_resources(const Plan& few, const Plan& all) {
  const double share = static_cast<double>(few.gpus.size()) / static_cast<double>(all.gpus.size());
  const auto of_few = narrowest_of_each(few), of_all = narrowest_of_each(all);
  REQUIRE(of_few.size() == of_all.size());
  for (const auto& resource : of_all) {
    CAPTURE(resource.first);
    REQUIRE(of_few.contains(resource.first));
    CHECK(of_few.at(resource.first) == about(resource.second * share, kSums));
  }
}

void check_same_outlook(const Scenario& scenario, const Plan& few, const Plan& all) {
  const Outlook of_few = outlook_of(scenario, few), of_all = outlook_of(scenario, all);
  for (const auto member : {&Outlook::reading_s, &Outlook::waiting_s, &Outlook::decoding_s,
                            &Outlook::copying_s, &Outlook::compute_s, &Outlook::exchange_s,
                            &Outlook::before_s, &Outlook::checkpoint_s, &Outlook::copying_in_s})
    CHECK(of_few.*member == doctest::Approx(of_all.*member).epsilon(1e-8).scale(1e-9));
}

}  // namespace

TEST_CASE("one node of each kind has the stages, the exchange and the outlook of all nodes") {
  std::size_t fewest = 1000, most = 0;
  for (std::uint64_t seed = 1; seed <= draws(400); ++seed) {
    CAPTURE(seed);
    const Scenario scenario = large_cluster(seed);
    const auto traffic = traffic_of(scenario);
    if (!traffic) continue;
    CHECK(std::accumulate(traffic->stands_for.begin(), traffic->stands_for.end(), 0) ==
          scenario.nodes);
    fewest = std::min(fewest, traffic->stands_for.size());
    most = std::max(most, traffic->stands_for.size());
    for (const Scenario& drawn : {scenario, with_other_rates(scenario, seed)}) {
      const Plan all = make_plan(drawn);
      const Plan few = make_plan_of_few(drawn, *traffic);
      CAPTURE(scenario.nodes);
      CAPTURE(few.nodes);
      CAPTURE(static_cast<int>(scenario.exchange.algorithm));
      check_same_exchange(few, all);
      check_same_stages(few, all);
      check_same_resources(few, all);
      check_same_outlook(drawn, few, all);
    }
  }
  CHECK(fewest == 1);
  CHECK(most > 2);
}

TEST_CASE("a ring of nodes shows a cluster of GPUs that do not wait for one another") {
  std::size_t shown = 0, with_switches = 0, uneven = 0;
  for (std::uint64_t seed = 1; seed <= draws(300); ++seed) {
    CAPTURE(seed);
    Random random(seed + 11'000'000);
    RandomMachine machine = random_machine(seed);
    machine.exchange = true;
    Scenario scenario = cluster_of(machine, seed);
    scenario.parallel.reset();
    scenario.exchange.algorithm = Algorithm::parameter_server;
    scenario.exchange.mode = ExchangeMode::asynchronous;
    scenario.exchange.servers.reset();
    scenario.exchange.staleness.reset();
    if (random.integer(0, 2) == 0) scenario.exchange.staleness = random.integer(0, 3);
    const std::int64_t on_switch = random.integer(1, 5);
    if (scenario.fabric) scenario.fabric->nodes_per_switch = on_switch;
    scenario.nodes = on_switch * random.integer(4, 10);
    if (random.integer(0, 2) == 0) scenario.checkpoint = checkpoint_every(100);
    const auto traffic = traffic_of(scenario);
    if (!traffic) continue;
    ++shown;
    if (scenario.fabric && on_switch > 1) ++with_switches;
    if (scenario.nodes % std::ssize(traffic->stands_for) != 0) ++uneven;
    CHECK(std::ssize(traffic->stands_for) < scenario.nodes);
    CHECK(std::accumulate(traffic->stands_for.begin(), traffic->stands_for.end(), 0) ==
          scenario.nodes);
    for (const Scenario& drawn : {scenario, with_other_rates(scenario, seed)}) {
      const Plan all = make_plan(drawn);
      const Plan few = make_plan_of_few(drawn, *traffic);
      CAPTURE(scenario.nodes);
      CAPTURE(few.nodes);
      check_same_exchange_of_each(few, all);
      check_same_stages(few, all);
      check_same_resources(few, all);
      check_same_outlook(drawn, few, all);
    }
  }
  CHECK(shown > draws(100));
  CHECK(with_switches > draws(20));
  CHECK(uneven > draws(20));
}

TEST_CASE("few nodes show a cluster of any size; of servers that differ all are shown") {
  const auto loaded = [](const std::string& text) {
    return parse_scenario("title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n" + text +
                              "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n"
                              "batch_per_gpu = 16\n",
                          "t.toml", own_catalog());
  };
  const auto kinds = [&](const std::string& text) {
    return traffic_of(loaded(text))->stands_for.size();
  };
  // On rings all are alike. Of two trees, one the mirror of the other, a node is the root, or it
  // has no child, one or two.
  CHECK(kinds("nodes = 64\nexchange = { algorithm = \"ring\" }\n") == 1);
  CHECK(kinds("nodes = 64\n") <= 8);
  CHECK(kinds("nodes = 1024\n") == kinds("nodes = 64\n"));
  CHECK_FALSE(traffic_of(loaded("nodes = 1\n")));
  // Each of eight GPUs asks another node than its own; nodes, and switches, must be alike.
  const std::string each = "exchange = { mode = \"asynchronous\"";
  CHECK_FALSE(traffic_of(loaded("nodes = 9\n" + each + " }\n")));
  CHECK(kinds("nodes = 4096\n" + each + " }\n") == 9);
  CHECK_FALSE(traffic_of(loaded("nodes = 4096\n" + each + ", servers = 16 }\n")));
  const std::string switches = each + " }\nfabric = { nodes_per_switch = 32 }\n";
  CHECK(kinds("nodes = 4096\n" + switches) == 64);
  CHECK_FALSE(traffic_of(loaded("nodes = 4095\n" + switches)));
}

TEST_CASE("of many nodes, one of each kind tells which algorithm is the fastest of all") {
  using enum Algorithm;
  int others = 0;
  for (int seed = 0; seed < draws(60); ++seed) {
    CAPTURE(seed);
    Scenario scenario = large_cluster(static_cast<std::uint64_t>(seed));
    scenario.nodes = 64 + seed % 5;
    scenario.parallel.reset();
    scenario.checkpoint.reset();
    scenario.exchange.algorithm = automatic;
    const auto time_by = [&](Algorithm algorithm) {
      scenario.exchange.algorithm = algorithm;
      return exchange_time(make_plan(scenario)).value;
    };
    try {
      const Plan plan = make_plan(scenario);
      if (!plan.synchronous || plan.exchange.empty()) continue;
      const double chosen = exchange_time(plan).value;
      CHECK(chosen <= time_by(ring) * (1 + kSums));
      if (plan.algorithm == ring) continue;
      ++others;
      CHECK(chosen <= time_by(tree) * (1 + kSums));
      if (plan.algorithm != tree)
        CHECK(chosen <= std::min(time_by(hierarchical), time_by(torus)) * (1 + kSums));
    } catch (const InputError&) {
      continue;  // its GPUs do not reach one another
    }
  }
  CHECK(others > draws(5));
}
