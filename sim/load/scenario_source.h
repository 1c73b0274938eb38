// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/load/load.h"

namespace gpufeed {

/// Which of the changes it is that makes a scenario wrong, is found out by further loads, or not.
enum class Blame { changes, nothing };

/// A scenario's file that is read once, and becomes a scenario again and again with other values.
/// Any number of threads may share one; give it a catalog that remembers.
class ScenarioSource {
 public:
  /// \param always  overrides that go before all others
  /// \param inside  the table of the file that is the scenario; empty: all of it
  /// \throws InputError  where the file is no TOML
  ScenarioSource(const std::filesystem::path& file, Catalog catalog, std::vector<Override> always,
                 std::string inside = "");

  /// The same of a text; `name` stands for its file in messages, and paths are relative to it.
  ScenarioSource(std::string text, std::string name, Catalog catalog);

  /// The same with more overrides that go before all others.
  ScenarioSource with(const std::vector<Override>& more) const;

  /// As `load_scenario`. \throws InputError
  Scenario load(const std::vector<Override>& more = {}, Blame blame = Blame::changes) const;
  /// Reports overrides that the keys cannot take: unknown paths and names, wrong types, values out
  /// of range. Whether the scenario holds together with them is not looked at.
  void check(const std::vector<Override>& more, Diagnostics& out) const;
  /// What the file says once `always` is applied, in one spelling: comments and the order of the
  /// keys make no difference.
  std::string canonical_text() const;

 private:
  std::vector<Override> all_with(const std::vector<Override>& more) const;

  std::string name_;
  Catalog catalog_;
  std::vector<Override> always_;
  std::string inside_;
  std::string text_;  // and no table: a copy of one would not know its lines any more
};

}  // namespace gpufeed
