// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/import/yaml_tree.h"

namespace gpufeed {

/// A tree as YAML, in its order: maps in blocks, lists of plain values and of maps without further
/// levels in one line each. `parse_yaml` reads the same tree from it, places aside.
std::string yaml_text(const YamlNode& root);

/// The value at `section.key`, made where it is not there yet; whole branches that stand in its way
/// are replaced. An empty section is the top of the file.
YamlNode& yaml_at(YamlNode& root, const std::string& section, const std::string& key);

}  // namespace gpufeed
