// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gpufeed {

using EntryKey = std::pair<std::string, std::string>;  ///< kind and file

/// Catalog entries that have been read, for any number of threads.
class EntryCache {
 public:
  /// Null where it was not kept.
  std::shared_ptr<const void> find(const EntryKey& key) const;
  std::vector<EntryKey> keys() const;
  void keep(const EntryKey& key, const std::shared_ptr<const void>& entry);

 private:
  mutable std::mutex mutex_;
  std::map<EntryKey, std::shared_ptr<const void>> entries_;
};

}  // namespace gpufeed
