// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace gpufeed {

/// The file of this program, links followed; where /proc is not there, what it was started as.
/// Empty where neither says.
std::filesystem::path own_program();

}  // namespace gpufeed
