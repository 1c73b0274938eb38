// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/diagnostics.h"
#include "sim/model/result/result.h"

namespace gpufeed {

/// A number of the result by its path in the result's JSON: "throughput_samples_per_s",
/// "benchmark.utilization_v1", "io[read].bandwidth_Bps", "copies[0].bandwidth_Bps"; elements of
/// lists by number from 0 or by their first text. Or a product or quotient of such paths and
/// numbers, from left to right: "a / b / 43.3". A truth is 0 or 1.
/// \param where  for messages
/// \throws InputError  where the result has no such number, or it is not known for this workload
double result_value(const Result& result, const std::string& expression, const Location& where);

}  // namespace gpufeed
