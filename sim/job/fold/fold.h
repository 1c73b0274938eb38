// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/job/activity.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Which nodes of a plan are simulated.
struct Folding {
  std::optional<Plan> plan;  ///< of the few that stand for all; none: all are simulated
  std::int64_t nodes = 1;    ///< simulated
  std::string why;           ///< empty for one node
};

/// Whom few nodes stand for.
enum class FoldFor {
  answers,  ///< all, to 0.5 % of the time; else none
  ratios,   ///< all, but for what chance on one of many nodes adds: of two jobs that meet the same
};

/// Lets the first few nodes of a cluster stand for all, where all are equal:
/// - what all share (stores, switches between nodes) gives the few their part of its capacity;
/// - of the gradients' flows, those stay that cross the few; a phase takes as long as that of all
///   when nothing disturbs it;
/// - at the barrier, each GPU waits for the slowest of all those that it stands for, drawn one by
///   one (GpuPlan::stands_for);
/// - where chance gives readers unlike shares of a store, the few have those that all would have
///   (reader_shares.h): to 0.5 % in the mean of draws, of which each differs from all by more.
/// Nodes are not equal where one does what others do not, nor where chance decides which of them
/// holds the others up: then the slowest of many is slower than the slowest of few.
/// Checked by tests/physics/folding_test.cpp, against all nodes one by one.
/// \param plan  of all; the same afterwards
Folding fold_nodes(const Scenario& scenario, Plan& plan, FoldFor what = FoldFor::answers);

/// What each GPU of `plan` did, by what those did that stand for them.
std::vector<TimeSpent> spent_by_all(const Plan& plan, const std::vector<TimeSpent>& by_few);

}  // namespace gpufeed
