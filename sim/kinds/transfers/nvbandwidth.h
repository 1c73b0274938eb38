// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kinds/transfers/rate_meter.h"
#include "sim/model/result/result.h"

namespace gpufeed {

/// What the tests of nvbandwidth would print.
struct NvbandwidthResult {
  std::vector<TransferMatrix> matrices;
  bool bounced = false;  ///< some GPUs copy to one another through host memory
};

/// Runs `workload.tests`, one after the other.
/// \param blamed  what binds their rates is added
/// \throws InputError  where two ends are not connected
NvbandwidthResult run_nvbandwidth(const Scenario& scenario, const Graph& graph, RateMeter& meter,
                                  Blame& blamed);

}  // namespace gpufeed
