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
  std::int64_t range_samples = 160;
  bool timeline = false;  ///< no key: whoever shows Result::timeline asks for it
  bool store_shares =
      true;              ///< no key: whether to tell how runs with other shares of a store differ
  bool deciding = true;  ///< no key: whether to tell the defaults that decide
  Location where;

  /// Only the headline: where nobody reads more, it need not cost many times as much.
  void headline() {
    range_samples = 0;
    timeline = false;
    store_shares = false;
    deciding = false;
  }

  /// Only what one run tells of it.
  void once() {
    headline();
    replications = 0;
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
              "at most so many runs with other random numbers, where one leaves the throughput "
              "open by "
              "more than the precision, or readers' shares of a store differ from run to run; 0 or "
              "1: one alone")
              .between(0, 1000));
    visit(key("range_samples", &Run::range_samples,
              "draws of all parameters, each as far off as values of its basis are, that tell the "
              "10 to 90 % range of the result; 0: none is told")
              .between(0, 10000));
  }
};

}  // namespace gpufeed
