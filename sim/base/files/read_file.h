// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sim/base/diagnostics.h"

namespace gpufeed {

/// No text that a person writes is larger.
inline constexpr std::size_t kMaxTextSize = 4u << 20;

/// What a file is read for: no output takes the place of an input (run_files.h), only its editor
/// writes what is edited, and the program's own files it may write itself.
enum class ReadAs { input, edited, own };

/// The content of a regular file from an untrusted source; neither a pipe nor a device is opened.
/// \return nothing after a problem was reported to `out`: no such file, no regular one, unreadable,
///         larger than `most` bytes, or an output of this process
std::optional<std::string> read_text_file(const std::filesystem::path& file, std::size_t most,
                                          Diagnostics& out, ReadAs use = ReadAs::input);

}  // namespace gpufeed
