// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/facts/limiters.h"
#include "sim/model/fields/told.h"

namespace gpufeed {

/// What a tenth more of one resource would give.
struct LeverGain {
  Limiter resource;
  std::optional<Limiter> limit;
  double gain_per_10pct = 0;
  double noise = 0;

  /// Whether it is more than chance.
  bool counts() const { return gain_per_10pct > noise; }

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(told("resource", &LeverGain::resource, "deprecated: limiter, in words"));
    visit(told("limited_by", &LeverGain::limit, "deprecated: limit, in words"));
    visit(key("gain_per_10pct", &LeverGain::gain_per_10pct,
              "of the throughput, relative, where there is 10 % more of it and all else stays"));
    visit(key("noise", &LeverGain::noise, "a gain up to this may be chance"));
    visit(key("limiter", &LeverGain::resource, "of which there is more"));
    visit(key("limit", &LeverGain::limit, "its parts; null where it has none"));
  }
};

/// What holds a job back, by trying: the same simulation, draw by draw, with a tenth more of each
/// resource in turn.
struct Elasticity {
  std::vector<LeverGain> levers;
  std::optional<Limiter> binds;
  std::optional<Limiter> next;
  double distance = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("levers", &Elasticity::levers, "every resource in use, the largest gain first"));
    visit(told("binds", &Elasticity::binds, "deprecated: binding, in words"));
    visit(told("next", &Elasticity::next, "deprecated: next_binding, in words"));
    visit(key("distance", &Elasticity::distance,
              "throughput at which that happens, over the present one"));
    visit(
        key("binding", &Elasticity::binds, "the first of them; null: none gives more than chance"));
    visit(
        key("next_binding", &Elasticity::next,
            "what holds the job back once there is more than enough of that; null: nothing does"));
  }
};

}  // namespace gpufeed
