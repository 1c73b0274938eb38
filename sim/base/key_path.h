// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpufeed {

class Diagnostics;
struct Location;

/// A key, and where an array stands there which of its elements is meant.
struct KeyStep {
  std::string key;
  /// The element's id, its number from 0, or a pattern of ids.
  std::optional<std::string> element = {};

  auto operator<=>(const KeyStep&) const = default;
};

/// Where a key of a user's file stands, as TOML writes dotted keys: `loader.workers_per_gpu`,
/// `store."nas.lab".model`. An element of an array follows its key in brackets:
/// `system.drive[ssd*].model`. No step is the file itself.
struct KeyPath {
  std::vector<KeyStep> steps;

  KeyPath() = default;
  /// Of the program's own paths. What users write is for `parse_key_path`.
  KeyPath(const char* literal);  // NOLINT(google-explicit-constructor): "run.seed" is a path
  explicit KeyPath(std::vector<KeyStep> of) : steps(std::move(of)) {}

  bool empty() const { return steps.empty(); }
  KeyPath operator/(std::string_view key) const;
  /// The element of the array that stands here, which is not the file itself.
  KeyPath operator[](std::string_view element) const;
  /// Without its last step; the file's is its own.
  KeyPath parent() const;
  /// Whether this is `other`, or lies in the table that stands there.
  bool is_within(const KeyPath& other) const;

  auto operator<=>(const KeyPath&) const = default;
};

/// As it is written; `parse_key_path` reads the same from it.
std::string text(const KeyPath& path);
/// A key as a path has it: in quotation marks where TOML takes no bare one.
std::string key_text(std::string_view key);
/// An element as its brackets have it.
std::string element_text(std::string_view element);

/// Reads what `text` made of a path.
KeyPath own_path(std::string_view text);

/// Reads what a user wrote. A bare key may hold more signs than TOML's: all but dots, brackets,
/// quotation marks and "=", for a blank or an umlaut is no mistake where nothing else is meant.
/// \param where  of the text, where it is reported to `out` that it is no path
std::optional<KeyPath> parse_key_path(std::string_view text, const Location& where,
                                      Diagnostics& out);

/// Of `path=value` the place of the "=", which may stand in quotation marks and brackets of the
/// path, too; the end where there is none.
std::size_t end_of_path(std::string_view assignment);

}  // namespace gpufeed
