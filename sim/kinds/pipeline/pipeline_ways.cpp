// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/pipeline/pipeline_ways.h"

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/reading.h"
#include "sim/plan/striping.h"

namespace gpufeed {
namespace {

/// One after the other; a memory between the two is written and read.
std::optional<Route> joined(std::optional<Route> first, const std::optional<Route>& second) {
  if (!first || !second) return {};
  first->resources.insert(first->resources.end(), second->resources.begin(),
                          second->resources.end());
  return first;
}

bool takes(const Stream& stream, ResourceIndex resource) {
  return std::ranges::count(stream.takes, limit_of(resource), &Take::limit) > 0;
}

bool is_store(PartId place) { return place.kind == PartKind::store; }

}  // namespace

PipelineWays::PipelineWays(const Scenario& scenario, const Graph& graph)
    : scenario_(scenario), system_(*scenario.system), graph_(graph) {}

std::vector<Stream> PipelineWays::between(PartId from, PartId to, double written) {
  const auto ways = lanes(from, to);
  // Parts of a volume end together; what is read through several NICs goes where there is room.
  const bool together = !ways.front().port;
  std::vector<Stream> streams(together ? 1 : ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i) read(streams[together ? 0 : i], ways[i]);
  if (written > 0)
    for (std::size_t i = 0; i < ways.size(); ++i)
      write(streams[together ? 0 : i], ways[i], to, written);
  return streams;
}

std::vector<PipelineWays::Lane> PipelineWays::lanes(PartId from, PartId to) const {
  std::vector<Lane> out;
  if (is_store(from) && is_store(to)) {
    for (const PartRef& nic : find_store(scenario_, from)->via)
      out.push_back({*nic, from, socket_of(system_, *find_nic(system_, *nic)), 1});
    return out;
  }
  const auto drives = drives_of(system_, is_store(from) ? to : from);
  for (const std::size_t i : drives)
    out.push_back({{},
                   is_store(from) ? from : PartId{PartKind::drive, i},
                   socket_of(system_, system_.drives[i]),
                   1 / static_cast<double>(drives.size())});
  return out;
}

std::optional<Route> PipelineWays::from_store(const Lane& lane) const {
  const VertexIndex memory = graph_.memory_of(lane.socket);
  if (!lane.port) return read_route(scenario_, graph_, lane.source, memory, {});
  const VertexIndex port = graph_.at(*lane.port);
  return joined(shortest_route(graph_, graph_.media_of(lane.source), port),
                shortest_route(graph_, port, memory));
}

std::optional<Route> PipelineWays::into_store(const Lane& lane, PartId store) const {
  const VertexIndex memory = graph_.memory_of(lane.socket);
  const auto& via = find_store(scenario_, store)->via;
  if (!lane.port || !std::ranges::count(via, lane.port, &PartRef::part))
    return write_route(scenario_, graph_, memory, store, {});
  const VertexIndex port = graph_.at(*lane.port);
  return joined(shortest_route(graph_, memory, port),
                shortest_route(graph_, port, graph_.media_of(store)));
}

void PipelineWays::read(Stream& stream, const Lane& lane) {
  const auto route = is_store(lane.source) ? from_store(lane)
                                           : shortest_route(graph_, graph_.media_of(lane.source),
                                                            graph_.memory_of(lane.socket));
  if (!route) return report(lane.source, lane.socket);
  for (const ResourceIndex resource : route->resources) take_more(stream, resource, lane.share);
}

void PipelineWays::write(Stream& stream, const Lane& lane, PartId to, double written) {
  if (is_store(to))
    return take_writes(stream, into_store(lane, to), lane.share * written, lane.socket, to);
  onto_drives(stream, lane, to, written);
}

void PipelineWays::onto_drives(Stream& stream, const Lane& lane, PartId to, double written) {
  const double all = lane.share * written * written_per_byte(find_volume(system_, to));
  const auto drives = drives_of(system_, to);
  const VertexIndex memory = graph_.memory_of(lane.socket);
  for (const std::size_t i : drives) {
    const PartId drive{PartKind::drive, i};
    take_writes(stream, shortest_route(graph_, memory, graph_.media_of(drive)),
                all / static_cast<double>(drives.size()), lane.socket, drive);
  }
}

void PipelineWays::take_writes(Stream& stream, const std::optional<Route>& route, double share,
                               PartId from, PartId to) {
  if (!route) return report(from, to);
  for (const ResourceIndex r : route->resources) {
    const Resource& resource = graph_.resource(r);
    std::optional<ResourceIndex> reading;
    if (resource.key.role == Role::write)
      reading = graph_.find_resource({resource.key.part, Role::read});
    if (reading && takes(stream, *reading))
      take_more(stream, *reading, share * (graph_.resource(*reading).capacity / resource.capacity));
    else
      take_more(stream, r, share);
  }
}

void PipelineWays::report(PartId from, PartId to) {
  report_no_way(missing_, scenario_.where, scenario_, label_of(scenario_, from),
                label_of(scenario_, to));
}

}  // namespace gpufeed
