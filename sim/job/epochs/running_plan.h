// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/plan/plan.h"

namespace gpufeed {

/// All of a plan that its run depends on: two plans of which it is the same have one run, to the
/// last bit. Left out are resources that hold no flow back (links/binding.h), for an engine never
/// learns of them, how many cores there are beyond those that threads could ever want at once, and
/// what only the making of a plan needs (vertices, edges, limits) or its readers do (names, where
/// numbers come from, warnings).
struct RunningPlan {
  Plan plan;
  ByRoute<bool> in_use;           ///< routes that flows take
  Seconds fed_step;               ///< of the whole plan, as the next
  std::int64_t steps_to_mix = 0;  ///< that its steady state takes at least

  bool operator==(const RunningPlan&) const = default;
};

RunningPlan running_plan(Plan plan);

}  // namespace gpufeed
