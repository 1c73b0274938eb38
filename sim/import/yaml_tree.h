// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed {

/// A value of a YAML file, and where it stands (from 1).
struct YamlNode {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string text;     ///< of a scalar
  bool quoted = false;  ///< a scalar in quotation marks is no number
  int line = 1;
  int column = 1;
  std::string key;  ///< within a map
  int key_line = 1;
  int key_column = 1;
  std::vector<YamlNode> items;  ///< of a list or map, in the file's order

  /// The value of `name` in a map; null where there is none.
  const YamlNode* find(std::string_view name) const;
};

/// Parses one YAML document from an untrusted source. Refused are text above 4 MiB, invalid UTF-8,
/// control characters, nesting deeper than 32, more than 20,000 values, aliases (a few of them can
/// unfold to any size), keys that are no words or stand twice in a map, and a second document.
/// \param name  shown in every message about this text
/// \return nothing after a problem was reported to `out`
std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& name,
                                   Diagnostics& out);

}  // namespace gpufeed
