// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/plan/plan.h"

namespace gpufeed {

/// Few flows that stand for many.
struct FewFlows {
  Plan plan;  ///< its resources and routes alone
  std::vector<Flow> flows;
};

/// Of flows that start together, of alike ones one, which weighs as much as they do: those of one
/// size over resources of which each has the same flows to bear as its like (the coarsest equitable
/// partition of flows and resources, by refinement). Fair shares are equal within a kind, so the
/// few end as all do; where no two are alike, they are all. Of phases that take the same routes
/// with other sizes, kinds are sought once: they stay as long as flows of one have one size.
class AlikeFlows {
 public:
  /// \param plan  must outlive it
  explicit AlikeFlows(const Plan& plan) : plan_(plan) {}

  const FewFlows& of(const std::vector<Flow>& flows);
  /// What `time_together` tells of all, in a time that grows with the kinds of flows.
  Seconds time_of(const std::vector<Flow>& flows);

 private:
  bool are_as_before(const std::vector<Flow>& flows) const;
  void sort(const std::vector<Flow>& flows);

  const Plan& plan_;
  std::vector<Flow> before_;
  std::vector<std::size_t> kind_;   ///< of each flow
  std::vector<std::size_t> first_;  ///< flow of each kind
  std::vector<int> count_;          ///< and how many it has
  FewFlows few_;
};

}  // namespace gpufeed
