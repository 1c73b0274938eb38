// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/pages_now.h"

#include <algorithm>
#include <vector>

#include "calib/replay/replay_plan.h"
#include "calib/replay/run_replay.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

bool matters(const Scenario& scenario, const ReplayPlan& plan) {
  const auto& drives = scenario.system->drives;
  const auto drive = std::ranges::find(drives, scenario.data.at.id, &Device<Drive>::id);
  return plan.cache_memory && drive != drives.end() && drive->model->page_time &&
         *plan.cache_memory < plan.file_size * static_cast<double>(plan.files);
}

}  // namespace

Ratio apart_later(const std::vector<double>& at_ends) {
  if (at_ends.size() == 1) return {at_ends.front()};
  double sum = (at_ends.back() - at_ends.front()) / 2;
  for (std::size_t i = 0; i + 1 < at_ends.size(); ++i) sum += at_ends[i];
  return {sum / static_cast<double>(at_ends.size() - 1)};
}

std::optional<PagesNow> pages_now(const Scenario& scenario, const ReplayPlan& plan) {
  constexpr Bytes kMost{8e9};  // of the set: it is read some times, at a gigabyte a second or more
  constexpr int kMostEpochs = 5;  // from the third on they lie as they stay
  if (!matters(scenario, plan)) return {};
  ReplayPlan part = plan;
  part.files = std::clamp(static_cast<std::int64_t>(kMost / plan.file_size),
                          std::min<std::int64_t>(plan.files, plan.batch), plan.files);
  part.cache_memory =
      *plan.cache_memory * (static_cast<double>(part.files) / static_cast<double>(plan.files));
  part.epochs = std::min(plan.epochs, kMostEpochs);
  part.compute_time = {};
  part.look_at_pages = true;
  std::vector<double> apart;
  for (const ReplayEpoch& epoch : run_replay(part)) {
    if (!epoch.apart) return {};
    apart.push_back(*epoch.apart);
  }
  return PagesNow{apart_later(apart), scenario.system->pages_apart};
}

}  // namespace gpufeed
