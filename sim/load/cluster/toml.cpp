// SPDX-License-Identifier: Apache-2.0
#include "sim/load/cluster/document.h"
#include "sim/load/cluster/job_log.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

using cluster::Document;

template <class M>
std::string exact(const M& value) {
  return toml_value(value);
}
/// As people write it where that is the same number, else in the unit without a prefix.
template <class Unit>
std::string exact(Quantity<Unit> value) {
  std::string text = toml_value(value);
  if (parse_quantity<Unit>(std::string_view(text).substr(1, text.size() - 2)) == value) return text;
  for (const UnitName& unit : units_of<Quantity<Unit>>().names)
    if (unit.factor == 1) return fmt::format("\"{} {}\"", value.value, unit.name);
  return text;
}
template <class T>
std::string exact(const std::optional<T>& value) {
  return exact(*value);
}

template <class M>
bool is_same(const M& one, const M& other) {
  return one == other;
}
template <class T>
bool is_same(const std::optional<Ref<T>>& one, const std::optional<Ref<T>>& other) {
  return one.has_value() == other.has_value();
}

/// The keys of a table that are not at their default; all of a scheduler, for its reader.
template <class T>
std::string lines_of(const T& value) {
  std::string out;
  const T fresh;
  T::fields([&](const auto& field) {
    const auto& member = value.*field.member;
    if (std::same_as<T, cluster::Policy> || field.required || !is_same(member, fresh.*field.member))
      out += fmt::format("{} = {}\n", field.name, exact(member));
  });
  return out;
}

template <class T>
std::string tables_of(std::string_view heading, const std::vector<T>& list) {
  std::string out;
  for (const T& one : list) out += fmt::format("\n[[{}]]\n{}", heading, lines_of(one));
  return out;
}
template <class T>
std::string tables_of(std::string_view heading, const Named<T>& named) {
  std::string out;
  for (const auto& [name, one] : named)
    out += fmt::format("\n[{}.{}]\n{}", heading, toml_string(name), lines_of(one));
  return out;
}

/// A store of servers by what they read together: a machine of theirs may have no name.
Named<cluster::SharedStore> as_bandwidths(Named<cluster::SharedStore> stores) {
  for (auto& [name, store] : stores) {
    if (!store.of_servers) continue;
    static_cast<ServersOfStore&>(store) = {};
    store.model.reset();
  }
  return stores;
}

/// Many lines as TOML writes them.
std::string toml_lines(const std::string& text) {
  if (text.find("'''") != std::string::npos) return toml_string(text);
  return fmt::format("'''\n{}'''", text);
}

}  // namespace

std::string to_toml(const Document& document) {
  const auto& own = document.cluster;
  std::string out = fmt::format("schema = {}\n", document.schema);
  if (!document.title.empty()) out += fmt::format("title = {}\n", toml_string(document.title));
  out += "\n[workload]\n" + lines_of(document.workload);
  out += tables_of("store", as_bandwidths(document.stores));
  out += tables_of("cluster.nodes", own.nodes);
  if (own.scheduler) out += "\n[cluster.scheduler]\n" + lines_of(*own.scheduler);
  out += tables_of("cluster.policy", own.policies) + tables_of("cluster.user", own.users);
  out += tables_of("cluster.failure", own.failures);
  return out + fmt::format("\n[cluster.log]\nrows = {}\n", toml_lines(job_log_text(own.jobs)));
}

}  // namespace gpufeed
