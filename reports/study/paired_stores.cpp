// SPDX-License-Identifier: Apache-2.0
#include "reports/study/paired_stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

using Keys = std::map<std::string, std::string>;

/// The store that a key of the scenario is of; empty of others.
std::string store_of(const KeyPath& path) {
  return path.steps.size() > 1 && path.steps[0].key == "store" ? path.steps[1].key : "";
}

std::set<std::string> stores_of(const Keys& keys) {
  std::set<std::string> names;
  for (const auto& [path, value] : keys)
    if (const std::string name = store_of(own_path(path)); !name.empty()) names.insert(name);
  return names;
}

void rename(const std::string& from, const std::string& to, Keys& keys) {
  Keys out;
  for (const auto& [told, value] : keys) {
    KeyPath path = own_path(told);
    const std::string store = store_of(path);
    const bool names_it = value == toml_string(from) && store.empty();
    if (store == from) path.steps[1].key = to;
    out[text(path)] = names_it ? toml_string(to) : value;
  }
  keys = std::move(out);
}

}  // namespace

std::vector<Difference> pair_stores(std::vector<Keys>& keys) {
  std::vector<std::set<std::string>> all;
  all.reserve(keys.size());
  for (const Keys& one : keys) all.push_back(stores_of(one));
  std::vector<std::vector<std::string>> own;
  for (const auto& names : all) {
    own.emplace_back();
    for (const auto& name : names)
      if (!std::ranges::all_of(all, [&](const auto& other) { return other.contains(name); }))
        own.back().push_back(name);
  }
  std::vector<Difference> out;
  const auto as_many = [&](const auto& names) { return names.size() == own.front().size(); };
  if (!std::ranges::all_of(own, as_many)) return out;
  for (std::size_t s = 0; s < own.front().size(); ++s) {
    const std::string& name = own.front()[s];
    Difference called{fmt::format("name of store {}", name), {}};
    for (std::size_t i = 0; i < keys.size(); ++i) {
      called.values.push_back(toml_string(own[i][s]));
      rename(own[i][s], name, keys[i]);
    }
    out.push_back(std::move(called));
  }
  return out;
}

}  // namespace gpufeed
