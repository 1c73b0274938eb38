// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/collective/collective.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/answer/without_training.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/plan/exchange/collectives.h"
#include "sim/plan/exchange/rank_library.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

using enum WarningCode;

/// One way of summing: the time of its bytes by themselves, for one byte of the buffer.
struct Way {
  Algorithm algorithm = Algorithm::ring;
  Seconds per_byte;
  CollectiveShape shape;
};

class Collectives {
 public:
  explicit Collectives(const Scenario& scenario)
      : scenario_(scenario),
        keys_(scenario.workload.get<kind::Collective>()),
        plan_(with_gpus(scenario)),
        nodes_(scenario, plan_.graph) {
    add_nodes();
  }

  Result run() {
    Result result = result_without_training(scenario_, plan_.graph, busy());
    result.workload = fmt::format("collectives of {} GPUs", ranks());
    result.nodes = nodes_.count();
    for (const auto operation : operations()) add_sizes(operation, result.collectives);
    if (result.nodes > 1)
      result.warnings.push_back(library_ ? fact<collectives_between_nodes_by_library>()
                                         : fact<collectives_between_nodes_by_links>());
    unlike_those_measured(result.warnings);
    result.bottleneck = bottleneck(result);
    return result;
  }

 private:
  /// Beside nodes.
  /// \source  tests/validation/cases/collectives.toml; smaller sizes than theirs take what theirs
  /// do
  void unlike_those_measured(std::vector<Warning>& out) const {
    constexpr std::int64_t kMostGpus = 8;
    constexpr Bytes kLargest{17179869184};
    const Ref<Gpu>& gpu = scenario_.system->gpus.front().model;
    if (scenario_.system->nvlinks.empty() && scenario_.system->nvswitches.empty())
      out.push_back(fact<collectives_unseen_over_pcie>());
    if (!library_)
      out.push_back(fact<collectives_unseen_without_library>());
    else if (library_->provenance_of("own_part").basis == Basis::estimate)
      out.push_back(fact<collectives_unseen_on_generation>(generation_or_name(gpu)));
    if (gpus_per_node(scenario_) > kMostGpus)
      out.push_back(fact<collectives_unseen_gpus_per_node>(gpus_per_node(scenario_)));
    if (keys_.to > kLargest) out.push_back(fact<collectives_unseen_size>(kLargest));
  }

  static Plan with_gpus(const Scenario& scenario) {
    Plan plan;
    plan.kind = scenario.workload.kind();
    plan.graph = build_graph(scenario, {});
    for (std::int64_t i = 0; i < gpus_per_node(scenario); ++i) {
      GpuPlan& gpu = plan.gpus.emplace_back();
      gpu.number = static_cast<std::size_t>(i);
    }
    return plan;
  }

  void add_nodes() {
    const auto first = plan_.gpus;
    for (int node = 1; node < nodes_.count(); ++node)
      for (GpuPlan gpu : first) {
        gpu.node = node;
        plan_.gpus.push_back(gpu);
      }
  }

  std::size_t ranks() const { return plan_.gpus.size(); }

  std::vector<CollectiveOperation> operations() const {
    return keys_.operations.empty() ? std::vector{CollectiveOperation::all_reduce}
                                    : keys_.operations;
  }

  /// Of a whole buffer of so many bytes.
  static constexpr Bytes kBuffer{1e9};

  static Pattern pattern_of(CollectiveOperation operation, Algorithm algorithm,
                            const ExchangeWays& ways) {
    if (operation == CollectiveOperation::all_to_all) return all_to_all(ways);
    return algorithm == Algorithm::tree ? tree_pattern(ways) : ring_pattern(ways);
  }

  /// Every rank sends every other its part.
  static Pattern all_to_all(const ExchangeWays& ways) {
    Pattern phases(1);
    const Bytes part = ways.gradients() / static_cast<double>(ways.ranks());
    for (int from = 0; from < ways.ranks(); ++from)
      for (int to = 0; to < ways.ranks(); ++to)
        if (from != to) phases.front().add({from, to, Over::nvlink, part, ways.ranks() - 1.0});
    return phases;
  }

  Way way_of(CollectiveOperation operation, Algorithm algorithm) {
    const bool reduces = operation == CollectiveOperation::all_reduce;
    const bool rings = !reduces && operation != CollectiveOperation::all_to_all;
    Diagnostics missing;
    ExchangeWays ways(scenario_, nodes_, plan_, missing, kBuffer);
    const std::size_t others = plan_.routes.size();
    const auto phases = ways.phases_of(pattern_of(operation, algorithm, ways));
    missing.throw_if_any();
    const RankLibrary library(ways);
    library_ = library.costs();
    Way way{algorithm,
            {},
            library.shape_of(phases.front(), {operation, ways.ranks(), ways.nodes(), kBuffer})};
    const Seconds all = PhaseTimes(plan_).of(phases) - phases.front().latency;
    way.per_byte = all * ((rings ? 0.5 : 1) / kBuffer.value);
    latency_ = phases.front().latency * (rings ? 0.5 : 1);
    ways.take_routes(others);
    return way;
  }

  std::vector<Way> ways_of(CollectiveOperation operation) {
    using enum Algorithm;
    std::vector<Way> ways{way_of(operation, ring)};
    if (operation != CollectiveOperation::all_reduce || !library_) return ways;
    Way switches = ways.front();
    switches.algorithm = nvls;
    ways.push_back(way_of(operation, tree));
    ways.push_back(switches);
    return ways;
  }

  /// What the library takes to be the quickest of all ways and protocols.
  std::optional<TunedCollective> quickest(const std::vector<Way>& ways, Bytes size) const {
    std::optional<TunedCollective> best;
    if (!library_) return best;
    for (Way way : ways) {
      way.shape.size = size;
      const auto one = tune_as(*library_, way.algorithm, way.shape, way.per_byte * size.value);
      if (one && (!best || one->expected < best->expected)) best = one;
    }
    return best;
  }

  void add_sizes(CollectiveOperation operation, std::vector<CollectiveTime>& out) {
    const auto ways = ways_of(operation);
    const auto step = static_cast<double>(keys_.factor);
    for (double size = keys_.from.value; size <= keys_.to.value; size *= step) {
      CollectiveTime& line = out.emplace_back();
      line.operation = name_of(operation);
      line.size_B = size;
      line.time_s = (latency_ + ways.front().per_byte * size).value;
      line.algorithm = "ring";
      if (const auto best = quickest(ways, {size})) {
        line.time_s = (best->latency + best->transfer).value;
        line.algorithm = name_of(best->pattern);
        line.protocol = name_of(best->protocol);
      }
      line.algorithm_Bps = size / line.time_s;
      line.bus_Bps = line.algorithm_Bps * sent_share(operation, static_cast<int>(ranks()));
    }
  }

  /// The links that the largest collective fills, each so far.
  ByResource<double> busy() const { return ByResource<double>(plan_.graph.resources.size(), 0.0); }

  Bottleneck bottleneck(const Result& result) const {
    Bottleneck out;
    const CollectiveTime& last = result.collectives.back();
    out.resource = fact<LimiterCode::gpu_links>();
    out.evidence = {evidence<EvidenceCode::bus_bandwidth>(last.operation, Bytes{last.size_B},
                                                          Bandwidth{last.bus_Bps})};
    return out;
  }

  const Scenario& scenario_;
  const kind::Collective& keys_;
  Plan plan_;
  Nodes nodes_;
  const CollectiveLibrary* library_ = nullptr;
  Seconds latency_;  ///< of the last way, where no library says it
};

}  // namespace

Result simulate_kind(const kind::Collective&, const Scenario& scenario) {
  return Collectives(scenario).run();
}

}  // namespace gpufeed
