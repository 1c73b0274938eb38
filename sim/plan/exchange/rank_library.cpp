// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/rank_library.h"

#include <algorithm>

#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

const CollectiveLibrary* library_of(const ExchangeWays& ways) {
  if (ways.scenario().exchange.rings == Rings::one) return nullptr;
  const auto of_gpu = [&](std::size_t gpu) {
    const auto& named = ways.system().gpus[gpu].model->collectives;
    return named ? named->entry.get() : nullptr;
  };
  for (std::size_t gpu = 1; gpu < ways.cards().size(); ++gpu)
    if (!of_gpu(gpu)) return nullptr;
  return of_gpu(0);
}

/// 1 where unknown.
double cycle_of(const ExchangeWays& ways, const CollectiveLibrary* library) {
  if (!library || !library->clock) return 1;
  double longest = 0;
  for (std::size_t gpu = 0; gpu < ways.cards().size(); ++gpu) {
    const auto& clock = ways.system().gpus[gpu].model->boost_clock;
    if (!clock) return 1;
    longest = std::max(longest, *library->clock / *clock);
  }
  return longest;
}

/// Whether one set of switches joins all GPUs of a node that are in use.
bool on_one_switch(const ExchangeWays& ways) {
  const auto& switches = ways.system().nvswitches;
  return switches.size() == 1 &&
         switches.front().gpus.size() >= static_cast<std::size_t>(ways.per_node());
}

bool takes_nvlink(const ExchangeWays& ways, const Flow& flow) {
  return std::ranges::any_of(ways.plan().route(flow.route).resources, [&](ResourceIndex resource) {
    return ways.plan().resource(resource).kind == ResourceKind::nvlink;
  });
}

bool leaves_node(const ExchangeWays& ways, const Flow& flow) {
  return std::ranges::any_of(ways.plan().route(flow.route).resources, [&](ResourceIndex resource) {
    return ways.plan().resource(resource).kind == ResourceKind::network;
  });
}

ExchangePhase within_nodes(const ExchangeWays& ways, ExchangePhase phase) {
  std::erase_if(phase.flows, [&](const Flow& flow) { return leaves_node(ways, flow); });
  return phase;
}

/// The time that the flows of one phase take, without its latency.
Seconds transfer_time(const ExchangeWays& ways, const ExchangePhase& phase) {
  return PhaseTimes(ways.plan()).of(phase) - phase.latency;
}

void apply(const TunedCollective& tuned, const ExchangeWays& ways, ExchangePhase& phase) {
  const double count = phase.calls->count;
  phase.stretch = tuned.transfer * count / transfer_time(ways, phase);
  phase.latency = tuned.latency * count;
  for (Flow& flow : phase.flows) flow.size = flow.size * phase.stretch;
}

}  // namespace

RankLibrary::RankLibrary(const ExchangeWays& ways)
    : ways_(ways),
      costs_(library_of(ways)),
      cycle_(cycle_of(ways, costs_)),
      on_one_switch_(on_one_switch(ways)) {}

CollectiveShape RankLibrary::shape_of(const ExchangePhase& phase,
                                      const CollectiveCalls& calls) const {
  const bool nvlink =
      calls.ranks > calls.nodes &&
      std::ranges::any_of(phase.flows, [&](const Flow& flow) { return takes_nvlink(ways_, flow); });
  return {calls.operation,
          calls.ranks,
          calls.nodes,
          nvlink,
          nvlink && calls.nodes == 1 && ways_.scenario().loader.jobs == 1 && on_one_switch_,
          calls.size,
          cycle_,
          ways_.scenario().fabric.value_or(Fabric{}).latency - Fabric{}.latency +
              ways_.network().farther,
          {}};
}

std::optional<TunedCollective> tune_as(const CollectiveLibrary& library, Algorithm algorithm,
                                       const CollectiveShape& shape, Seconds plain) {
  if (algorithm == Algorithm::nvls) return tune_nvls(library, shape, plain);
  return tune(library,
              algorithm == Algorithm::tree ? CollectivePattern::tree : CollectivePattern::ring,
              shape, plain);
}

/// Nothing too where nothing sums by the library.
std::optional<TunedCollective> RankLibrary::tuned(Algorithm algorithm,
                                                  const ExchangePhase& phase) const {
  if (!costs_ || !phase.calls) return {};
  const double count = phase.calls->count;
  const Seconds plain = transfer_time(ways_, phase) * (1 / count);
  if (plain.value <= 0) return {};
  CollectiveShape shape = shape_of(phase, *phase.calls);
  if (shape.nodes > 1)
    shape.within = transfer_time(ways_, within_nodes(ways_, phase)) * (1 / count);
  return tune_as(*costs_, algorithm, shape, plain);
}

bool RankLibrary::tune_phases(Algorithm algorithm, ExchangePhases& phases) const {
  bool possible = algorithm != Algorithm::nvls;
  for (ExchangePhase& phase : phases) {
    const auto found = tuned(algorithm, phase);
    if (!found) continue;
    apply(*found, ways_, phase);
    possible = true;
  }
  return possible;
}

void RankLibrary::tune_as_it_chooses(ExchangePhases& phases) const {
  for (ExchangePhase& phase : phases) {
    auto best = tuned(Algorithm::ring, phase);
    const auto switches = tuned(Algorithm::nvls, phase);
    if (switches && (!best || switches->expected < best->expected)) best = switches;
    if (best) apply(*best, ways_, phase);
  }
}

double RankLibrary::lost_to_kernels(Algorithm algorithm, const ExchangePhases& phases) const {
  if (!costs_ || algorithm == Algorithm::parameter_server) return 0;
  Seconds all{}, on_nvlink{};
  for (const ExchangePhase& phase : phases) {
    ExchangePhase kernels = phase;
    std::erase_if(kernels.flows, [&](const Flow& flow) { return !takes_nvlink(ways_, flow); });
    all += transfer_time(ways_, phase);
    on_nvlink += transfer_time(ways_, kernels);
  }
  return all.value > 0 ? costs_->contention.value * (on_nvlink / all) : 0;
}

}  // namespace gpufeed
