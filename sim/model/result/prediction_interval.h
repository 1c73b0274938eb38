// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/fields/field.h"
#include "sim/model/fields/mechanism.h"

namespace gpufeed {

/// Where a measured value will lie, seen from a prediction of something that fed nothing.
struct PredictionInterval {
  std::string of;
  Mechanism mechanism = Mechanism::rate_on_one_node;
  double level = 0.8;
  double p10 = 0;
  double p50 = 0;
  double p90 = 0;
  double parameters = 0;
  std::int64_t sources = 0;
  double extrapolation = 1;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using I = PredictionInterval;
    visit(key("of", &I::of, "the key of this result that it is of"));
    visit(key("mechanism", &I::mechanism, "the law that the value rests on most"));
    visit(key("level", &I::level, "share of measured values that lie from p10 to p90"));
    visit(key("p10", &I::p10, "a tenth of what would be measured lies below"));
    visit(key("p50", &I::p50, "what is predicted"));
    visit(key("p90", &I::p90, "a tenth lies above"));
    visit(key("parameters", &I::parameters,
              "deviation of its logarithm by the scenario's own values, each as far off as values "
              "of its basis are; 0 also where that is not told"));
    visit(key("sources", &I::sources,
              "publications that taught how far off such predictions are; 0: those of all other "
              "mechanisms stand for them"));
    visit(key("extrapolation", &I::extrapolation,
              "by how much steps outside what was measured widen it; 1: there are none"));
  }
};

/// Why a result has no prediction intervals. not_asked: `run.range_samples` is 0; not_learned: the
/// catalog does not know how far off predictions of this mechanism are; no_value: there is nothing
/// that could be measured, or it has no end.
enum class NoInterval { not_asked, not_learned, no_value };
template <>
struct EnumNames<NoInterval> {
  static constexpr std::array<std::string_view, 3> names{"not-asked", "not-learned", "no-value"};
};

}  // namespace gpufeed
