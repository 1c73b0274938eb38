// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include "sim/model/purchase/bill_of.h"
#include "sim/model/purchase/lines.h"

namespace gpufeed {
namespace {

/// Ports of network cards of one machine, and the fastest port's rate.
struct Ports {
  std::int64_t count = 0;
  Bandwidth bandwidth{};
};

Bandwidth rate_of(const Nic& nic) {
  return nic.payload_bandwidth() * static_cast<double>(nic.ports);
}

/// Of all cards but those far slower than the fastest, which are for management.
Ports ports_between_nodes(const System& system) {
  constexpr double kLeastShare = 0.25;
  Bandwidth most{};
  for (const auto& nic : system.nics) most = std::max(most, rate_of(*nic.model));
  Ports ports;
  for (const auto& nic : system.nics) {
    if (rate_of(*nic.model) < most * kLeastShare) continue;
    ports.count += nic.model->ports;
    ports.bandwidth = std::max(ports.bandwidth, nic.model->port_bandwidth);
  }
  return ports;
}

/// Of the cards by which one machine reaches its stores.
std::int64_t ports_to_stores(const Scenario& scenario) {
  const auto& nics = scenario.system->nics;
  std::set<std::size_t> used;
  for (const auto& [name, store] : scenario.store)
    for (std::size_t i = 0; i < nics.size(); ++i)
      if (store.via.empty() ||
          std::ranges::count(store.via, PartId{PartKind::nic, i}, &PartRef::part) > 0)
        used.insert(i);
  std::int64_t count = 0;
  for (const std::size_t i : used) count += nics[i].model->ports;
  return count;
}

template <class Product>
BillLine network_line(const std::optional<Ref<Product>>& given,
                      const std::optional<Ref<Product>>& usual, const char* name,
                      std::int64_t count) {
  const auto& product = given ? given : usual;
  BillLine line;
  if (product && *product) {
    line = line_of(*product, 1);
  } else {
    line.kind = Product::kKind;
    line.name = name;
  }
  line.count = static_cast<double>(count);
  return line;
}

/// Leaves of `down` ports as the scenario has them, each with links to the spine for its share of
/// their rate.
/// \param all  ports of all machines
NetworkParts as_described(std::int64_t leaves, std::int64_t down, std::int64_t all,
                          std::int64_t ports, double share) {
  const auto up = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(down) - 1e-9));
  return {leaves, (leaves * up + ports - 1) / ports, all + leaves * up};
}

NetworkParts parts_of(const Scenario& scenario, const Fabric& fabric, const Ports& ports,
                      std::int64_t switch_ports) {
  const std::int64_t rails =
      fabric.rails ? std::max<std::int64_t>(1, std::ssize(scenario.system->nics)) : 1;
  const std::int64_t of_node = (ports.count + rails - 1) / rails;
  const std::int64_t on_one =
      std::min(fabric.nodes_per_switch.value_or(scenario.nodes), scenario.nodes);
  const std::int64_t leaves = (scenario.nodes + on_one - 1) / on_one;
  const std::int64_t down = on_one * of_node;
  NetworkParts one;
  if (leaves == 1) {
    one = fat_tree(down, switch_ports, 1);
  } else {
    const Bandwidth all = ports.bandwidth * static_cast<double>(down);
    const double share =
        fabric.uplink_bandwidth ? std::min(1.0, *fabric.uplink_bandwidth / all) : 1;
    one = static_cast<double>(down) * (1 + share) <= static_cast<double>(switch_ports)
              ? as_described(leaves, down, scenario.nodes * of_node, switch_ports, share)
              : fat_tree(scenario.nodes * of_node, switch_ports, share);
  }
  return {one.leaves * rails, one.spines * rails, one.cables * rails};
}

}  // namespace

std::vector<BillLine> network_of(const Scenario& scenario) {
  const Fabric fabric = scenario.fabric.value_or(Fabric{});
  Bill bill;
  if (scenario.nodes > 1) {
    const Ports ports = ports_between_nodes(*scenario.system);
    const auto& product = fabric.model ? fabric.model : scenario.usual_switch;
    // Of a switch that nobody knows, one is large enough for all.
    const std::int64_t wide = product && *product
                                  ? (*product)->ports
                                  : 2 * std::max<std::int64_t>(1, scenario.nodes * ports.count);
    const NetworkParts parts = parts_of(scenario, fabric, ports, wide);
    bill.push_back(network_line(fabric.model, scenario.usual_switch, "leaf or spine switch",
                                parts.leaves + parts.spines));
    if (parts.cables > 0)
      bill.push_back(network_line(fabric.cable, scenario.usual_cable, "cable", parts.cables));
  } else if (const std::int64_t cables = ports_to_stores(scenario); cables > 0) {
    bill.push_back(network_line(fabric.cable, scenario.usual_cable, "cable", cables));
  }
  const bool rented = scenario.cost.rent_per_hour || scenario.system->rent_per_hour;
  if (rented)
    for (auto& line : bill) {
      leave_out_price(line, kInRent);
      leave_out_power(line, kInRent);
    }
  return bill;
}

}  // namespace gpufeed
