// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/load/load.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

/// What every verb takes that reads scenarios.
struct ScenarioArguments {
  std::vector<std::string> files;
  std::vector<std::string> sets;
  std::vector<std::string> catalogs;
  std::optional<std::string> seed;
  std::optional<std::string> engine;
  std::optional<std::string> precision;
  std::optional<std::string> confine;
  std::vector<std::string> params;    ///< later ones go before earlier ones
  std::optional<std::string> prices;  ///< of verbs that tell what things cost

  void add_to(Options& options);
  /// All but the files.
  void add_overrides_to(Options& options);
  /// `--prices`.
  void add_prices_to(Options& options);
};

/// `--confine`, and the catalog that it leaves.
/// \param named  folders of the catalog that files of `--params` name
/// \throws InputError
void add_confine_option(Options& options, std::optional<std::string>& confine);
Catalog confined(const Catalog& catalog, const std::optional<std::string>& confine,
                 const std::vector<std::filesystem::path>& named = {});

/// The folders of `--catalog` and of the files of `--params`, the first first. \throws InputError
std::vector<std::string> catalog_folders(const ScenarioArguments& arguments);

/// The catalog that `--catalog`, `--prices` and `--confine` ask for. \throws InputError
Catalog catalog_of(const ScenarioArguments& arguments);

/// All of them but the files, as names and values in turn.
std::vector<std::string> options_of(const ScenarioArguments& arguments);

/// What `--set`, `--seed`, `--engine` and `--precision` say. \throws InputError
std::vector<Override> overrides_of(const ScenarioArguments& arguments);

struct Loaded {
  std::vector<std::optional<Scenario>> scenarios;  ///< one a file; nothing where it is wrong
  Diagnostics problems;                            ///< of all files together
};

/// Reads all files, so that the problems of all of them can be reported in one go, and says which
/// keys they call by old names.
/// \throws InputError  for wrong options
Loaded load_all(const ScenarioArguments& arguments);

}  // namespace gpufeed::cli
