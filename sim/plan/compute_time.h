// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/compute.h"
#include "sim/model/facts/warnings.h"
#include "sim/model/kinds/step_line.h"

namespace gpufeed {

/// Time of one training step on one GPU that never waits.
struct ComputeTime {
  Seconds step;
  bool includes_exchange = false;
  bool includes_barrier = false;
  bool whole_step = false;  ///< of the job, whatever is exchanged in it included
  Basis basis = Basis::estimate;
  std::string source;
  /// Where the batch lies outside the measured ones, or none is measured.
  std::optional<Warning> caveat;

  bool operator==(const ComputeTime&) const = default;
};

/// From the measured rates of one GPU: step time = batch / rate, linear in the batch between two
/// measured batches and beyond them along the nearest two; in proportion where only one is known.
/// \param rows  of one GPU and precision, by batch; at least one
/// \param line  that leads from the only row to other batches; null: in proportion
ComputeTime compute_time(const std::vector<ComputeRow>& rows, std::int64_t batch,
                         const StepLine* line = nullptr);

/// The same on the GPU of this name: from its rates, or, where there is none, as the loader
/// estimates it.
ComputeTime compute_time(const ComputesModel& workload, const std::string& gpu, std::int64_t batch);

}  // namespace gpufeed
