// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/result/result.h"

namespace gpufeed::ui {

/// What GPUs lose most to: a wait, or what a step spends on other GPUs or on computing again.
struct Loss {
  std::string words;  ///< "waiting for storage"
  double share = 0;   ///< of the GPUs' time
};
Loss largest_loss(const Result& result);

}  // namespace gpufeed::ui
