// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/copy_streams.h"

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/passes.h"
#include "sim/plan/reading.h"
#include "sim/plan/striping.h"

namespace gpufeed {

/// One end of a copy: a memory, a GPU, some drives or a store.
struct CopyStreams::End {
  PartId part;
  Label label;
  bool socket = false;
  std::optional<std::size_t> gpu{};
  std::vector<std::size_t> drives{};
  const Volume* volume = nullptr;

  bool stores() const { return !socket && !gpu; }
};

CopyStreams::CopyStreams(const Scenario& scenario, const Graph& graph, const Limits& limits)
    : scenario_(scenario), system_(*scenario.system), graph_(graph), limits_(limits) {}

CopyStreams::End CopyStreams::end(const PartRef& ref) const {
  const PartId part = *ref;
  End out{.part = part, .label = label(part), .socket = part.kind == PartKind::socket};
  if (part.kind == PartKind::gpu) out.gpu = part.number;
  out.drives = drives_of(system_, part);
  out.volume = find_volume(system_, part);
  return out;
}

Label CopyStreams::label(PartId part) const { return label_of(scenario_, part); }

const Cpu& CopyStreams::cpu_of(PartId socket) const { return *find_socket(system_, socket)->model; }

/// Whose memory holds what passes between `end` and another place.
PartId CopyStreams::socket_near(const End& end) const {
  if (end.socket) return end.part;
  if (end.gpu) return socket_of(system_, system_.gpus[*end.gpu]);
  if (!end.drives.empty()) return socket_of(system_, system_.drives[end.drives.front()]);
  const PartRef& nic = find_store(scenario_, end.part)->via.front();
  return socket_of(system_, *find_nic(system_, *nic));
}

CopyStream CopyStreams::of(const Copy& copy) {
  const End from = end(copy.from);
  const End to = end(copy.to);
  CopyStream out;
  if (from.socket && to.socket) {
    if (!copy.overlapped) refuse_halves(copy, missing_);
    out = between_sockets(from.part, to.part);
  } else if (from.gpu && to.gpu) {
    out = between_gpus(copy, *from.gpu, *to.gpu);
  } else {
    const auto gpu = from.gpu ? from.gpu : to.gpu;
    const bool past_memory =
        scenario_.data.path == ReadPath::gpudirect && gpu && (from.stores() || to.stores());
    const PartId socket = socket_near(from.socket ? from : to.socket || !from.gpu ? to : from);
    const VertexIndex middle = past_memory ? graph_.gpu(*gpu) : memory(socket);
    const NicUser user = gpu ? NicUser{.gpu = gpu} : turns_.next(middle);
    Stream second;
    if (from.stores()) read(out.stream, from, middle, user);
    if (from.stores()) cap_reader(out, socket);
    if (to.stores()) write(second, middle, to, user);
    if (from.gpu && !past_memory)
      leg(out.stream, shortest_route(graph_, graph_.gpu(*gpu), middle), 1, from.label,
          label(socket));
    if (to.gpu && !past_memory)
      leg(second, shortest_route(graph_, middle, graph_.gpu(*gpu)), 1, label(socket), to.label);
    join(out, second, copy);
  }
  out.stream.count = copy.streams;
  return out;
}

void CopyStreams::read(Stream& stream, const End& from, VertexIndex target, const NicUser& user) {
  const Label& to = graph_.vertex(target).label;
  if (from.drives.empty())
    return leg(stream, read_route(scenario_, graph_, from.part, target, user), 1, from.label, to);
  for (const std::size_t i : from.drives) {
    const PartId drive{PartKind::drive, i};
    leg(stream, shortest_route(graph_, graph_.media_of(drive), target),
        1 / static_cast<double>(from.drives.size()), label(drive), to);
  }
}

void CopyStreams::write(Stream& stream, VertexIndex source, const End& onto, const NicUser& user) {
  const Label& from = graph_.vertex(source).label;
  if (onto.drives.empty())
    return leg(stream, write_route(scenario_, graph_, source, onto.part, user), 1, from,
               onto.label);
  const double written = written_per_byte(onto.volume);
  for (const std::size_t i : onto.drives) {
    const PartId drive{PartKind::drive, i};
    leg(stream, shortest_route(graph_, source, graph_.media_of(drive)),
        written / static_cast<double>(onto.drives.size()), from, label(drive));
  }
}

void CopyStreams::leg(Stream& stream, const std::optional<Route>& route, double share,
                      const Label& from, const Label& to) {
  if (!route) {
    report_no_way(missing_, scenario_.where, scenario_, from, to);
    return;
  }
  for (const ResourceIndex resource : route->resources) take_more(stream, resource, share);
  if (route->cap) stream.cap = std::min(stream.cap, *route->cap);
}

/// Appends the second half of a way through host memory.
void CopyStreams::join(CopyStream& copy, const Stream& second, const Copy& of) {
  const bool stops = !copy.stream.takes.empty() && !second.takes.empty();
  if (!of.overlapped && stops) {
    const Seconds a_byte =
        Bytes{1} / solo_rate(limits_, copy.stream) + Bytes{1} / solo_rate(limits_, second);
    copy.stream.cap = Bytes{1} / a_byte;
    copy.cap = fact<LimiterCode::half_after_half>();
  } else if (second.cap < copy.stream.cap) {
    copy.stream.cap = second.cap;
  }
  if (!of.overlapped && !stops) refuse_halves(of, missing_);
  for (const Take& take : second.takes) take_more(copy.stream, take.limit, take.share);
}

CopyStream CopyStreams::between_sockets(PartId from, PartId to) {
  CopyStream out;
  auto route = shortest_route(graph_, memory(from), memory(to));
  // These limits are those of devices; cores have their own.
  if (route)
    for (const auto& limit : graph_.pass_limits) std::erase(route->resources, limit.resource);
  leg(out.stream, route, 1, label(from), label(to));
  if (!route) return out;
  take_more(out.stream, route->resources.back(), kCopyWrites - 1);
  if (const auto remote = graph_.find_resource({from, Role::remote_core_reads}))
    take_more(out.stream, *remote, 1);
  if (const auto& core = cpu_of(to).core_copy_bandwidth) {
    out.stream.cap = *core;
    out.cap = fact<LimiterCode::core_copies>();
  }
  return out;
}

CopyStream CopyStreams::between_gpus(const Copy& copy, std::size_t from, std::size_t to) {
  CopyStream out;
  std::optional<Route> route;
  if (copy.via) {
    if (!copy.overlapped) refuse_halves(copy, missing_);
    route = forwarded_route(graph_, from, to, end(*copy.via).gpu.value());
    out.cap = fact<LimiterCode::forwarding>(label(**copy.via));
    if (!route)
      refuse_via(copy, missing_);
    else
      out.stream = stream_over(*route);
    return out;
  }
  route = peer_route(scenario_, graph_, from, to, true);
  if (!copy.overlapped && route && route->cap) {
    const PartId socket = socket_of(system_, system_.gpus[to]);
    Stream second;
    leg(out.stream, shortest_route(graph_, graph_.gpu(from), memory(socket)), 1, label(*copy.from),
        label(socket));
    leg(second, shortest_route(graph_, memory(socket), graph_.gpu(to)), 1, label(socket),
        label(*copy.to));
    join(out, second, copy);
    return out;
  }
  if (!copy.overlapped) refuse_halves(copy, missing_);
  out.cap = fact<LimiterCode::copying_through_host_memory>();
  leg(out.stream, route, 1, label(*copy.from), label(*copy.to));
  return out;
}

/// One thread submits the reads of one stream.
void CopyStreams::cap_reader(CopyStream& copy, PartId socket) const {
  const Cpu& cpu = cpu_of(socket);
  const auto& most = scenario_.data.path == ReadPath::gpudirect ? cpu.thread_gpudirect_bandwidth
                                                                : cpu.thread_read_bandwidth;
  if (!most || copy.stream.cap <= *most) return;
  copy.stream.cap = *most;
  copy.cap = fact<LimiterCode::thread_reads>();
}

}  // namespace gpufeed
