// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/nearest.h"

namespace gpufeed {

/// Where products and workloads are known: folders that hold KIND/NAME.toml. The first folder that
/// knows a name wins.
class Catalog {
 public:
  explicit Catalog(std::vector<std::filesystem::path> roots);

  /// The file of an entry.
  std::optional<std::filesystem::path> find(std::string_view kind, std::string_view name) const;
  /// All names of a kind, sorted, each once.
  Names names(std::string_view kind) const;

 private:
  std::vector<std::filesystem::path> roots_;
};

/// Every kind of entry, in the order in which `gpufeed catalog list` shows them.
const Names& catalog_kinds();

}  // namespace gpufeed
