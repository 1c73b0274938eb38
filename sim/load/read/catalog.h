// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/load/read/entry_cache.h"

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

  /// The same catalog, of which an entry is read once, by whichever thread comes first. Changes of
  /// its files are not seen any more.
  Catalog remembering() const;
  /// Null where nothing is remembered.
  const std::shared_ptr<EntryCache>& cache() const { return cache_; }

 private:
  std::vector<std::filesystem::path> roots_;
  std::shared_ptr<EntryCache> cache_;
};

/// Every kind of entry, in the order in which `gpufeed catalog list` shows them.
const Names& catalog_kinds();

}  // namespace gpufeed
