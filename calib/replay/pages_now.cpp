// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/pages_now.h"

#include <algorithm>
#include <memory>

#include "calib/probes/page_cache.h"
#include "calib/replay/replay_plan.h"
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
  constexpr Bytes kMostRead{8e9};
  constexpr int kEpochs = 3;
  if (!matters(scenario, plan)) return {};
  PageCacheTest test;
  test.folder = plan.folder;
  test.files = std::min(
      plan.files, std::max<std::int64_t>(1, static_cast<std::int64_t>(kMostRead / plan.file_size)));
  test.file_size = plan.file_size;
  test.cached_share = *plan.cache_memory / (plan.file_size * static_cast<double>(plan.files));
  test.sequential = !plan.shuffled;
  test.readers = plan.workers;
  test.epochs = kEpochs;
  test.seed = plan.seed;
  const auto epochs = measure_page_cache(test);
  if (std::ranges::any_of(epochs, [](const auto& epoch) { return epoch.apart < 0; })) return {};
  // within an epoch they go from how they lay at its beginning to how at its end; from the third on
  // they stay
  const int later = std::max(1, plan.epochs - 1);
  double sum = 0;
  for (int i = 0; i < later; ++i)
    sum += (epochs[static_cast<std::size_t>(std::min(i, kEpochs - 1))].apart +
            epochs[static_cast<std::size_t>(std::min(i + 1, kEpochs - 1))].apart) /
           2;
  return PagesNow{{sum / later}, scenario.system->pages_apart};
}

Scenario with_pages(Scenario scenario, const PagesNow& pages) {
  auto system = std::make_shared<System>(*scenario.system);
  system->pages_apart = pages.now;
  scenario.system.entry = std::move(system);
  return scenario;
}

}  // namespace gpufeed
