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
  // within an epoch they go from how they lay at its beginning to how they lie at its end
  if (apart.size() == 1) return PagesNow{{apart.front()}, scenario.system->pages_apart};
  double sum = (apart.back() - apart.front()) / 2;
  for (std::size_t i = 0; i + 1 < apart.size(); ++i) sum += apart[i];
  const auto later = static_cast<double>(apart.size() - 1);
  return PagesNow{{sum / later}, scenario.system->pages_apart};
}

}  // namespace gpufeed
