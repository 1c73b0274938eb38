// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/entry_cache.h"

namespace gpufeed {

std::shared_ptr<const void> EntryCache::find(const EntryKey& key) const {
  const std::scoped_lock lock(mutex_);
  const auto it = entries_.find(key);
  return it == entries_.end() ? nullptr : it->second;
}

std::vector<EntryKey> EntryCache::keys() const {
  const std::scoped_lock lock(mutex_);
  std::vector<EntryKey> keys;
  for (const auto& [key, ignored] : entries_) keys.push_back(key);
  return keys;
}

void EntryCache::keep(const EntryKey& key, const std::shared_ptr<const void>& entry) {
  const std::scoped_lock lock(mutex_);
  entries_.try_emplace(key, entry);
}

}  // namespace gpufeed
