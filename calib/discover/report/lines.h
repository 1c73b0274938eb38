// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/files/paste.h"
#include "sim/base/files/report_lines.h"

namespace gpufeed {

/// What follows "key:" (spaces around the colon allowed) in a line that begins with it.
std::optional<std::string> value_after(std::string_view line, std::string_view key);
/// The number that a text begins with; 0 where there is none.
double leading_number(std::string_view text);
/// "512 GB", "503Gi", "32768 MB", "7.0T": bytes. A unit of one letter, or "GB", counts in 1024,
/// as programs of Linux write it; 0 where it is no size.
double size_in_bytes(std::string_view text);

}  // namespace gpufeed
