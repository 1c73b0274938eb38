// SPDX-License-Identifier: Apache-2.0
#include "sim/load/idle_keys.h"

#include <algorithm>
#include <map>

#include "sim/model/scenario.h"
#include "sim/model/taken.h"

namespace gpufeed {
namespace {

template <class M>
Names keys_of(const M*) {
  Names names;
  if constexpr (HasFields<M> && !HasKinds<M>)
    for_each_field<M>([&](const auto& field) { names.emplace_back(field.name); });
  return names;
}

template <class M>
Names keys_of(const std::optional<M>*) {
  return keys_of(static_cast<const M*>(nullptr));
}

/// Keys of the scenario: those of its sections with the keys of these.
const std::map<std::string, Names, std::less<>>& scenario_keys() {
  static const auto keys = [] {
    std::map<std::string, Names, std::less<>> all;
    for_each_field<Scenario>([&]<class M>(const Field<Scenario, M>& field) {
      all[std::string(field.name)] = keys_of(static_cast<const M*>(nullptr));
    });
    return all;
  }();
  return keys;
}

void report(const KeyPath& path, const Names& kinds, WorkloadKind kind, const Location& where,
            Diagnostics& out) {
  Problem problem{
      where,
      fmt::format("{}: no effect on a workload of kind \"{}\", only on kind \"{}\"; leave it out",
                  text(path), name_of(kind), fmt::join(kinds, "\", \""))};
  problem.code = ProblemCode::idle_key;
  problem.subject = path;
  problem.fixes.push_back({Fix::Kind::remove, path});
  out.add(std::move(problem));
}

}  // namespace

bool is_section(std::string_view name) {
  const auto found = scenario_keys().find(name);
  return found != scenario_keys().end() && !found->second.empty();
}

void refuse_idle_keys(const toml::table& scenario, WorkloadKind kind, const Reader& reader,
                      Diagnostics& out) {
  const auto check = [&](const toml::node& node, std::string_view section, std::string_view name,
                         const KeyPath& path) {
    const Names kinds = kinds_that_take(section, name);
    const bool taken = std::ranges::count(kinds, name_of(kind)) > 0;
    if (!taken) report(path, kinds, kind, reader.at(node), out);
    return taken;
  };
  const auto check_keys = [&](const toml::node& node, std::string_view section, const Names& known,
                              const KeyPath& path) {
    if (!node.is_table()) return;
    for (const auto& name : known)
      if (const toml::node* value = node.as_table()->get(name))
        check(*value, section, name, path / name);
  };
  for (const auto& [section, known] : scenario_keys())
    if (const toml::node* node = scenario.get(section);
        node && check(*node, section, {}, KeyPath() / section))
      check_keys(*node, section, known, KeyPath() / section);
  if (const toml::table* stores = scenario["store"].as_table())
    for (const auto& [name, store] : *stores)
      check_keys(store, "store", keys_of(static_cast<const Store*>(nullptr)),
                 KeyPath("store") / name.str());
}

void drop_idle_defaults(WorkloadKind kind, std::vector<DefaultValue>& defaults) {
  std::erase_if(defaults, [&](const DefaultValue& one) {
    const auto& steps = one.key.steps;
    if (steps.size() == 1) return !is_taken(kind, steps[0].key);
    return is_section(steps[0].key) && !is_taken(kind, steps[0].key, steps[1].key);
  });
}

}  // namespace gpufeed
