// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/load/read/front_door.h"

namespace gpufeed {

/// How messages call a text that is patched.
inline constexpr const char* kPatchedText = "the scenario";

/// The key's value, or the element of the array there, by its id or else its number; null where
/// there is none.
const toml::node* child(const toml::node& node, const KeyStep& step);
const toml::node* node_at(const toml::node& root, std::span<const KeyStep> steps);

/// \throws InputError  with what is wrong with the text itself
toml::table parsed_text(std::string_view text);
[[noreturn]] void refuse_path(const KeyPath& path, const std::string& why);

/// Where lines and columns of the parser lie in the text: its columns count characters, not bytes.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text);
  std::size_t start_of(std::size_t line) const;
  /// Beginning of the line after `line`.
  std::size_t after(std::size_t line) const { return start_of(line + 1); }
  std::size_t of(const toml::source_position& at) const;
  /// Whether what begins there is a header, [a] or [[a]], not a key.
  bool is_header(const toml::source_position& at) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

}  // namespace gpufeed
