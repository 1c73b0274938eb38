// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/model/facts/limiters.h"
#include "sim/model/fields/field.h"
#include "sim/model/fields/told.h"

namespace gpufeed {

/// A matrix product, one after the other of its kind.
struct ProductTime {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  double time_s = 0;
  double flop_per_s = 0;
  double share_of_peak = 0;
  Limiter limit = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("m", &ProductTime::m, "rows of the left matrix"));
    visit(key("n", &ProductTime::n, "columns of the right matrix"));
    visit(key("k", &ProductTime::k, "terms of each sum"));
    visit(key("time_s", &ProductTime::time_s, "of one, alone"));
    visit(key("flop_per_s", &ProductTime::flop_per_s, "2 m n k over the time"));
    visit(key("share_of_peak", &ProductTime::share_of_peak, "of the GPU's peak"));
    visit(told("limited_by", &ProductTime::limit, "deprecated: limit, in words"));
    visit(key("limit", &ProductTime::limit,
              "what takes most of it: starting, computing, memory, quantizing"));
  }
};

}  // namespace gpufeed
