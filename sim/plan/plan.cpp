// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gpufeed {

Bandwidth solo_rate(const Graph& graph, const Route& route) {
  Bandwidth rate = route.cap.value_or(Bandwidth{std::numeric_limits<double>::infinity()});
  const auto& taken = route.resources;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto before = taken.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(taken.begin(), before, taken[i]) != before) continue;
    const auto times = 1 + std::count(before + 1, taken.end(), taken[i]);
    const Bandwidth capacity = graph.resource(taken[i]).capacity;
    rate = std::min(rate, times == 1 ? capacity : capacity / static_cast<double>(times));
  }
  return rate;
}

Plan finding(Plan plan, const HitCurve& hits) {
  plan.later_hits = hits;
  plan.filling.clear();
  return plan;
}

double cores_of(const Plan& plan) {
  return std::accumulate(plan.cores.begin(), plan.cores.end(), 0.0);
}

}  // namespace gpufeed
