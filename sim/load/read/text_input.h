// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"

namespace gpufeed {

/// No text that a person writes is larger.
inline constexpr std::size_t kMaxTextSize = 4u << 20;

/// The content of a file from an untrusted source.
/// \return nothing after a problem was reported to `out`: no such file, no regular one, unreadable,
///         larger than `most` bytes
std::optional<std::string> read_text_file(const std::filesystem::path& file, std::size_t most,
                                          Diagnostics& out);

/// `value` in quotation marks as a message shows it, its end left out where it is long.
std::string in_quotes(const std::string& value);

}  // namespace gpufeed
