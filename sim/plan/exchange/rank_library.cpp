// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/library.h"

#include <algorithm>

#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

bool takes_nvlink(const ExchangeWays& ways, const Flow& flow) {
  return std::ranges::any_of(ways.plan().route(flow.route).resources, [&](ResourceIndex resource) {
    return ways.plan().resource(resource).kind == ResourceKind::nvlink;
  });
}

/// Of the slowest GPU in use, over that for which the library's costs hold; 1 where unknown.
double cycle_of(const ExchangeWays& ways) {
  const CollectiveLibrary* const library = library_of(ways);
  double longest = 0;
  for (int rank = 0; rank < ways.per_node(); ++rank) {
    const auto& clock = ways.system().gpus[ways.number_of(rank)].model->boost_clock;
    if (!library || !library->clock || !clock) return 1;
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

/// The time that the flows of one phase take, without its latency.
Seconds transfer_time(const ExchangeWays& ways, const ExchangePhase& phase) {
  return PhaseTimes(ways.plan()).of(phase) - phase.latency;
}

std::optional<TunedCollective> tuned(const CollectiveLibrary& library, const ExchangeWays& ways,
                                     Algorithm algorithm, const ExchangePhase& phase) {
  const Seconds plain = transfer_time(ways, phase) * (1 / phase.calls->count);
  if (plain.value <= 0) return {};
  return tune_as(library, algorithm, shape_of(ways, phase, *phase.calls), plain);
}

void apply(const TunedCollective& tuned, const ExchangeWays& ways, ExchangePhase& phase) {
  const double count = phase.calls->count;
  phase.stretch = tuned.transfer * count / transfer_time(ways, phase);
  phase.latency = tuned.latency * count;
  for (Flow& flow : phase.flows) flow.size = flow.size * phase.stretch;
}

}  // namespace

const CollectiveLibrary* library_of(const ExchangeWays& ways) {
  if (ways.scenario().exchange.rings == Rings::one) return nullptr;
  const auto of_rank = [&](int rank) {
    const auto& named = ways.system().gpus[ways.number_of(rank)].model->collectives;
    return named ? named->entry.get() : nullptr;
  };
  for (int rank = 1; rank < ways.per_node(); ++rank)
    if (!of_rank(rank)) return nullptr;
  return of_rank(0);
}

CollectiveShape shape_of(const ExchangeWays& ways, const ExchangePhase& phase,
                         const CollectiveCalls& calls) {
  const bool nvlink =
      calls.ranks > calls.nodes &&
      std::ranges::any_of(phase.flows, [&](const Flow& flow) { return takes_nvlink(ways, flow); });
  return {calls.operation,
          calls.ranks,
          calls.nodes,
          nvlink,
          nvlink && calls.nodes == 1 && ways.scenario().loader.jobs == 1 && on_one_switch(ways),
          calls.size,
          cycle_of(ways),
          ways.scenario().fabric.value_or(Fabric{}).latency - Fabric{}.latency};
}

std::optional<TunedCollective> tune_as(const CollectiveLibrary& library, Algorithm algorithm,
                                       const CollectiveShape& shape, Seconds plain) {
  if (algorithm == Algorithm::nvls) return tune_nvls(library, shape, plain);
  return tune(library,
              algorithm == Algorithm::tree ? CollectivePattern::tree : CollectivePattern::ring,
              shape, plain);
}

bool tune_phases(const ExchangeWays& ways, Algorithm algorithm, ExchangePhases& phases) {
  const CollectiveLibrary* const library = library_of(ways);
  bool possible = algorithm != Algorithm::nvls;
  for (ExchangePhase& phase : phases) {
    if (!library || !phase.calls) continue;
    const auto found = tuned(*library, ways, algorithm, phase);
    if (!found) continue;
    apply(*found, ways, phase);
    possible = true;
  }
  return possible;
}

void tune_as_library_chooses(const ExchangeWays& ways, ExchangePhases& phases) {
  const CollectiveLibrary* const library = library_of(ways);
  for (ExchangePhase& phase : phases) {
    if (!library || !phase.calls) continue;
    auto best = tuned(*library, ways, Algorithm::ring, phase);
    const auto switches = tuned(*library, ways, Algorithm::nvls, phase);
    if (switches && (!best || switches->expected < best->expected)) best = switches;
    if (best) apply(*best, ways, phase);
  }
}

double lost_to_kernels(const ExchangeWays& ways, Algorithm algorithm,
                       const ExchangePhases& phases) {
  const CollectiveLibrary* const library = library_of(ways);
  if (!library || algorithm == Algorithm::parameter_server) return 0;
  Seconds all{}, on_nvlink{};
  for (const ExchangePhase& phase : phases) {
    ExchangePhase kernels = phase;
    std::erase_if(kernels.flows, [&](const Flow& flow) { return !takes_nvlink(ways, flow); });
    all += transfer_time(ways, phase);
    on_nvlink += transfer_time(ways, kernels);
  }
  return all.value > 0 ? library->contention.value * (on_nvlink / all) : 0;
}

}  // namespace gpufeed
