// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/reads.h"

#include <algorithm>
#include <numeric>

#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/limits/concurrent_readers.h"
#include "sim/plan/passes.h"
#include "sim/topology/capacity.h"

namespace gpufeed {

std::vector<NicUser> cards_dealt(const Sources& sources, std::int64_t loaders, const GpuFeed& gpu) {
  const auto users = static_cast<std::size_t>(loaders);
  const std::size_t cards = sources.store ? sources.store->via.size() : 1;
  const std::size_t each = cards / std::gcd(users, cards);
  if (each == 1 || sources.from.path == ReadPath::gpudirect) return {gpu.nic};
  std::vector<NicUser> out(each, gpu.nic);
  for (std::size_t i = 0; i < each; ++i)
    out[i].card = *sources.store->via[(gpu.number * each + i) % cards].part;
  return out;
}

namespace {

/// By what the store's rate of requests holds a sample up, that nobody else reads: the first byte,
/// as it was measured, was late by as much already.
Seconds served(const Sources& sources) {
  if (!sources.store) return {};
  const Array& array = *sources.store->model;
  const Bytes request = request_to(*sources.store, sources.reading.access.request);
  const double size = size_of(*sources.store);
  const Seconds moved = request / std::min(array.read_bandwidth * size, sources.reading.stream);
  const Seconds one = Seconds{1 / (array.read_rate.value * size)} - moved;
  return std::max(one, Seconds{}) * sources.reading.first_bytes;
}

}  // namespace

void add_reads(const Scenario& scenario, const Graph& graph, const Sources& sources,
               std::int64_t readers, const std::vector<NicUser>& cards, RoutesInMaking& routes,
               GpuFeed& gpu) {
  const System& system = *scenario.system;
  const Cpu& cpu = *find_socket(system, gpu.socket)->model;
  const VertexIndex target = sources.from.path == ReadPath::gpudirect ? graph.gpu(gpu.number)
                                                                      : graph.memory_of(gpu.socket);
  const auto add_read = [&](PartId source, const NicUser& card) {
    const auto find = [&] { return read_route(scenario, graph, source, target, card); };
    auto route = sources.store ? find() : routes.of_drive(source, target, find);
    if (route) {
      const Seconds wait =
          route->latency * sources.reading.waits_per_sample + sources.reading.open_time;
      gpu.read_latency = std::max(gpu.read_latency, wait - std::min(wait, served(sources)));
      if (sources.from.buffered()) pass_memory(graph, *route, gpu.socket, kCopyPasses);
      const Bandwidth most =
          most_of_source(sources, system, source, cpu, readers) / static_cast<double>(cards.size());
      if (most < route->cap.value_or(kUncapped)) route->cap = most;
    }
    if (const auto read = routes.add(std::move(route), graph.vertex(graph.at(source)).label,
                                     graph.vertex(target).label))
      gpu.reads.push_back(*read);
  };
  for (const PartId source : sources.parts)
    for (const NicUser& card : cards) add_read(source, card);
}

namespace {

/// Of one drive, while all GPUs of a node load.
ConcurrentReaders readers_of(const Sources& sources, const Plan& plan) {
  const double makers =
      static_cast<double>(plan.gpus.size()) * static_cast<double>(plan.loader.batches_at_once);
  const double readers = makers * static_cast<double>(plan.loader.readers_per_batch);
  const double on_drive = std::max(
      1.0, readers * sources.reading.drives_at_once / static_cast<double>(plan.sources.size()));
  const double missed = std::max(1 - plan.hit_rate(), 1e-3);
  const double cores = std::max(cores_of(plan), 1.0);
  const double busy =
      std::max(1.0, makers * static_cast<double>(plan.loader.threads_per_batch) / cores);
  const Seconds sample = plan.decodes_while_reading ? Seconds{} : plan.decode * busy;
  return {on_drive, sources.reading.access.request,
          sample * (1 / missed / std::max(1.0, sources.reading.waits_per_sample))};
}

}  // namespace

void add_waits_among_readers(const Scenario& scenario, const Sources& sources, Plan& plan) {
  if (sources.store) return;
  Seconds longest{};
  const ConcurrentReaders readers = readers_of(sources, plan);
  for (const PartId source : sources.parts) {
    const Drive& drive = *find_drive(*scenario.system, source)->model;
    if (drive.medium == Medium::disk) continue;
    const DriveLaw law = drive.read_law(sources.reading.access.pieces_per_page);
    if (law.sharpness >= kManyAtOnce) continue;  // what sharing its rate costs is all, and more
    longest = std::max(longest, wait_among(law, readers) - law.latency);
  }
  for (GpuPlan& gpu : plan.gpus) gpu.read_latency += longest * sources.reading.waits_per_sample;
}

void add_hits(const Graph& graph, RoutesInMaking& routes, GpuFeed& gpu) {
  Route hits;
  pass_memory(graph, hits, gpu.socket, kCopyPasses);
  gpu.hits = routes.add(std::move(hits));
}

}  // namespace gpufeed
