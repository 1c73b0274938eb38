// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpufeed {

/// Tables that a file calls by names of the user's, `[store.NAME]`, in the order of the file.
template <class T>
class Named {
 public:
  using Entry = std::pair<std::string, T>;
  using const_iterator = typename std::vector<Entry>::const_iterator;

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  const T& at(std::size_t number) const { return entries_.at(number).second; }
  const std::string& name(std::size_t number) const { return entries_.at(number).first; }

  /// end() where there is none.
  const_iterator find(std::string_view name) const {
    return std::ranges::find(entries_, name, &Entry::first);
  }
  bool contains(std::string_view name) const { return find(name) != end(); }
  /// The one called so, which is made where there is none.
  T& operator[](const std::string& name) {
    const auto known = std::ranges::find(entries_, name, &Entry::first);
    if (known != entries_.end()) return known->second;
    return entries_.emplace_back(name, T{}).second;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace gpufeed
