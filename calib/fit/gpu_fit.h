// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// What so much of something took: bytes of a copy, samples of a step, FLOPs of a product.
struct Timed {
  double amount = 0;
  Seconds time;
};

/// start + amount / rate: latency and bandwidth of a copy, the fixed part of a step and its samples
/// a second.
struct LineFit {
  Seconds start;
  double rate = 0;
  double residual = 0;   ///< how far it departs from a time, median
  double deviation = 0;  ///< of the less certain of both, over it
};

/// Least squares as `fit_decoding` has them. \throws InputError  where the times do not tell both
LineFit fit_line(const std::vector<Timed>& times, const std::string& name);

class Findings;

/// What the raw measurements of gpufeed-gpu-probe tell, a line each, and of each GPU's link what
/// copies attain of it, and wait: efficiency of both ways over what PCIe tells, latency, duplex.
void fit_gpus(const nlohmann::ordered_json& gpu, Findings& findings);

}  // namespace gpufeed
