// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// What simulates flows: SimGrid, or gpufeed's own engine, whose cost follows the distinct routes.
enum class EngineKind { simgrid, fluid };
template <>
struct EnumNames<EngineKind> {
  static constexpr std::array<std::string_view, 2> names{"simgrid", "fluid"};
};

struct Run {
  std::int64_t seed = 1;
  EngineKind engine = EngineKind::fluid;
  Ratio precision{0.005};
  bool extrapolate = true;
  bool fold = true;
  std::optional<std::int64_t> max_steps;
  std::int64_t replications = 8;
  Ratio estimate_deviation{0.25};
  bool timeline = false;  ///< no key: whoever shows Result::timeline asks for it
  Location where;

  /// Only what one run tells: where nobody reads more, it need not cost many times as much.
  void once() {
    replications = 0;
    estimate_deviation = {};
    timeline = false;
  }

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("seed", &Run::seed, "of the random numbers").between(0, 4294967295));
    visit(key("engine", &Run::engine,
              "what simulates flows: gpufeed's own engine, or SimGrid, the reference, to the "
              "same result but many times as slowly"));
    visit(key("precision", &Run::precision,
              "simulate until the throughput is known this well (95 % confidence)")
              .between(0.001_percent, 50_percent));
    visit(key("extrapolate", &Run::extrapolate, "false simulates every step of every epoch"));
    visit(key("fold", &Run::fold,
              "let a few nodes stand for all where all are alike; false simulates every node"));
    visit(key("max_steps", &Run::max_steps, "simulate at most so many steps, then extrapolate")
              .between(1, 1000000000000));
    visit(key("replications", &Run::replications,
              "independent runs that tell how far runs differ by what is drawn once a run, such as "
              "readers' shares of a store; 0 or 1: it is not told")
              .between(0, 1000));
    visit(key("estimate_deviation", &Run::estimate_deviation,
              "how far off an estimate may be: those that move the result by more than 1 % within "
              "it are named; 0 %: none is looked for")
              .between(0_percent, 99_percent));
  }
};

}  // namespace gpufeed
