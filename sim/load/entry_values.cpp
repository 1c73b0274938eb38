// SPDX-License-Identifier: Apache-2.0
#include "sim/load/entry_values.h"

#include <algorithm>
#include <set>

#include "sim/base/labels/label_text.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using Values = std::map<std::string, std::string>;

/// Goes through the entries of a scenario; one that several parts name is visited once.
class EntryWalk {
 public:
  Values values;
  /// Of entries and of the parts of a machine; of an entry empty where it was visited elsewhere:
  /// what it says is compared only where all scenarios visit it.
  Values names;
  Values titles;  ///< of entries that have no name but their place
  std::vector<NamedEntry> named;

  void go_through(const Scenario& scenario) {
    add("system", scenario.system);
    std::visit([&](const auto& keys) { add_keys("workload", keys); }, scenario.workload.of_kind);
    for (const auto& [name, store] : scenario.store) add_keys("store." + key_text(name), store);
  }

  /// After the walk: what names an entry that other keys name, too.
  void add_named(const Scenario& scenario) {
    const auto add_known = [&](const char* key, const std::string& name) {
      if (const auto title = known_.find(name); title != known_.end())
        named.push_back({key, name, title->second});
    };
    for (const Replace& one : scenario.replace) add_known("with", text_of(one.with.id));
    for (const OwnValue& one : scenario.own) add_known("product", one.product);
  }

 private:
  // A class, not a lambda: it is compiled once for a type of value, not for each owner.
  struct Adder {
    EntryWalk& walk;
    const std::string& place;

    template <class M>
    void operator()(const Rule<M>& rule, const M& member) const {
      if (rule.name != "title") walk.add(fmt::format("{}.{}", place, rule.name), member);
    }
  };

  template <HasFields T>
  void add_keys(const std::string& place, const T& value) {
    for_each_member(value, Adder{*this, place});
  }

  template <class T>
  void add(const std::string& place, const Ref<T>& ref) {
    if (ref.entry && depth_ == 0)
      named.push_back({place.substr(place.rfind('.') + 1), ref.name, ref.entry->title});
    const bool fresh = ref.entry && seen_.insert(ref.entry.get()).second;
    names[place] = fresh ? ref.name : "";
    if (!fresh) return;
    known_.emplace(ref.name, ref.entry->title);
    if (ref.name == place) titles[place] = ref.entry->title;
    ++depth_;
    add_keys(place, *ref.entry);
    --depth_;
  }
  /// Its numbers are in the machine's already.
  void add(const std::string& /*place*/, const Ref<Chassis>& /*chassis*/) {}
  /// Where a part hangs is told by the machine's ways.
  void add(const std::string& /*place*/, const PartRef& /*part*/) {}
  template <class M>
  void add(const std::string& place, const std::optional<M>& value) {
    if (value) add(place, *value);
  }
  template <class M>
  void add(const std::string& place, const Defaulted<M>& value) {
    add(place, value.value);
  }
  template <class M>
  void add(const std::string& place, const std::vector<M>& list) {
    if constexpr (std::same_as<M, PartRef>) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string item = fmt::format("{}[{}]", place, i);
      if (place.starts_with("system.")) names[item];
      add(item, list[i]);
    }
  }
  template <class M>
  void add(const std::string& place, const M& value) {
    if constexpr (HasFields<M>)
      add_keys(place, value);
    else if constexpr (requires { toml_value(value); })
      if (depth_ > 0) values[place] = toml_value(value);
  }

  std::set<const void*> seen_;
  Values known_;   ///< titles of all entries, by their names
  int depth_ = 0;  ///< of entries; keys of the scenario itself are no one's entry
};

/// Whether all have it, and the same.
bool is_common(const std::vector<EntryWalk>& walks, Values EntryWalk::*map,
               const std::string& path) {
  const auto& first = walks.front().*map;
  const auto known = first.find(path);
  return known != first.end() && std::ranges::all_of(walks, [&](const EntryWalk& walk) {
           const auto found = (walk.*map).find(path);
           return found != (walk.*map).end() && found->second == known->second;
         });
}

std::set<std::string> different(const std::vector<EntryWalk>& walks, Values EntryWalk::*map) {
  std::set<std::string> paths;
  for (const EntryWalk& walk : walks)
    for (const auto& [path, value] : walk.*map)
      if (!is_common(walks, map, path)) paths.insert(path);
  return paths;
}

/// Whether a key is of the entry or part at `owner`.
bool lies_in(const std::string& path, const std::string& owner) {
  return path.starts_with(owner) && path[owner.size()] == '.';
}

}  // namespace

std::vector<Values> entry_differences(const std::vector<const Scenario*>& scenarios) {
  std::vector<EntryWalk> walks(scenarios.size());
  for (std::size_t i = 0; i < scenarios.size(); ++i) walks[i].go_through(*scenarios[i]);
  const std::set<std::string> others = different(walks, &EntryWalk::names);
  std::vector<Values> out(scenarios.size());
  for (const std::string& path : different(walks, &EntryWalk::values)) {
    if (std::ranges::any_of(others, [&](const auto& other) { return lies_in(path, other); }))
      continue;
    for (std::size_t i = 0; i < walks.size(); ++i)
      if (const auto found = walks[i].values.find(path); found != walks[i].values.end())
        out[i].insert(*found);
  }
  return out;
}

Values inline_titles(const Scenario& scenario) {
  EntryWalk walk;
  walk.go_through(scenario);
  return walk.titles;
}

std::vector<NamedEntry> named_entries(const Scenario& scenario) {
  EntryWalk walk;
  walk.go_through(scenario);
  walk.add_named(scenario);
  return walk.named;
}

std::optional<std::string> title_of_named(std::string_view path, std::string_view value,
                                          const std::vector<NamedEntry>& entries) {
  const std::string_view key = path.substr(path.rfind('.') + 1);
  const auto found = std::ranges::find_if(
      entries, [&](const NamedEntry& one) { return one.key == key && one.name == value; });
  if (found == entries.end()) return {};
  return found->title;
}

}  // namespace gpufeed
