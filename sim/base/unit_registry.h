// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sim/base/nearest.h"

namespace gpufeed {

/// The SI value of one `unit`: of any quantity's table, or 1 for what results alone count in
/// (GPUs, x, steps/s); nothing where no one knows it.
std::optional<double> unit_factor(std::string_view unit);

/// Every unit that `unit_factor` knows.
Names known_units();

}  // namespace gpufeed
