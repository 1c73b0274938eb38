// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/import/yaml_reader.h"

namespace gpufeed {

/// The keys of a config.json, by their names and defaults there. Every problem goes to `out`; the
/// value is then the default, or 1.
class ConfigKeys {
 public:
  static constexpr std::int64_t kMost = 100000;

  ConfigKeys(const YamlNode& map, const std::string& file, Diagnostics& out)
      : map_(map), reader_(file, out) {}

  /// Those of a map within; as of an empty one where it is not there.
  ConfigKeys within(const char* name);
  /// Whether it is there, and not null.
  bool has(const char* name) const { return find(name) != nullptr; }
  std::int64_t whole(const char* name, std::int64_t usual, std::int64_t most = kMost);
  std::int64_t needed(const char* name);
  bool truth(const char* name, bool usual);
  std::string word(const char* name, const std::string& usual);
  /// A list, or one number that stands for as many.
  std::vector<std::int64_t> wholes(const char* name, std::vector<std::int64_t> usual);
  std::vector<std::string> words(const char* name);
  /// How many entries a map or list has; nothing where it is not there.
  std::optional<std::size_t> entries(const char* name) const;

  /// Reports a value that is not modeled; of a key that is left out, nothing.
  void only(const char* name, bool good, const std::string& must_be);
  void missing(const char* name, const std::string& must_be);

 private:
  ConfigKeys(const YamlNode& map, YamlReader reader) : map_(map), reader_(std::move(reader)) {}
  const YamlNode* find(const char* name) const;

  const YamlNode& map_;
  YamlReader reader_;
};

}  // namespace gpufeed
