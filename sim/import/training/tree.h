// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/nearest.h"
#include "sim/import/yaml_tree.h"

namespace gpufeed {

/// A TOML file as such a tree; dates are texts. Nothing after a problem was reported.
std::optional<YamlNode> tree_of_toml(std::string_view text, const std::string& name,
                                     Diagnostics& out);

/// The arguments of a command in a shell script as a map: "--micro-batch-size 2" is
/// micro_batch_size with "2", a flag alone "true". Words before the first option are left out;
/// comments, line ends and array brackets of the shell are no words. A value that is a variable of
/// the shell is reported where `needed` has its key, for nobody knows it, and is null elsewhere.
std::optional<YamlNode> tree_of_arguments(std::string_view text, const std::string& name,
                                          const Names& needed, Diagnostics& out);

}  // namespace gpufeed
