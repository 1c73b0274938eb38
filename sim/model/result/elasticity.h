// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What a tenth more of one resource would give.
struct LeverGain {
  std::string resource;
  std::string limited_by;
  double gain_per_10pct = 0;
  double noise = 0;

  /// Whether it is more than chance.
  bool counts() const { return gain_per_10pct > noise; }

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("resource", &LeverGain::resource, "of which there is more"));
    visit(key("limited_by", &LeverGain::limited_by, "its parts, in the user's terms"));
    visit(key("gain_per_10pct", &LeverGain::gain_per_10pct,
              "of the throughput, relative, where there is 10 % more of it and all else stays"));
    visit(key("noise", &LeverGain::noise, "a gain up to this may be chance"));
  }
};

/// What holds a job back, by trying: the same simulation, draw by draw, with a tenth more of each
/// resource in turn.
struct Elasticity {
  std::vector<LeverGain> levers;
  std::string binds;
  std::string next;
  double distance = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("levers", &Elasticity::levers, "every resource in use, the largest gain first"));
    visit(
        key("binds", &Elasticity::binds, "the first of them; empty: none gives more than chance"));
    visit(
        key("next", &Elasticity::next,
            "what holds the job back once there is more than enough of that; empty: nothing does"));
    visit(key("distance", &Elasticity::distance,
              "throughput at which that happens, over the present one"));
  }
};

}  // namespace gpufeed
