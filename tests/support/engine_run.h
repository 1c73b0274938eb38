// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "sim/engine/engine.h"

/// An engine under test, and when what it was given ended.
namespace gpufeed::engines {

/// The engines that every test runs.
struct SimGrid {
  static std::unique_ptr<Engine> make() { return make_simgrid_engine(); }
};
struct Fluid {
  static std::unique_ptr<Engine> make() { return make_fluid_engine(); }
};

/// An engine and the dates at which its flows and timers ended, by tag.
struct Run {
  std::unique_ptr<Engine> engine;
  std::vector<double> ended = std::vector<double>(16, -1.0);
  std::vector<std::uint64_t> order;

  explicit Run(std::unique_ptr<Engine> tested) : engine(std::move(tested)) {}

  LinkId link(Bandwidth capacity) { return engine->add_link("link", capacity); }
  RouteId route(const std::vector<LinkId>& links, Bandwidth cap = kUncapped, Weight weight = {}) {
    return engine->add_route(links, cap, weight);
  }
  void flow(std::uint64_t tag, RouteId route, Bytes size) {
    engine->start_flow(route, size, callback<&Run::note>(*this, tag));
  }
  void timer(std::uint64_t tag, Seconds delay) {
    engine->after(delay, callback<&Run::note>(*this, tag));
  }
  void note(std::uint64_t tag) {
    ended.at(tag) = engine->now().value;
    order.push_back(tag);
  }
  void run() { engine->run(); }
};

/// Within 1e-9, and 1 ns: SimGrid's own step, and its clock, which runs on from test to test,
/// rounds.
inline void check_close(double found, double expected) {
  CAPTURE(found);
  CAPTURE(expected);
  CHECK(std::abs(found - expected) <= 1e-9 * (expected + 1.0));
}

}  // namespace gpufeed::engines
