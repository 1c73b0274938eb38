// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpufeed {

/// DFTracer's events (.pfw, one of JSON a line) as the CSV of an access log: reads and writes of
/// POSIX; names of files stand in the events ("fname") or, by hashes, in metadata ("FH"). Calls
/// without an offset go on where the last one of their file in their process ended.
std::optional<std::string> dftracer_csv(std::string_view text);

}  // namespace gpufeed
