// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/reader_shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/base/numbers/random.h"

namespace gpufeed {

void draw_shares(std::uint64_t seed, Plan& plan) {
  if (plan.gpus.empty()) return;
  Random random(seed);
  const auto each = static_cast<std::ptrdiff_t>(plan.gpus.front().stands_for);
  std::vector<int> drawn(plan.gpus.size() * static_cast<std::size_t>(each));
  for (int& share : drawn)
    share = std::max(1, static_cast<int>(std::lround(random.lognormal(plan.share_deviation.value) *
                                                     Weight{}.eighths)));
  std::vector<std::size_t> by_share(plan.gpus.size());
  std::iota(by_share.begin(), by_share.end(), std::size_t{0});
  std::ranges::stable_sort(by_share, {}, [&](std::size_t gpu) { return drawn[gpu]; });
  std::ranges::sort(drawn);
  double rest = 0;  // of rounding, so that all together keep their weight
  for (auto group = drawn.begin(); const std::size_t gpu : by_share) {
    rest += std::accumulate(group, group + each, 0.0) / static_cast<double>(each);
    const int mean = std::max(1, static_cast<int>(std::lround(rest)));
    plan.gpus[gpu].share.eighths = group == drawn.begin() ? *group : mean;
    rest -= plan.gpus[gpu].share.eighths;
    group += each;
  }
}

}  // namespace gpufeed
