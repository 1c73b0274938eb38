// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/key_path.h"
#include "sim/model/fields/enum_names.h"

namespace gpufeed {

enum class WorkloadKind : std::size_t;

/// What a file of the user's, or of the catalog, is.
enum class KeyFile {
  scenario,
  sweep,
  goal,
  parameters,
  validation,
  bars,
  observed,
  cluster,
  serving,
  entry
};

/// A table that keys stand in.
struct KeyTable {
  using Path = std::vector<std::string>;

  KeyFile file = KeyFile::scenario;
  std::string entry = {};                 ///< of the catalog: its kind, such as "drive"
  Path path = {};                         ///< empty: the top of the file; a step "": any name
  bool many = false;                      ///< one of an array of tables
  std::optional<WorkloadKind> kind = {};  ///< the workload's kind, where that decides its keys

  auto operator<=>(const KeyTable&) const = default;

  bool is_top() const { return path.empty(); }
  /// Whether it is the table of the scenario at `place`, for workloads of a kind.
  bool is_at(const KeyPath& place, WorkloadKind of) const;
};

/// Its heading: "scenario", "[store.NAME]", "[workload] of kind io", "[[axis]] of a sweep",
/// "catalog drive".
std::string text(const KeyTable& table);
/// Its path: "store.NAME"; at the top what the file is called, but nothing for a scenario.
std::string path_text(const KeyTable& table);

/// What may stand at a key.
enum class ValueKind { truth, word, whole, number, quantity, text, entry, list, table };
struct ValueForm {
  ValueKind kind = ValueKind::text;
  std::span<const std::string_view> words = {};  ///< word: those that there are
};

/// One key of a file that a user may write.
struct KeyHelp {
  KeyTable table;
  std::string key;
  ValueForm value;
  std::string form;      ///< what may stand there, range and all, in words
  std::string standard;  ///< "required", the default, or empty
  std::string help;
};
/// Every key of scenarios, systems, catalog entries and of the files of studies.
std::vector<KeyHelp> all_keys();

}  // namespace gpufeed
