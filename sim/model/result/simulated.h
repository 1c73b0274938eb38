// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// Nodes that are alike, of which a few stand for all.
struct Folded {
  std::int64_t simulated_nodes = 1;
  std::string why;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("simulated_nodes", &Folded::simulated_nodes,
              "nodes simulated one by one; the others were taken to do as they do"));
    visit(key("why", &Folded::why,
              "what makes nodes alike, or why each was simulated; empty for one node"));
  }
};

struct Simulated {
  std::int64_t steps = 0;
  std::int64_t extrapolated_steps = 0;
  std::int64_t runs = 1;
  double step_rate_uncertainty = 0;
  double run_uncertainty = 0;
  bool store_shares = false;
  Folded folded{};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("steps", &Simulated::steps, "steps simulated one by one"));
    visit(key("extrapolated_steps", &Simulated::extrapolated_steps,
              "steps taken to last as long as the simulated ones"));
    visit(
        key("runs", &Simulated::runs,
            "runs of all steps with other random numbers, whose mean is told: more than one where "
            "one leaves it open by more than run.precision"));
    visit(key("step_rate_uncertainty", &Simulated::step_rate_uncertainty,
              "half width of the 95 % confidence interval of the mean throughput of such runs, "
              "relative, readers' other shares of a store among them; null: too few steps to "
              "tell"));
    visit(key("run_uncertainty", &Simulated::run_uncertainty,
              "by how much the throughput of one run may lie off that mean, relative, by its own "
              "random numbers: half width of the 95 % interval"));
    visit(key("store_shares", &Simulated::store_shares,
              "whether that is because readers get other shares of a store, drawn once a run"));
    visit(key("folded", &Simulated::folded, "nodes that stand for others"));
  }
};

}  // namespace gpufeed
