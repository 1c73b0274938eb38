// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/support/catalog.h"

namespace gpufeed {

/// What an entry says of a key that it does not have.
inline const std::string kUnknown = "unknown";

/// An entry of the own catalog, as `catalog show` describes it.
inline EntryText entry_of(const std::string& kind, const std::string& name) {
  for (const auto& entry : describe_entry(own_catalog(), name))
    if (entry.kind == kind) return entry;
  FAIL("no " << kind << " " << name);
  return {};
}

inline const EntryLine& line_of(const EntryText& entry, std::string_view key) {
  const auto line = std::ranges::find(entry.lines, key, &EntryLine::key);
  REQUIRE(line != entry.lines.end());
  return *line;
}

inline bool says(const EntryText& entry, std::string_view key) {
  return line_of(entry, key).value != kUnknown;
}

inline int year_of(const EntryText& entry, std::string_view key) {
  return std::stoi(line_of(entry, key).value);
}

}  // namespace gpufeed
