// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

namespace gpufeed {

/// Of a file's pages but the first, as the page cache holds them, those that do not lie behind the
/// one before in memory. None where the kernel does not tell where pages lie (only to root), or the
/// file has less than two.
std::optional<double> pages_apart(const std::filesystem::path& file);

}  // namespace gpufeed
