// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/entry_cache.h"

#include <algorithm>
#include <iterator>

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

EntryCache::File EntryCache::file(const EntryKey& kind_and_name,
                                  const std::function<File()>& look) {
  const std::scoped_lock lock(mutex_);
  if (const auto known = files_.find(kind_and_name); known != files_.end()) return known->second;
  File found = look();
  if (found) files_.emplace(kind_and_name, *found);
  return found;
}

std::vector<std::string> EntryCache::names(const std::string& kind,
                                           const std::function<std::vector<std::string>()>& look) {
  const std::scoped_lock lock(mutex_);
  const auto [known, fresh] = names_.try_emplace(kind);
  if (fresh) known->second = look();
  return known->second;
}

std::shared_ptr<EntryCache> EntryCache::changed(const std::string& changes) {
  constexpr std::size_t kMost = 4;
  const std::scoped_lock lock(mutex_);
  auto one = std::ranges::find(changed_, changes, [](const auto& kept) { return kept.first; });
  if (one == changed_.end()) {
    if (changed_.size() == kMost) changed_.pop_back();
    changed_.emplace_front(changes, std::make_shared<EntryCache>());
    one = changed_.begin();
  }
  std::rotate(changed_.begin(), one, std::next(one));
  return changed_.front().second;
}

}  // namespace gpufeed
