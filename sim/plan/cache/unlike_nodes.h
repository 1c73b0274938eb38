// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "sim/plan/cache/hits_over_epochs.h"

namespace gpufeed {

struct Scenario;

/// What a node reads of an epoch: `parts` of `shares`, by so many GPUs.
struct NodeShare {
  std::int64_t parts, shares, gpus;
};

/// What all nodes find: of nodes with unlike numbers of GPUs what `hits_of` says of each kind, and
/// their mean by samples.
/// \param epochs  of the job; the last one may be a part
CacheHits hits_of_nodes(const Scenario& scenario, double epochs,
                        const std::function<CacheHits(const NodeShare&)>& hits_of);

}  // namespace gpufeed
