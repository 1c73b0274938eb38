// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/checkpointing/checkpointing.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/answer/unseen.h"
#include "sim/answer/without_training.h"
#include "sim/kinds/checkpointing/phase.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/checkpoint.h"

namespace gpufeed {
namespace {

Bottleneck bottleneck_of(const CheckpointingSummary& all) {
  const bool saves = all.save.slowest_s >= all.load.slowest_s;
  const CheckpointPhase& longer = saves ? all.save : all.load;
  Bottleneck out;
  out.resource = longer.limit;
  out.evidence = {evidence_of<EvidenceCode::phase_takes>(*out.resource, saves ? "save" : "load",
                                                         Seconds{longer.slowest_s}, all.ranks,
                                                         Bandwidth{longer.slowest_Bps})};
  return out;
}

/// Hosts of one run.
/// \source  MLPerf Storage v3.0, checkpointing (tests/validation/cases)
constexpr std::int64_t kMostHostsMeasured = 32;

}  // namespace

Result simulate_kind(const kind::Checkpointing& keys, const Scenario& scenario) {
  const SavedState state = saved_state(keys.model);
  Graph graph = build_graph(scenario, {.request = kCheckpointRequest, .run = kInARow});
  const Nodes nodes(scenario, graph);
  const Cluster cluster{scenario, keys, graph, nodes, state};
  const PhaseOutcome save = run_phase(cluster, Direction::save);
  const PhaseOutcome load = run_phase(cluster, Direction::load);
  CheckpointingSummary all;
  all.ranks = static_cast<std::int64_t>(state.ranks());
  for (const auto& of_rank : state.files) all.files += static_cast<std::int64_t>(of_rank.size());
  all.size_B = state.size().value;
  all.rank0_B = state.of_rank(0).value;
  all.save = save.times;
  all.load = load.times;

  ByResource<double> most = save.load;
  for (const ResourceIndex r : graph.resources.indices()) most[r] = std::max(most[r], load.load[r]);
  Result result = result_without_training(scenario, graph, most);
  result.nodes = nodes.count();
  result.workload =
      fmt::format("checkpoints of {}, {} in {} files, by {} ranks: ten saves, ten loads",
                  name_of(keys.model), text(state.size(), 4), all.files, all.ranks);
  result.storage = io_storage_in_words(scenario, scenario.data.at);
  result.checkpointing = all;
  if (const Store* store = find_store(scenario, scenario.data.at))
    result.steps = steps_of_store(*store);
  if (result.nodes > kMostHostsMeasured)
    result.warnings.push_back(
        fact<WarningCode::checkpointing_hosts_unseen>(result.nodes, kMostHostsMeasured));
  result.bottleneck = bottleneck_of(all);
  return result;
}

}  // namespace gpufeed
