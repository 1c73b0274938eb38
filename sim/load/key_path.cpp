// SPDX-License-Identifier: Apache-2.0
#include "sim/load/key_path.h"

#include <fmt/ranges.h>

#include "sim/load/read/forms.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using Keys = std::span<const std::string>;

template <class M>
struct At {
  static KeyAt find(Keys keys);
};
template <class M>
struct At<std::optional<M>> : At<M> {};
template <class M>
struct At<std::vector<M>> {
  static KeyAt find(Keys keys) { return keys.empty() ? KeyAt{true, {}, true} : At<M>::find(keys); }
};
template <class M>
struct At<Named<M>> {
  static KeyAt find(Keys keys) {
    return keys.empty() ? KeyAt{true, {}, true} : At<M>::find(keys.subspan(1));
  }
};
template <class T>
struct At<Ref<T>> {
  static KeyAt find(Keys keys) {
    return keys.empty() ? KeyAt{true, T::kKind, false} : At<T>::find(keys);
  }
};

template <class T>
KeyAt find_below(const T& fresh, Keys keys) {
  KeyAt found;
  for_each_member(fresh, [&]<class M>(const auto& rule, const M&) {
    if (rule.name == keys.front()) found = At<M>::find(keys.subspan(1));
  });
  return found;
}

template <class M>
KeyAt At<M>::find(Keys keys) {
  if (keys.empty()) return {true, {}, false};
  KeyAt found;
  if constexpr (HasKinds<M>)
    for_each_kind([&](const auto& fresh) {
      if (!found.known) found = find_below(fresh, keys);
    });
  else if constexpr (HasFields<M>)
    found = find_below(M{}, keys);
  return found;
}

void add_entry_tables(toml::table& table, std::vector<std::string>& path,
                      std::map<std::string, toml::table*>& out) {
  for (auto&& [key, node] : table) {
    auto* inner = node.as_table();
    if (!inner) continue;
    path.emplace_back(key.str());
    const KeyAt at = key_at(path);
    if (at.entry.empty())
      add_entry_tables(*inner, path, out);
    else if (!inner->contains("value"))  // a name with its own source
      out[fmt::format("{}", fmt::join(path, "."))] = inner;
    path.pop_back();
  }
}

}  // namespace

std::map<std::string, toml::table*> entry_tables(toml::table& scenario) {
  std::map<std::string, toml::table*> out;
  std::vector<std::string> path;
  add_entry_tables(scenario, path, out);
  return out;
}

KeyAt key_at(std::span<const std::string> keys) { return At<Scenario>::find(keys); }

}  // namespace gpufeed
