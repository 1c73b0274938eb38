// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/result/result.h"

namespace gpufeed {

/// A job of this rate, known to `half_width` of it, of a scenario's text.
inline Result rated(double rate, double half_width, const std::string& scenario) {
  Result result;
  result.title = "t";
  result.job_samples_per_s = result.throughput_samples_per_s = rate;
  result.simulated.step_rate_uncertainty = half_width;
  result.scenario = scenario;
  return result;
}

}  // namespace gpufeed
