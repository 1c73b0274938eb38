// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

struct Scenario;

/// What entries say that differs although they are named alike: tables in the place of a name,
/// files called alike, products with values of one's own. By path, `workload.dataset.decode_time`,
/// as TOML writes it; of each scenario in turn, without the values that it does not have. Where
/// another entry is named, that is the difference, and the values in it are none. Left out is what
/// the bill and the ways of a machine tell: which products its parts are, and where they hang; and
/// titles.
std::vector<std::map<std::string, std::string>> entry_differences(
    const std::vector<const Scenario*>& scenarios);

/// Titles of the entries that a scenario has as tables in the place of a name, by that place, which
/// is also what they are called: `store.nas.model`.
std::map<std::string, std::string> inline_titles(const Scenario& scenario);

/// An entry that a key of a scenario names.
struct NamedEntry {
  std::string key;  ///< the last word of its path: "model" of `store.nas.model`
  std::string name;
  std::string title;
};

/// Those of all keys that lie in no entry themselves.
std::vector<NamedEntry> named_entries(const Scenario& scenario);

/// The title of the entry that a key's value names; nothing of values that name none.
std::optional<std::string> title_of_named(std::string_view path, std::string_view value,
                                          const std::vector<NamedEntry>& entries);

}  // namespace gpufeed
