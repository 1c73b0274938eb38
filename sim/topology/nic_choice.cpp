// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/nic_choice.h"

#include <algorithm>

#include "sim/model/find_part.h"
#include "sim/topology/routes.h"

namespace gpufeed {
namespace {

/// The NICs of a store that are nearest to `target`, in the order of the graph.
std::vector<PartId> nearest_nics(const Graph& graph, VertexIndex network, VertexIndex target) {
  std::vector<PartId> nearest;
  std::size_t least = graph.edges.size() + 1;
  for (const Edge& edge : graph.edges) {
    if (edge.from != network || graph.vertex(edge.to).kind != VertexKind::nic) continue;
    const auto route = shortest_route(graph, edge.to, target);
    if (!route || route->resources.size() > least) continue;
    if (route->resources.size() < least) nearest.clear();
    least = route->resources.size();
    nearest.push_back(graph.vertex(edge.to).part);
  }
  return nearest;
}

/// GPUs before GPU `gpu` for which `beside` holds.
template <class Beside>
std::size_t turn_of(const System& system, std::size_t gpu, Beside beside) {
  std::size_t turn = 0;
  for (std::size_t before = 0; before < gpu; ++before)
    if (beside(system.gpus[before])) ++turn;
  return turn;
}

/// Of `nics`, those for which `beside(part)` holds, taken in turn by the GPUs for which it holds.
template <class Beside>
std::optional<PartId> in_turn(const System& system, const std::vector<PartId>& nics,
                              std::size_t gpu, Beside beside) {
  std::vector<PartId> near;
  for (std::size_t i = 0; i < system.nics.size(); ++i) {
    const PartId nic{PartKind::nic, i};
    if (beside(system.nics[i]) && std::ranges::count(nics, nic)) near.push_back(nic);
  }
  if (near.empty()) return {};
  return near[turn_of(system, gpu, beside) % near.size()];
}

std::optional<PartId> nic_for(const System& system, const std::vector<PartId>& nics,
                              const NicUser& user) {
  if (nics.empty()) return {};
  if (!user.gpu) return nics[user.turn % nics.size()];
  const std::size_t gpu = *user.gpu;
  const Attachment& place = system.gpus[gpu];
  const PartId socket = socket_of(system, place);
  const auto same_part = [&](const Attachment& part) { return part.at.part == place.at.part; };
  const auto same_socket = [&](const Attachment& part) {
    return socket_of(system, part) == socket;
  };
  if (auto nic = in_turn(system, nics, gpu, same_part)) return nic;
  if (auto nic = in_turn(system, nics, gpu, same_socket)) return nic;
  return nics[turn_of(system, gpu, same_socket) % nics.size()];
}

}  // namespace

std::optional<PartId> chosen_nic(const System& system, const Graph& graph, VertexIndex network,
                                 VertexIndex end, const NicUser& user) {
  if (user.card) return user.card;
  return nic_for(system, nearest_nics(graph, network, end), user);
}

}  // namespace gpufeed
