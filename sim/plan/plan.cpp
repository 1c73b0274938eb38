// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gpufeed {

Bandwidth solo_rate(const Graph& graph, const Route& route) {
  Bandwidth rate = route.cap.value_or(Bandwidth{std::numeric_limits<double>::infinity()});
  for (const ResourceIndex resource : route.resources)
    rate = std::min(rate, graph.resource(resource).capacity /
                              static_cast<double>(times_taken(route, resource)));
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
