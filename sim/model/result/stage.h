// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/facts/limiters.h"
#include "sim/model/fields/told.h"

namespace gpufeed {

/// What one stage of the way could deliver if nothing else limited it.
struct Stage {
  Limiter stage;
  double capacity_samples_per_s = 0;  ///< infinite where the workload does not use it
  std::optional<Limiter> limit;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(told("name", &Stage::stage, "deprecated: stage, in words"));
    visit(key("capacity_samples_per_s", &Stage::capacity_samples_per_s,
              "samples/s that it could deliver; null: unlimited"));
    visit(told("limited_by", &Stage::limit, "deprecated: limit, in words"));
    visit(key("stage", &Stage::stage, "which"));
    visit(key("limit", &Stage::limit, "what sets that; null: the job does not use it"));
  }
};

}  // namespace gpufeed
