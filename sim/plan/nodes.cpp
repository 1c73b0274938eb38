// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/model/scenario.h"

namespace gpufeed {

Nodes::Nodes(const Scenario& scenario, Graph& graph, Copies copies)
    : graph_(graph), system_(*scenario.system), count_(scenario.nodes), shown_(count_) {
  if (count_ == 1) return;
  copy_resources(copies);
  add_leaves(scenario);
}

Nodes::Nodes(const Scenario& scenario, Graph& graph, std::int64_t shown, bool leaves)
    : graph_(graph),
      system_(*scenario.system),
      count_(scenario.nodes),
      shown_(shown),
      few_(true),
      one_leaf_(!leaves) {
  copy_resources(Copies::all);
  add_leaves(scenario);
}

/// Of something that so many nodes share, what one stands for of those that are shown.
double Nodes::stands_for(std::int64_t nodes) const {
  return few_ ? static_cast<double>(nodes) / static_cast<double>(shown_) : 1;
}

void Nodes::copy_resources(Copies copies) {
  ByResource<ResourceIndex> of_one;
  for (const ResourceIndex r : graph_.resources.indices()) {
    of_one.add(r);
    Resource& resource = graph_.resources[r];
    resource.of_first = r;
    if (resource.kind != ResourceKind::array) continue;
    resource.nodes = {0, static_cast<int>(count_)};
    resource.stands_for = stands_for(count_);
  }
  copies_.assign(static_cast<std::size_t>(shown_ - 1), of_one);
  if (copies == Copies::taken) return;
  for (int node = 1; node < shown_; ++node)
    for (const ResourceIndex r : of_one) {
      const ResourceIndex own = resource(node, r);  // which may move all
      graph_.resources[own].provenance = graph_.resources[r].provenance;
    }
}

ResourceIndex Nodes::copy(int node, ResourceIndex of_first) const {
  const Resource& first = graph_.resources[of_first];
  Resource copy{.label = inside(first.label, fmt::format("of node {}", node)),
                .kind = first.kind,
                .capacity = first.capacity,
                .provenance = {},  // the first says it, and a text for each of many nodes is much
                .key = first.key,
                .limit = first.limit,
                .copy_of_first = true,
                .nodes = {node, 1},
                .of_first = of_first,
                .stands_for = first.stands_for};
  return graph_.resources.add(std::move(copy));
}

void Nodes::add_leaves(const Scenario& scenario) {
  const Fabric fabric = scenario.fabric.value_or(Fabric{});
  latency_ = fabric.latency;
  nodes_per_switch_ = std::min(fabric.nodes_per_switch.value_or(count_), count_);
  rails_ = fabric.rails && system_.nics.size() > 1;
  rail_switches_ = static_cast<std::size_t>((count_ + nodes_per_switch_ - 1) / nodes_per_switch_);
  const std::size_t rails = rails_ ? system_.nics.size() : 1;
  if (rails * rail_switches_ == 1) return;
  if (one_leaf_) rail_switches_ = 1;
  const std::int64_t on_leaf = one_leaf_ ? shown_ : std::min(nodes_per_switch_, shown_);
  if (few_ && !one_leaf_)
    rail_switches_ = static_cast<std::size_t>((shown_ + on_leaf - 1) / on_leaf);
  const auto add = [&](const Label& label, Role role, std::size_t place, Bandwidth capacity,
                       const Provenance& provenance, std::size_t s) {
    const int first = static_cast<int>(s) * static_cast<int>(nodes_per_switch_);
    const int nodes = static_cast<int>(std::min(nodes_per_switch_, count_ - first));
    const std::size_t of_first = graph_.resources.size() - 2 * s;
    return graph_.resources.add(
        {.label = label,
         .kind = ResourceKind::network,
         .capacity = capacity,
         .provenance = provenance,
         .key = {{PartKind::fabric, place}, role},
         .nodes = {first, nodes},
         .of_first = ResourceIndex(of_first),
         .stands_for =
             few_ ? static_cast<double>(nodes_per_switch_) / static_cast<double>(on_leaf) : 1});
  };
  for (std::size_t rail = 0; rail < rails; ++rail)
    for (std::size_t s = 0; s < rail_switches_; ++s) {
      Bandwidth ports{};
      for (std::size_t n = 0; n < system_.nics.size(); ++n)
        if (!rails_ || n == rail)
          ports +=
              system_.nics[n].model->payload_bandwidth() * static_cast<double>(nodes_per_switch_);
      const Label label(rails_ ? fmt::format("rail {} switch {}", rail, s)
                               : fmt::format("switch {}", s));
      const Provenance given{"the scenario's fabric", Basis::estimate};
      const Bandwidth uplink = fabric.uplink_bandwidth.value_or(ports);
      const std::size_t place = leaves_.size();
      const ResourceIndex up = add(inside(label, "up"), Role::uplink, place, uplink, given, s);
      leaves_.push_back({up, add(inside(label, "down"), Role::downlink, place, uplink, given, s)});
    }
}

ResourceIndex Nodes::resource(int node, ResourceIndex of_first) const {
  if (node == 0) return of_first;
  ResourceIndex& own = copies_[static_cast<std::size_t>(node - 1)][of_first];
  if (own == of_first && graph_.resources[of_first].kind != ResourceKind::array)
    own = copy(node, of_first);
  return own;
}

Route Nodes::on(int node, Route route) const {
  for (ResourceIndex& taken : route.resources) taken = resource(node, taken);
  return route;
}

const Nodes::Leaf* Nodes::leaf_of(int node, std::size_t nic) const {
  if (leaves_.empty()) return nullptr;
  const Place place = switch_of(node, nic);
  return &leaves_[place.rail * rail_switches_ + (one_leaf_ ? 0 : place.number)];
}

Nodes::Place Nodes::switch_of(int node, std::size_t nic) const {
  return {rails_ ? nic : 0, static_cast<std::size_t>(node / nodes_per_switch_)};
}

std::size_t Nodes::nic_on(const Route& route) const {
  for (const ResourceIndex resource : route.resources) {
    const ResourceKey& key = graph_.resource(resource).key;
    if (key.role == Role::port_in || key.role == Role::port_out) return key.part.number;
  }
  GPUFEED_ASSERT(false, "the way to a store passes a network card");
  return 0;
}

Route Nodes::to_store(int node, Route route, bool reads) const {
  const Leaf* leaf = leaves_.empty() ? nullptr : leaf_of(node, nic_on(route));
  route = on(node, std::move(route));
  if (leaf) route.resources.push_back(reads ? leaf->down : leaf->up);
  return route;
}

Route Nodes::between(int from, const PortRoute& out, int to, const PortRoute& in) const {
  GPUFEED_ASSERT(from != to, "the two nodes differ");
  Route route = on(from, out.route);
  const Route arriving = on(to, in.route);
  const Leaf* above = leaf_of(from, out.nic);
  const Leaf* below = leaf_of(to, in.nic);
  if (above != below) {
    route.resources.push_back(above->up);
    route.resources.push_back(below->down);
  }
  route.resources.insert(route.resources.end(), arriving.resources.begin(),
                         arriving.resources.end());
  route.latency += arriving.latency + latency_;
  return route;
}

void share_drives(const Nodes& nodes, const std::vector<PartId>& written, Plan& plan) {
  for (const PartId drive : written) {
    if (!std::ranges::count(plan.sources, drive)) continue;
    for (int node = 0; node < nodes.shown(); ++node) {
      const ResourceIndex read = nodes.resource(node, plan.graph.read_resource(drive));
      if (std::ranges::count(plan.shared_drives, read, &SharedDrive::read)) continue;
      const ResourceIndex write = nodes.resource(node, plan.graph.write_resource(drive));
      plan.shared_drives.push_back(
          {read, write, drive_time(plan.resource(read).capacity, plan.resource(write).capacity)});
    }
  }
}

}  // namespace gpufeed
