// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/plan/exchange/traffic.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// A job of loaders and, unless it only loads, GPUs or what a benchmark has in their place.
/// \throws InputError  where a GPU has no way to the data, or two GPUs none to each other
Plan make_plan(const Scenario& scenario);

/// What all plans of a cluster share whose parts only differ in how fast they are. Nothing: of one
/// node, or where each GPU exchanges by itself and no part of the nodes stands for all: there are
/// few, few of them are servers, or a leaf switch is not full.
std::optional<Traffic> traffic_of(const Scenario& scenario);

/// While one lives, `traffic_of` this very scenario is found once, for all in its thread who ask.
class TrafficOnce {
 public:
  /// \param scenario  must outlive it, and stay as it is
  explicit TrafficOnce(const Scenario& scenario);
  ~TrafficOnce();
  TrafficOnce(const TrafficOnce&) = delete;
  TrafficOnce& operator=(const TrafficOnce&) = delete;

  /// That of this thread, if any is of `scenario`.
  static TrafficOnce* of(const Scenario& scenario);
  const std::optional<Traffic>& traffic();

 private:
  const Scenario& scenario_;
  TrafficOnce* before_;
  std::optional<std::optional<Traffic>> found_;
};

/// The plan of few nodes that stand for all, one of each kind or a ring of them, in a time that
/// does not depend on how many there are. What its stages, its exchange and its bound are is that
/// of `make_plan`, all rates as much lower as there are fewer nodes. It is not to be simulated:
/// what one node sends another ends between them. \param traffic  of the scenario, or of one with
/// other rates
Plan make_plan_of_few(const Scenario& scenario, const Traffic& traffic);

/// What a plan says by itself, in less time: that of few nodes where `traffic` is given, else that
/// of all. It is not to be simulated either: what no flow ever waits for is not sought.
Plan make_plan_to_read(const Scenario& scenario, const std::optional<Traffic>& traffic);

/// The first epoch of a scenario that copies its data in meanwhile: every batch is read from the
/// store, past any page cache, and what has been read is written to the drives at the same pace,
/// from the memory into which it was read, in equal parts. `staging.rate` limits all of it
/// together. \throws InputError  where a GPU has no way to the store, or a memory none to a drive
Plan make_staged_epoch_plan(const Scenario& scenario);

}  // namespace gpufeed
