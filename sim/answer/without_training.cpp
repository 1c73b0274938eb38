// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/without_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/answer/machine.h"
#include "sim/answer/words.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

void leave_out_training(Result& result) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  for (double* value :
       {&result.job_samples_per_s, &result.job_gpu_utilization, &result.first_epoch_samples_per_s,
        &result.throughput_samples_per_s, &result.accelerator_utilization, &result.step_s,
        &result.epoch_s, &result.first_epoch_s, &result.staging_s, &result.index_s,
        &result.training_s, &result.time_to_first_result_s, &result.time_to_result_s,
        &result.bytes_per_gpu_second, &result.storage_limit_bytes_per_gpu_second,
        &result.storage_limit_first_epoch_bytes_per_gpu_second, &result.bound.samples_per_s})
    *value = kNone;
}

}  // namespace

Result result_without_training(const Scenario& scenario, const Graph& graph, const Limits& limits,
                               const ByLimit<double>& load) {
  Result result;
  leave_out_training(result);
  result.title = scenario.title;
  result.kind = scenario.workload.kind();
  result.engine = name_of(scenario.run.engine);
  result.seed = scenario.run.seed;
  result.system = scenario.system->title;
  result.defaults = scenario.defaults;
  result.calibrated = scenario.calibrated;
  for (const LimitIndex i : limits.indices())
    if (load[i] > 0)
      result.resources.push_back(use_of(limits[i].label, limits[i].kind, limits[i].capacity,
                                        load[i], limits[i].provenance, limits[i].key,
                                        i.position()));
  result.topology = drawn(graph);
  result.estimates = estimates_of(result.resources);
  return result;
}

Result result_without_training(const Scenario& scenario, const Graph& graph,
                               const ByResource<double>& load) {
  ByLimit<double> of_limits;
  for (const double one : load) of_limits.add(one);
  return result_without_training(scenario, graph, limits_of(graph), of_limits);
}

std::string io_storage_in_words(const Scenario& scenario, const PartRef& at) {
  std::string place = place_in_words(scenario, at);
  const Volume* volume = find_volume(*scenario.system, at);
  if (!volume) return place;
  if (volume->layout == Layout::files) return place + ", whole files on each";
  return volume->drives.size() > 1 ? fmt::format("{}, {}", place, name_of(volume->layout)) : place;
}

std::vector<Label> labels_of(const Limits& limits, const std::vector<LimitIndex>& which) {
  const auto of_drive = [&](PartId drive) {
    return std::ranges::find_if(limits, [&](const Limit& limit) {
      return limit.key && limit.key->part == drive && limit.key->role == Role::read;
    });
  };
  std::vector<Label> labels;
  for (const LimitIndex i : which) {
    const Limit& limit = limits[i];
    const bool drive =
        limit.key && limit.key->part.kind == PartKind::drive && limit.key->role == Role::write;
    const Label& label = drive ? of_drive(limit.key->part)->label : limit.label;
    if (!std::ranges::count(labels, label)) labels.push_back(label);
  }
  return labels;
}

}  // namespace gpufeed
