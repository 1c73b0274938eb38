// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/facts/limiters.h"
#include "sim/model/fields/told.h"
#include "sim/model/result/evidence.h"

namespace gpufeed {

/// What holds the machine back, how that shows, and what would be next.
struct Bottleneck {
  std::optional<Limiter> resource;
  std::vector<Evidence> evidence;
  std::optional<Limiter> next;
  double distance = 0;
  std::optional<Limiter> next_limit;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(told("resource", &Bottleneck::resource, "deprecated: limiter, in words"));
    visit(told("why", &Bottleneck::evidence, "deprecated: evidence, as one sentence"));
    visit(told("next", &Bottleneck::next, "deprecated: next_limiter, in words"));
    visit(key("distance", &Bottleneck::distance,
              "throughput at which that happens, over the present one"));
    visit(told("next_limited_by", &Bottleneck::next_limit, "deprecated: next_limit, in words"));
    visit(key("limiter", &Bottleneck::resource, "what holds the machine back; null: nothing"));
    visit(key("evidence", &Bottleneck::evidence, "how that shows, clause by clause"));
    visit(key("next_limiter", &Bottleneck::next, "what would hold it back next; null: nothing"));
    visit(key("next_limit", &Bottleneck::next_limit,
              "the part of it, or the property, that would; null where that says no more"));
  }
};

}  // namespace gpufeed
