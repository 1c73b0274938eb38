// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/import/yaml_tree.h"

namespace gpufeed {

/// The keys of one map of a file format that we import.
struct YamlKeys {
  std::string section;  ///< empty: the file itself
  Names read;           ///< that we read
  Names others;         ///< that the format has, and we do not model
};

/// Reads values out of a YAML tree. Every problem goes to `out`; a missing key is none unless the
/// caller says so. Places are named as in `dataset.format`.
class YamlReader {
 public:
  YamlReader(std::string file, Diagnostics& out) : file_(std::move(file)), out_(out) {}

  /// Keys that ask for something and are not read: "checkpoint", "dataset.num_files_eval".
  Names not_read;

  /// Goes through the keys of `map`: one that is not known, but near to one that we read and that
  /// is missing, is a misspelling and reported. What else is not read is noted in `not_read`.
  void check_keys(const YamlNode& map, const YamlKeys& keys);
  /// The map called `name`, or nothing; any other value is reported.
  const YamlNode* section(const YamlNode& file, const std::string& name);

  std::optional<double> number(const YamlNode& map, const std::string& place, double least,
                               double most);
  std::optional<std::int64_t> whole(const YamlNode& map, const std::string& place,
                                    std::int64_t least, std::int64_t most);
  std::optional<bool> truth(const YamlNode& map, const std::string& place);
  std::optional<std::string> word(const YamlNode& map, const std::string& place);

  /// Reports that `place` is missing, unless a misspelt key explains it.
  void missing(const YamlNode& map, const std::string& place, const std::string& must_be);
  void refuse(const YamlNode& node, const std::string& place, const std::string& must_be);
  Location at(const YamlNode& node) const { return {file_, node.line, node.column}; }

 private:
  std::string file_;
  Diagnostics& out_;
  Names explained_;  ///< keys that are there, but misspelt
};

}  // namespace gpufeed
