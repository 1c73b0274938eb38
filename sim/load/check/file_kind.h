// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/base/nearest.h"

namespace gpufeed {

/// What a file of the user's describes.
enum class FileKind { scenario, sweep, goal, measurements, observations, cluster, serving };

/// Told by keys that only one of them has. A sweep may be read as a goal, too: the cheapest of its
/// points.
/// \return nothing where there is no such key, or the file is no TOML that can be read
std::optional<FileKind> kind_of_file(const std::filesystem::path& file);
/// The same of a text.
std::optional<FileKind> kind_of_text(std::string_view text);

/// Reports a file that is clearly of another kind, with the command that takes it.
/// \param keys  of the file's table
/// \return whether it is, so that its keys need not be reported one by one
bool is_of_other_kind(const Names& keys, const std::string& name, FileKind wanted,
                      Diagnostics& out);

}  // namespace gpufeed
