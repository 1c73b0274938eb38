// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/leaf_switch.h"

#include <algorithm>

#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

// NVIDIA Quantum-X800 Q3400-RA: 144 ports of 800 Gb/s, each of four lanes that could be split.
constexpr std::int64_t kMostPorts = std::int64_t{144} * 4;
constexpr double kMostBandwidth = 144 * 800e9 / 8;

struct OnLeaf {
  double ports = 0;
  double bandwidth = 0;  ///< B/s

  double fill() const {
    return std::max(ports / static_cast<double>(kMostPorts), bandwidth / kMostBandwidth);
  }
};

}  // namespace

std::optional<Warning> leaf_switch_doubt(const Scenario& scenario) {
  if (scenario.nodes < 2) return {};
  const Fabric fabric = scenario.fabric.value_or(Fabric{});
  const auto nodes = static_cast<double>(
      std::min(fabric.nodes_per_switch.value_or(scenario.nodes), scenario.nodes));
  OnLeaf all, fullest;
  for (const auto& nic : scenario.system->nics) {
    const double ports = nodes * static_cast<double>(nic.model->ports);
    const OnLeaf its{ports, ports * nic.model->port_bandwidth.value};
    all = {all.ports + its.ports, all.bandwidth + its.bandwidth};
    if (its.fill() > fullest.fill()) fullest = its;
  }
  // Each rail has switches of its own.
  const OnLeaf most = fabric.rails ? fullest : all;
  if (most.fill() <= 1) return {};
  return fact<WarningCode::leaf_switch_too_large>(static_cast<std::int64_t>(most.ports),
                                                  BitRate{8 * most.bandwidth}, kMostPorts,
                                                  BitRate{8 * kMostBandwidth});
}

}  // namespace gpufeed
