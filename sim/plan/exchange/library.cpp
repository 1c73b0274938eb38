// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/library.h"

#include <algorithm>
#include <tuple>

#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// Copies of one entry are alike: where a value was changed, each GPU has its own.
bool alike(const CollectiveLibrary& one, const CollectiveLibrary& other) {
  const auto values = [](const CollectiveCost& cost) {
    return std::tuple(cost.pattern, cost.protocol, cost.start, cost.nvlink_step, cost.pcie_step,
                      cost.network_step, cost.share, cost.most);
  };
  return one.own_part == other.own_part && one.contention == other.contention &&
         one.clock == other.clock && std::ranges::equal(one.cost, other.cost, {}, values, values);
}

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

/// Whether one set of switches joins all GPUs in use.
bool on_one_switch(const ExchangeWays& ways) {
  const auto& switches = ways.system().nvswitches;
  return ways.nodes() == 1 && switches.size() == 1 &&
         switches.front().gpus.size() >= static_cast<std::size_t>(ways.per_node());
}

/// The time that the flows of one phase take, without its latency.
Seconds transfer_time(const ExchangeWays& ways, const ExchangePhase& phase) {
  return PhaseTimes(ways.plan()).of(phase) - phase.latency;
}

void apply(const TunedCollective& tuned, double pieces, Seconds plain, ExchangePhase& phase) {
  phase.latency = tuned.latency * pieces;
  phase.stretch = tuned.transfer / plain;
  for (Flow& flow : phase.flows) flow.size = flow.size * phase.stretch;
}

}  // namespace

const CollectiveLibrary* library_of(const ExchangeWays& ways) {
  if (ways.scenario().exchange.rings == Rings::one) return nullptr;
  const CollectiveLibrary* found = nullptr;
  for (int rank = 0; rank < ways.per_node(); ++rank) {
    const auto& named = ways.system().gpus[ways.number_of(rank)].model->collectives;
    if (!named || (found && !alike(*found, **named))) return nullptr;
    found = named->entry.get();
  }
  return found;
}

CollectiveShape shape_of(const ExchangeWays& ways, const ExchangePhases& phases,
                         CollectiveOperation operation, Bytes size) {
  const int jobs = ways.nodes() == 1 ? static_cast<int>(ways.scenario().loader.jobs) : 1;
  const bool nvlink = ways.per_node() > 1 && !phases.empty() &&
                      std::ranges::any_of(phases.front().flows, [&](const Flow& flow) {
                        return takes_nvlink(ways, flow);
                      });
  return {operation,
          ways.ranks() / jobs,
          ways.nodes(),
          nvlink,
          nvlink && jobs == 1 && on_one_switch(ways),
          size,
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

bool tune_phases(const ExchangeWays& ways, Algorithm algorithm, double pieces,
                 ExchangePhases& phases) {
  const bool by_library =
      algorithm == Algorithm::ring || algorithm == Algorithm::tree || algorithm == Algorithm::nvls;
  const CollectiveLibrary* const library = library_of(ways);
  if (!by_library || !library || phases.empty()) return algorithm != Algorithm::nvls;
  ExchangePhase& phase = phases.front();
  const Seconds plain = transfer_time(ways, phase) * (1 / pieces);
  if (plain.value <= 0) return algorithm != Algorithm::nvls;
  const auto shape =
      shape_of(ways, phases, CollectiveOperation::all_reduce, ways.gradients() * (1 / pieces));
  const auto tuned = tune_as(*library, algorithm, shape, plain);
  if (!tuned) return algorithm != Algorithm::nvls;
  apply(*tuned, pieces, plain, phase);
  return true;
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
