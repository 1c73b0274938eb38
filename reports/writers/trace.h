// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {

/// The time lines in the Trace Event Format of Chrome's about:tracing, which Perfetto opens: a
/// process for each stretch of steps, a thread for each GPU, microseconds since the epoch began.
/// \param results  simulated with `run.timeline`
/// \source  "Trace Event Format", Google, 2016
std::string to_trace(const std::vector<Result>& results);

}  // namespace gpufeed
