// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/facts/limiters.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// That a resource sets a rate.
inline Limiter limit_of(const Resource& resource) {
  return fact<LimiterCode::parts>(std::vector{resource.label});
}

/// What limits GPUs that do not wait for one another, one part at a time.
struct SharedLimit {
  Limiter limit;
  Rate most;  ///< samples of all GPUs together
};

/// For every resource, all copies of it that nodes have, and all cores: no schedule is faster than
/// the one in which those GPUs come first that take least of it for a sample, each up to its own
/// speed, and all others reach theirs. The last is the loader's workers and copies of each GPU
/// alone.
std::vector<SharedLimit> shared_by_own_pace(const Plan& plan);

}  // namespace gpufeed
