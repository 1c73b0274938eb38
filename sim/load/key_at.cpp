// SPDX-License-Identifier: Apache-2.0
#include "sim/load/key_at.h"

#include <span>

#include "sim/load/read/forms.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using Keys = std::span<const KeyStep>;

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
    const std::string& key = keys.front().key;
    if (rule.name != key && (rule.alias.empty() || rule.alias != key)) return;
    found = At<M>::find(keys.subspan(1));
    if (keys.size() > 1) return;
    found.name = rule.name;
    found.alias = rule.alias;
    found.since = rule.deprecated;
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

void add_entry_tables(toml::table& table, const KeyPath& above,
                      std::map<KeyPath, toml::table*>& out) {
  for (auto&& [key, node] : table) {
    auto* inner = node.as_table();
    if (!inner) continue;
    const KeyPath path = above / key.str();
    if (key_at(path).entry.empty())
      add_entry_tables(*inner, path, out);
    else if (!inner->contains("value"))  // a name with its own source
      out[path] = inner;
  }
}

}  // namespace

std::map<KeyPath, toml::table*> entry_tables(toml::table& scenario) {
  std::map<KeyPath, toml::table*> out;
  add_entry_tables(scenario, {}, out);
  return out;
}

KeyAt key_at(const KeyPath& path) { return At<Scenario>::find(path.steps); }

}  // namespace gpufeed
