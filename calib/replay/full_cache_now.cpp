// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/full_cache_now.h"

#include <algorithm>

#include "calib/replay/replay_plan.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

bool pages_matter(const Scenario& scenario) {
  const auto& drives = scenario.system->drives;
  const auto drive = std::ranges::find(drives, scenario.data.at.id, &Device<Drive>::id);
  return drive != drives.end() && drive->model->page_time;
}

/// Nothing where one of them was not calibrated: a data sheet is to be tested as it is.
std::optional<Bandwidth> calibrated_refill(const Scenario& scenario) {
  if (scenario.system->sockets.empty()) return {};
  const Cpu& cpu = *scenario.system->sockets.front().model;
  const auto calibrated = [&](const char* key) {
    return cpu.provenance_of(key).basis == Basis::calibrated;
  };
  if (!cpu.cache_fill_bandwidth || !calibrated("cache_fill_bandwidth")) return {};
  if (!cpu.cache_evict_bandwidth) return cpu.cache_fill_bandwidth;
  if (!calibrated("cache_evict_bandwidth")) return {};
  return Bandwidth{1 /
                   (1 / cpu.cache_fill_bandwidth->value + 1 / cpu.cache_evict_bandwidth->value)};
}

/// As the replay runs, but of a set that is not too large.
ReplayPlan part_of(const ReplayPlan& plan) {
  constexpr Bytes kMost{8e9};     // it is read some times, at a gigabyte a second or more
  constexpr int kMostEpochs = 5;  // from the third on they lie as they stay
  ReplayPlan part = plan;
  part.files = std::clamp(static_cast<std::int64_t>(kMost / plan.file_size),
                          std::min<std::int64_t>(plan.files, plan.batch), plan.files);
  part.cache_memory =
      *plan.cache_memory * (static_cast<double>(part.files) / static_cast<double>(plan.files));
  part.epochs = std::min(plan.epochs, kMostEpochs);
  part.compute_time = {};
  return part;
}

}  // namespace

Ratio apart_later(const std::vector<double>& at_ends) {
  if (at_ends.size() == 1) return {at_ends.front()};
  double sum = (at_ends.back() - at_ends.front()) / 2;
  for (std::size_t i = 0; i + 1 < at_ends.size(); ++i) sum += at_ends[i];
  return {sum / static_cast<double>(at_ends.size() - 1)};
}

std::optional<Bandwidth> refill_rate(const std::vector<ReplayEpoch>& epochs, Bytes size,
                                     Bandwidth copy) {
  Seconds spent;
  Bytes missed;
  for (std::size_t i = 1; i < epochs.size(); ++i) {
    spent += epochs[i].of_core_read - size * static_cast<double>(epochs[i].samples) / copy;
    missed += epochs[i].read;
  }
  if (spent.value <= 0 || missed.value <= 0) return {};
  return missed / spent;
}

FullCacheNow full_cache_now(const Scenario& scenario, const ReplayPlan& plan,
                            const std::optional<CopyNow>& copy) {
  const auto refill = copy ? calibrated_refill(scenario) : std::nullopt;
  if (!plan.overflows() || (!refill && !pages_matter(scenario))) return {};
  ReplayPlan part = part_of(plan);
  part.look_at_pages = pages_matter(scenario);
  const std::vector<ReplayEpoch> epochs = run_replay(part);
  FullCacheNow now;
  std::vector<double> apart;
  for (const ReplayEpoch& epoch : epochs)
    if (epoch.apart) apart.push_back(*epoch.apart);
  if (!apart.empty()) now.pages = {apart_later(apart), scenario.system->pages_apart};
  if (!refill) return now;
  if (const auto rate = refill_rate(epochs, plan.file_size, copy->now))
    now.refill = {*rate, *refill};
  return now;
}

}  // namespace gpufeed
