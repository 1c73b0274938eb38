// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/enum_names.h"

namespace gpufeed::serving {

/// What a goal limits: four figures of each span.
enum class GoalTime {
  ttft_mean,
  ttft_p50,
  ttft_p95,
  ttft_p99,
  itl_mean,
  itl_p50,
  itl_p95,
  itl_p99,
  e2e_mean,
  e2e_p50,
  e2e_p95,
  e2e_p99
};
/// From arrival to the first token, between two, from arrival to the last.
enum class Span { ttft, itl, e2e };
enum class Figure { mean, p50, p95, p99 };
constexpr Span span_of(GoalTime time) { return static_cast<Span>(static_cast<int>(time) / 4); }
constexpr Figure figure_of(GoalTime time) {
  return static_cast<Figure>(static_cast<int>(time) % 4);
}

}  // namespace gpufeed::serving

namespace gpufeed {

template <>
struct EnumNames<serving::GoalTime> {
  static constexpr std::array<std::string_view, 12> names{
      "ttft_mean", "ttft_p50", "ttft_p95", "ttft_p99", "itl_mean", "itl_p50",
      "itl_p95",   "itl_p99",  "e2e_mean", "e2e_p50",  "e2e_p95",  "e2e_p99"};
};

}  // namespace gpufeed
