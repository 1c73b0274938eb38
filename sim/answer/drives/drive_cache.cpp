// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/drives/drive_cache.h"

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/cache/read_through.h"

namespace gpufeed {
namespace {

double from_store(const HitCurve& hits) { return std::max(0.0, 1 - hits.found()); }

/// Bytes of the samples of an epoch, or of a shorter job.
double samples_of_epoch(const Plan& plan) {
  return plan.sample_size.value * plan.global_batch() *
         static_cast<double>(std::min(plan.steps, plan.steps_per_epoch));
}

/// Until the first drive has taken what it is built for. \param written  on each node, B/s
std::optional<double> life_of_drives(const Scenario& scenario, double written) {
  const auto drives = drives_of(*scenario.system, scenario.data.at);
  std::optional<double> least;
  for (const std::size_t i : drives) {
    const auto& endurance = scenario.system->drives[i].model->endurance;
    if (!endurance || !(written > 0)) return {};
    const double life = endurance->value / (written / static_cast<double>(drives.size()));
    least = std::min(least.value_or(life), life);
  }
  return least;
}

}  // namespace

double read_in_epoch(const Plan& plan, const HitCurve& hits) {
  return samples_of_epoch(plan) *
         (hits.mean_on_drives() * plan.read_per_byte + from_store(hits) * plan.pull_per_byte);
}

DriveCacheUse drive_cache_use(const Scenario& scenario, const Plan& plan, const Result& result) {
  const Bytes data = scenario.workload.dataset()->sample_size *
                     static_cast<double>(dataset_samples(scenario.workload));
  const Staging& staging = *scenario.data.staging;
  const HitCurve& first = plan.first_hits;
  const HitCurve& later = plan.later_hits;
  const double pulled = samples_of_epoch(plan) * plan.pull_per_byte;
  DriveCacheUse use;
  use.capacity_B = staging.capacity.value_or(data).value;
  use.share_of_data = use.capacity_B / data.value;
  use.eviction = name_of(staging.eviction.value);
  use.block_B = cache_block(scenario).value;
  use.hit_rate_first_epoch = first.mean_on_drives();
  use.hit_rate = later.mean_on_drives();
  use.store_share_first_epoch = from_store(first);
  use.store_share = from_store(later);
  use.store_first_epoch_B = pulled * use.store_share_first_epoch;
  use.store_later_epoch_B = pulled * use.store_share;
  use.written_first_epoch_B = pulled * first.mean_written();
  use.written_later_epoch_B = pulled * later.mean_written();
  if (result.epoch_s > 0)
    use.drive_life_s = life_of_drives(
        scenario, use.written_later_epoch_B / static_cast<double>(plan.nodes) / result.epoch_s);
  return use;
}

}  // namespace gpufeed
