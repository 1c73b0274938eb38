// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/staged_epoch.h"

#include "sim/model/compute.h"
#include "sim/plan/make/make_plan.h"

namespace gpufeed {
namespace {

/// The scenario as if the data lay on the store and no page cache held any: what the first epoch
/// reads.
Scenario from_store(const Scenario& scenario) {
  Scenario out = scenario;
  out.data.at = scenario.data.staging->from;
  out.data.staging.reset();
  out.loader.cache = CacheRule::none;
  if (out.checkpoint && out.checkpoint->at.id.empty()) out.checkpoint->at = scenario.data.at;
  return out;
}

/// The resource that limits the copy as a whole; kUnlimited where nothing does.
int copy_limit(const Scenario& scenario, Graph& graph) {
  const auto& staging = *scenario.data.staging;
  if (!staging.rate) return kUnlimited;
  graph.resources.push_back({staging.from.id + " copy-in",
                             ResourceKind::network,
                             *staging.rate,
                             {"data.staging.rate of the scenario", Basis::measured}});
  return static_cast<int>(graph.resources.size()) - 1;
}

}  // namespace

Plan staged_epoch_plan(const Scenario& scenario) {
  const System& system = *scenario.system;
  Plan plan = make_plan(from_store(scenario));
  const int limit = copy_limit(scenario, plan.graph);
  plan.quiet.assign(plan.graph.resources.size(), false);  // they carry the writes, too
  const auto drives = drives_of(system, scenario.data.at.id);
  const double parts = static_cast<double>(drives.size());
  Diagnostics missing;
  for (auto& gpu : plan.gpus) {
    const auto reading = static_cast<std::size_t>(gpu.reads.front());
    const Route read = plan.routes[reading];
    gpu.reads.clear();
    for (const std::size_t i : drives) {
      const std::string& drive = system.drives[i].id;
      const int memory = plan.graph.memory_of(gpu.socket);
      const auto onto = shortest_route(plan.graph, memory, plan.graph.media_of(drive));
      if (!onto) {
        report_no_way(missing, scenario.data.staging->from.where, scenario,
                      plan.graph.vertex(memory).id, drive);
        continue;
      }
      Route both = read;
      both.resources.insert(both.resources.end(), onto->resources.begin(), onto->resources.end());
      if (limit != kUnlimited) both.resources.push_back(limit);
      if (read.cap) both.cap = *read.cap / parts;
      const bool first = gpu.reads.empty();
      gpu.reads.push_back(static_cast<int>(first ? reading : plan.routes.size()));
      if (first)
        plan.routes[reading] = std::move(both);
      else
        plan.routes.push_back(std::move(both));
    }
  }
  missing.throw_if_any();
  return plan;
}

}  // namespace gpufeed
