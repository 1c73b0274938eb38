// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/load/read/catalog.h"
#include "sim/model/fields/entry.h"
#include "sim/model/study/condition.h"

namespace gpufeed {

struct Scenario;
struct System;

/// A value that replaces the file's own: the path `loader.workers_per_gpu` or
/// `system.drive[ssd0].model`, where an array's element is named by its id or its number from 0;
/// `system.drive[ssd*].model` changes every element whose id fits.
struct Override {
  KeyPath path;
  std::string value;   ///< as TOML writes it; text may leave the quotes out; empty: the key goes
  std::string option;  ///< how messages call it: "--set loader.workers_per_gpu=16"
  std::optional<Location> where = {};  ///< where messages point instead, of `ScenarioSource` only
  /// Of a value that goes into a catalog entry; default: the user's word, an estimate.
  std::optional<Provenance> provenance = {};
  double deviation = 0;  ///< of a calibrated one: standard deviation over the value
};

/// Takes "path=value" of `--set` apart.
/// \throws InputError  where there is no "=", or no path before it
Override parse_override(const std::string& assignment);

/// Reads a scenario, resolves every name in it, applies `[[replace]]` and the overrides, fills the
/// defaults in and checks that the whole holds together. Nothing is guessed.
/// \throws InputError  with every problem found
Scenario load_scenario(const std::filesystem::path& file, const Catalog& catalog,
                       const std::vector<Override>& overrides = {});
/// The same from text; `name` stands for the file in messages, and paths are relative to it.
Scenario parse_scenario(std::string_view text, const std::string& name, const Catalog& catalog,
                        const std::vector<Override>& overrides = {});

/// The machine of a scenario's text, which may say nothing else: that it can be built is checked.
/// \throws InputError  with every problem found
std::shared_ptr<const System> parse_system(std::string_view text, const std::string& name,
                                           const Catalog& catalog,
                                           const std::vector<Override>& overrides = {});

/// One line of what is known of a catalog entry.
struct EntryLine {
  std::string key;
  std::string value;
  std::string basis;                    ///< empty where it is the entry's
  std::string source;                   ///< empty where it is the entry's
  bool single = false;                  ///< one value, known or not; else one of a list
  const UnitTable* units = nullptr;     ///< of a single value that has a unit
  std::optional<Operand> operand = {};  ///< a single value that is known, as conditions compare it
};
struct EntryText {
  std::string kind;
  std::string name;
  std::string title;
  std::string basis;
  std::string source;
  std::filesystem::path file;
  std::string like;  ///< the entry whose values it takes; empty: nobody's
  std::vector<EntryLine> lines;
};

/// What the catalog knows of `name`: one entry per kind that has it.
/// \throws InputError  where no kind has it, or its file is wrong
std::vector<EntryText> describe_entry(const Catalog& catalog, const std::string& name);

/// All entries of a kind that meet all conditions, in the order of their names. Where an entry's
/// file is wrong, that is reported to `out`. Where a value is not known, no condition on it holds.
/// \throws InputError  where a condition compares what cannot be compared
std::vector<EntryText> entries_of_kind(const Catalog& catalog, std::string_view kind,
                                       const std::vector<Condition>& conditions, Diagnostics& out);

/// The keys of a kind of entry.
Names keys_of_kind(std::string_view kind);
/// What conditions on its entries may name: the keys, and "name".
Names names_in_conditions(std::string_view kind);

}  // namespace gpufeed
