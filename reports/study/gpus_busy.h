// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "sim/model/result/result.h"
#include "sim/model/study/validation.h"

namespace gpufeed {

enum class WorkloadKind : std::size_t;

/// Whether data keep the GPUs of a run busy at least 95 % of the time, and what tells it.
struct GpusBusy {
  std::optional<bool> busy;  ///< none: no GPUs train, or a row is not of a run
  std::string_view by;
};

/// Of a case in which GPUs train or are emulated. What was measured goes before what is simulated:
/// 1. a utilization that was measured; 2. where no gradients are exchanged, a rate that was
/// measured, over what the GPUs can compute; 3. the simulated share of time in which GPUs do not
/// wait for storage, decoding or copies. `stages[...]` is a part's limit, and no run.
/// \param row  one of the case's
GpusBusy gpus_busy(const ValidationCase& one, const MeasuredRow& row, WorkloadKind kind,
                   const Result& result);

}  // namespace gpufeed
