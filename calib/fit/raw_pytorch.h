// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/base/units.h"

namespace gpufeed {

class Findings;

/// What gpufeed-pytorch-probe measured: decoding in workers of PyTorch's DataLoader as
/// decoder/calibrated-pytorch-jpeg and so on, and the loader's own keys: starting a worker, what a
/// batch costs its worker, and the process that takes it over.
/// \param copy  out of the page cache, which `core_copy_bandwidth` counts; none: what the workers'
///              read calls took, new memory for each sample included
/// \param name  stands for the file of raw measurements in messages
void fit_pytorch(const nlohmann::ordered_json& pytorch, std::optional<Bandwidth> copy,
                 const std::string& name, Findings& findings);

}  // namespace gpufeed
