// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/plan_exchange.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "sim/model/compute.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"
#include "sim/plan/exchange/collectives.h"
#include "sim/plan/exchange/rank_library.h"
#include "sim/plan/exchange/readiness.h"
#include "sim/plan/exchange/servers.h"
#include "sim/plan/exchange/split.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// Of one GPU. Replicas that share the parameters as well gather them twice, in the precision, and
/// scatter gradients once: three passes over the ring, where summing takes two.
Bytes gradients_of(const Scenario& scenario) {
  const double gradient = gradient_bytes(scenario);
  const double gathered = bytes_per_number(scenario.workload.get<ComputesModel>().precision);
  return {
      (static_cast<double>(scenario.workload.model()->parameters) - split_parameters(scenario)) *
      (shares_parameters(scenario) ? gathered + gradient / 2 : gradient) /
      static_cast<double>(gpus_per_replica(scenario))};
}

Pattern pattern_of(Algorithm algorithm, const ExchangeWays& ways) {
  switch (algorithm) {
    case Algorithm::tree:
      return tree_pattern(ways);
    case Algorithm::hierarchical:
      return hierarchical_pattern(ways);
    case Algorithm::torus:
      return torus_pattern(ways);
    case Algorithm::parameter_server:
      return server_pattern(ways);
    default:
      return ring_pattern(ways);
  }
}

/// Those that may sum the gradients; of several the fastest will.
std::vector<Algorithm> candidates(const Scenario& scenario, const Plan& plan,
                                  const ExchangeWays& ways) {
  const bool has_library = RankLibrary(ways).costs() != nullptr;
  if (plan.exchange_included) return {Algorithm::torus};
  if (scenario.exchange.algorithm != Algorithm::automatic) return {scenario.exchange.algorithm};
  if (shares_parameters(scenario)) return {Algorithm::ring};  // trees and switches only sum
  if (scenario.nodes == 1 && (scenario.loader.jobs > 1 || !has_library)) return {Algorithm::ring};
  if (scenario.nodes == 1) return {Algorithm::ring, Algorithm::tree, Algorithm::nvls};
  if (ways.network().most) return {Algorithm::ring};  // as measured steps over sockets grow
  if (has_library || ways.is_uneven()) return {Algorithm::ring, Algorithm::tree};
  return {Algorithm::ring, Algorithm::tree, Algorithm::hierarchical, Algorithm::torus};
}

/// When gradients leave. \param lost  of those that leave sooner, the part that travels beside
///                                     computing only in name, as if it left when all have computed
std::vector<GradientWave> waves_of(const Scenario& scenario, const ExchangeWays& ways,
                                   double lost) {
  auto waves = gradient_waves(*scenario.workload.model(),
                              {ways.gradients(), ways.bucket(), scenario.exchange.first_bucket});
  if (lost <= 0) return waves;
  double after = 0;
  for (GradientWave& wave : waves) {
    if (wave.ready >= 1) continue;
    after += wave.share * lost;
    wave.share *= 1 - lost;
  }
  if (waves.back().ready < 1) waves.push_back({0, 1});
  waves.back().share += after;
  std::erase_if(waves, [](const GradientWave& wave) { return wave.share <= 0; });
  return waves;
}

/// Lets parts of the phases wait until so much has been computed.
void hold_back(ExchangePhases& phases, const std::vector<GradientWave>& waves) {
  if (phases.empty()) return;
  ExchangePhases split;
  for (const GradientWave& wave : waves) {
    ExchangePhases part = phases;
    for (auto& phase : part) {
      phase.latency = phase.latency * wave.share;
      for (Flow& flow : phase.flows) flow.size = flow.size * wave.share;
    }
    part.front().ready = wave.ready;
    std::ranges::move(part, std::back_inserter(split));
  }
  phases = std::move(split);
}

/// Keeps the routes and phases of the fastest candidate; of those as fast but for rounding, the
/// first.
void choose(const Scenario& scenario, Plan& plan, ExchangeWays& ways, const Traffic* few,
            std::optional<Algorithm> chosen) {
  constexpr double kRounding = 1e-9;
  const std::size_t others = plan.routes.size();
  std::vector<Route> best_routes;
  Seconds best{std::numeric_limits<double>::infinity()};
  const RankLibrary library(ways);
  for (const Algorithm algorithm :
       chosen ? std::vector{*chosen} : candidates(scenario, plan, ways)) {
    ExchangePhases phases = few ? ways.phases_of(few->phases.at(algorithm))
                                : ways.phases_of(pattern_of(algorithm, ways));
    const bool possible = library.tune_phases(algorithm, phases);
    const Seconds time = PhaseTimes(plan).of(phases);
    auto routes = ways.take_routes(others);
    if (possible && (time < best * (1 - kRounding) || plan.exchange.empty())) {
      best = time;
      plan.exchange = std::move(phases);
      plan.algorithm = algorithm;
      best_routes = std::move(routes);
    }
  }
  ways.add_routes(std::move(best_routes));
  const double lost = library.lost_to_kernels(plan.algorithm, plan.exchange);
  hold_back(plan.exchange, waves_of(scenario, ways, lost));
}

/// Asynchronous: every GPU by itself.
void serve_each(Plan& plan, ExchangeWays& ways) {
  for (int rank = 0; rank < ways.shown() * ways.per_node(); ++rank) {
    Pattern serving(2);
    add_serving(ways, serving, rank);
    plan.gpus[static_cast<std::size_t>(rank)].exchange = ways.phases_of(serving);
  }
  plan.algorithm = Algorithm::parameter_server;
}

void split_model(Plan& plan, ExchangeWays& ways, const Traffic* few) {
  plan.exchange = few ? ways.phases_of(few->phases.at(Algorithm::ring))
                      : ways.phases_of(split_model_pattern(ways));
  RankLibrary(ways).tune_as_it_chooses(plan.exchange);
  plan.algorithm = Algorithm::ring;
}

/// Nothing where all nodes have to be shown.
std::optional<Traffic> traffic_of_ring(const Scenario& scenario, int gpus_per_node) {
  const auto least = least_ring(scenario, gpus_per_node);
  if (!least) return {};
  Traffic traffic{.ring = true};
  const int nodes = static_cast<int>(scenario.nodes);
  for (int node = 0; node < *least; ++node)
    traffic.stands_for.push_back(nodes / *least + (node < nodes % *least ? 1 : 0));
  return traffic;
}

}  // namespace

void plan_exchange(const Scenario& scenario, const Nodes& nodes, Plan& plan, Diagnostics& missing,
                   const Traffic* few, std::optional<Algorithm> chosen) {
  if (plan.gpus.size() <= 1 && nodes.count() == 1) return;
  if (plan.whole_steps || (plan.exchange_included && nodes.count() == 1)) return;
  ExchangeWays ways(scenario, nodes, plan, missing, gradients_of(scenario));
  if (!plan.synchronous) return serve_each(plan, ways);
  if (gpus_per_replica(scenario) > 1) return split_model(plan, ways, few);
  choose(scenario, plan, ways, few, chosen);
}

bool has_choice(const Scenario& scenario, const Plan& plan) {
  return plan.kind == kind_of<kind::Training> && plan.synchronous && !plan.whole_steps &&
         !plan.exchange_included && gpus_per_replica(scenario) == 1 &&
         scenario.exchange.algorithm == Algorithm::automatic && !shares_parameters(scenario);
}

std::optional<Traffic> exchange_traffic(const Scenario& scenario, const Nodes& nodes, Plan& plan,
                                        Diagnostics& missing) {
  if (!plan.synchronous) return traffic_of_ring(scenario, static_cast<int>(plan.gpus.size()));
  const ExchangeWays ways(scenario, nodes, plan, missing, gradients_of(scenario));
  if (gpus_per_replica(scenario) > 1)
    return traffic_of({{Algorithm::ring, split_model_pattern(ways)}}, ways);
  std::map<Algorithm, Pattern> patterns;
  for (const Algorithm algorithm : candidates(scenario, plan, ways))
    patterns[algorithm] = pattern_of(algorithm, ways);
  return traffic_of(patterns, ways);
}

double pipeline_stretch(const Scenario& scenario) {
  if (!scenario.parallel) return 1;
  const Parallel& parallel = *scenario.parallel;
  return 1 +
         static_cast<double>(parallel.pipeline - 1) / static_cast<double>(parallel.micro_batches);
}

Bytes summa_traffic(Bytes left, Bytes right, std::int64_t ranks) {
  return (left + right) / std::sqrt(static_cast<double>(ranks));
}

}  // namespace gpufeed
