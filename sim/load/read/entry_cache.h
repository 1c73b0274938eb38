// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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

  /// Where an entry of a kind and name lies, and the names of a kind: as `look` finds them the
  /// first time. What is not there is looked for again.
  using File = std::optional<std::filesystem::path>;
  File file(const EntryKey& kind_and_name, const std::function<File()>& look);
  std::vector<std::string> names(const std::string& kind,
                                 const std::function<std::vector<std::string>()>& look);

  /// What is kept of the same entries once they are changed, told apart by `changes`: the same
  /// one for the same changes, of which the last four are kept.
  std::shared_ptr<EntryCache> changed(const std::string& changes);

 private:
  mutable std::mutex mutex_;
  std::map<EntryKey, std::shared_ptr<const void>> entries_;
  std::map<EntryKey, std::filesystem::path> files_;
  std::map<std::string, std::vector<std::string>> names_;
  std::deque<std::pair<std::string, std::shared_ptr<EntryCache>>> changed_;  ///< last one in front
};

}  // namespace gpufeed
