// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/probe_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "sim/answer/words.h"
#include "sim/plan/reading.h"

namespace gpufeed {
namespace {

void leave_out_training(Result& result) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  for (double* value :
       {&result.throughput_samples_per_s, &result.accelerator_utilization, &result.step_s,
        &result.epoch_s, &result.first_epoch_s, &result.staging_s, &result.training_s,
        &result.time_to_first_result_s, &result.time_to_result_s, &result.bytes_per_gpu_second,
        &result.storage_limit_bytes_per_gpu_second, &result.bound.samples_per_s})
    *value = kNone;
}

void draw(Topology& topology, const Graph& graph) {
  for (const auto& node : graph.nodes)
    topology.nodes.push_back({node.id, std::string(name_of(node.kind))});
  for (const auto& edge : graph.edges)
    topology.edges.push_back({graph.node(edge.from).id, graph.node(edge.to).id,
                              edge.resource == kUnlimited ? "" : graph.resource(edge.resource).id});
}

/// What the answer leans on and nobody measured: whatever would bind if it were half as fast.
std::vector<std::string> estimates_of(const std::vector<ResourceUse>& resources) {
  constexpr double kCouldBind = 0.5;
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const auto& resource : resources)
    if (resource.basis == name_of(Basis::estimate) && resource.utilization >= kCouldBind)
      by_kind[resource.kind].push_back(resource.id);
  std::vector<std::string> out;
  for (const auto& [kind, ids] : by_kind) {
    const auto all = join_ids(ids);
    const bool many = ids.size() > 2 && all.find(',') != std::string::npos;
    out.push_back(fmt::format(
        "{} {}", kind, many ? fmt::format("{} and {} like it", ids.front(), ids.size() - 1) : all));
  }
  return out;
}

}  // namespace

Result probe_result(const Scenario& scenario, const Graph& graph, const std::vector<Limit>& limits,
                    const std::vector<double>& load) {
  Result result;
  leave_out_training(result);
  result.title = scenario.title;
  result.kind = name_of(scenario.workload.kind());
  result.engine = name_of(scenario.run.engine);
  result.seed = scenario.run.seed;
  result.system = scenario.system->title;
  result.defaults = scenario.defaults;
  for (std::size_t i = 0; i < limits.size(); ++i)
    if (load[i] > 0)
      result.resources.push_back({limits[i].id, limits[i].kind, limits[i].capacity.value, "B/s",
                                  load[i], limits[i].provenance.source,
                                  std::string(name_of(limits[i].provenance.basis))});
  draw(result.topology, graph);
  result.estimates = estimates_of(result.resources);
  return result;
}

std::string io_storage_in_words(const Scenario& scenario, const std::vector<std::string>& sources) {
  std::string place = place_in_words(scenario, sources);
  const Volume* volume = volume_of(*scenario.system, scenario.data.at.id);
  if (!volume || scenario.store.contains(scenario.data.at.id)) return place;
  if (volume->layout == Layout::files) return place + ", whole files on each";
  return sources.size() > 1 ? fmt::format("{}, {}", place, name_of(volume->layout)) : place;
}

std::string names_of(const std::vector<Limit>& limits, const std::vector<int>& which) {
  constexpr std::string_view kWrite = " write";
  std::vector<std::string> ids;
  for (const int i : which) {
    const Limit& limit = limits[static_cast<std::size_t>(i)];
    std::string id = limit.id;
    if (limit.kind == name_of(ResourceKind::drive) && id.ends_with(kWrite))
      id.resize(id.size() - kWrite.size());
    if (!std::ranges::count(ids, id)) ids.push_back(id);
  }
  return join_ids(ids);
}

std::string share_text(double share) {
  return text_number(share * 100, share < 0.0995 ? 2 : 3) + " %";
}

}  // namespace gpufeed
