// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/units.h"

namespace gpufeed {

/// Time of a training step of one GPU over the batch b: start + b x per_sample.
struct StepLine {
  std::string gpu;
  Seconds start;
  Seconds per_sample;
  std::string source;  ///< what it was learned from
};

}  // namespace gpufeed
