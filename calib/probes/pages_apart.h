// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>

namespace gpufeed {

/// Of a file's pages but the first, as the page cache holds them, those that do not lie behind the
/// one before in memory. None where the kernel does not tell where pages lie (only to root), or the
/// file has less than two.
std::optional<double> pages_apart(const std::filesystem::path& file);

/// The mean of the last files of an epoch, which are surely held: of all, a 64th, but eight at
/// least. They are few, for to look at a file is to use it once more. \param file_of  by place in
/// the epoch
std::optional<double> pages_apart_in_last(
    std::size_t files, const std::function<std::filesystem::path(std::size_t place)>& file_of);

}  // namespace gpufeed
