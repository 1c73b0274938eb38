// SPDX-License-Identifier: Apache-2.0
#include "sim/job/links/declare.h"

#include "sim/job/links/binding.h"
#include "sim/plan/on_engine.h"

namespace gpufeed {
namespace {

/// \param merged  the first drive of each node stands for all
std::vector<LinkId> drive_time_links(const Plan& plan, bool merged, Engine& engine) {
  std::vector<LinkId> links;
  const double drives = merged ? static_cast<double>(plan.gpus.front().reads.size()) : 1;
  for (const SharedDrive& drive : plan.shared_drives)
    links.push_back(engine.add_link(inside(plan.resource(drive.read).label, "time"),
                                    drive.time.capacity * drives));
  return links;
}

/// Adds to the way of a route the time of the drives that it reads or writes.
void take_drive_time(const Plan& plan, const std::vector<LinkId>& links, const Route& route,
                     std::vector<LinkId>& way) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const SharedDrive& drive = plan.shared_drives[i];
    const int taken = times_taken(route, drive.read) * drive.time.read_times +
                      times_taken(route, drive.write) * drive.time.write_times;
    way.insert(way.end(), static_cast<std::size_t>(taken), links[i]);
  }
}

/// How many routes each one stands for. Where stripes are alike, the other ones are no longer in
/// use.
ByRoute<double> merge_stripes(const Plan& plan, Declared& declared) {
  ByRoute<double> stands_for(plan.routes.size(), 1);
  if (!declared.stripes_alike) return stands_for;
  for (const auto& gpu : plan.gpus)
    for (const auto* stripes : {&gpu.reads, &gpu.pulls})
      for (const RouteIndex stripe : *stripes) {
        declared.in_use[stripe] = stripe == stripes->front();
        stands_for[stripe] = static_cast<double>(stripes->size());
      }
  return stands_for;
}

}  // namespace

Declared declare(const Plan& plan, Engine& engine) {
  Declared out;
  out.binds = binding_resources(plan);
  out.stripes_alike = stripes_alike(plan, out.binds);
  out.in_use = routes_in_use(plan);
  const auto capacities = link_capacities(plan, out.binds, out.stripes_alike);
  const GraphOnEngine graph(plan.graph, engine, capacities, out.binds);
  const auto stands_for = merge_stripes(plan, out);
  const auto times = drive_time_links(plan, out.stripes_alike, engine);
  ByRoute<Weight> weight(plan.routes.size());
  for (const auto& gpu : plan.gpus)
    for (const auto* routes : {&gpu.reads, &gpu.pulls, &gpu.passes})
      for (const RouteIndex route : *routes) weight[route] = gpu.share;
  for (const auto& phase : plan.exchange)
    for (const auto& flow : phase.flows) weight[flow.route] = flow.weight;
  for (const RouteIndex i : plan.routes.indices()) {
    const Route& route = plan.routes[i];
    auto way = graph.links_of(route);
    take_drive_time(plan, times, route, way);
    out.routes.add(
        out.in_use[i]
            ? engine.add_route(way, route.cap.value_or(kUncapped) * stands_for[i], weight[i])
            : RouteId{});
  }
  return out;
}

}  // namespace gpufeed
