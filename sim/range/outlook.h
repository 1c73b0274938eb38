// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/scenario.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// What a plan says of a job before it is simulated. Times are for one sample of all GPUs together,
/// and 0 where the job does not use that way.
struct Outlook {
  double reading_s = 0;   ///< of drives, stores, network and links; or of the whole way by max-flow
  double waiting_s = 0;   ///< of loader workers, each batch alone
  double decoding_s = 0;  ///< of cores, a loader's process or GPUs' engines
  double copying_s = 0;   ///< of links to GPUs, and host memory
  double compute_s = 0;   ///< of GPUs
  double exchange_s = 0;  ///< of the exchange, as far as computing does not hide it
  double before_s = 0;    ///< of loaders, where they only begin when GPUs have nothing to do
  double stages_wait_s = 0;  ///< of GPUs for the other stages of a pipeline; part of the computing
  double checkpoint_s = 0;   ///< writing one, alone
  double copying_in_s = 0;   ///< of all data, before training

  double part = 1;  ///< of all epochs
  /// Where epochs do not find the same in the page cache: of a few, each for its part. The times
  /// above are then of those that find the mean.
  std::vector<Outlook> filling;
};

/// \param plan  of the scenario: all of it, or few nodes that stand for all
Outlook outlook_of(const Scenario& scenario, const Plan& plan);

/// About how long a sample takes, by the times of all that works at the same time:
///   t = (sum over ways of t_way^k)^(1/k), k = 16
/// and the mean of that over epochs that do not find the same in the page cache. Computing and what
/// it does not hide of the exchange are one way. Queues make a job slower
/// where two ways are nearly as slow as one another; k is set so on simulations of all examples.
/// Only ratios of such times are used.
double sample_time(const Outlook& outlook);

}  // namespace gpufeed
