// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sim/model/study/observed.h"

namespace gpufeed {

/// "GPU utilization" for gpu_utilization.
std::string label_of_sighting(std::string_view name);

/// A value of what the sighting is of, with its unit: "55.0 %".
std::string sighting_text(const Sighting& sighting, double value);

}  // namespace gpufeed
