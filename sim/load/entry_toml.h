// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sim/load/load.h"

namespace gpufeed {

/// The line of a key whose value is known; null where there is none.
const EntryLine* known_line(const EntryText& entry, std::string_view key);

/// A value that `describe_entry` shows, as TOML writes it: counts bare and without commas.
std::string toml_of_shown(std::string value);

/// `key = { value = ..., source = ..., basis = ... }`: a line for another entry, which says where
/// the value is from.
std::string taken_line(const EntryText& entry, const EntryLine& line);

}  // namespace gpufeed
