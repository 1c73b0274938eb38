// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/scenarios.h"

#include <algorithm>
#include <utility>

#include "sim/load/read/toml_text.h"
#include "sim/load/study/parameters.h"
#include "sim/model/scenario.h"
#include "ui/cli/output.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {

std::vector<Override> overrides_of(const ScenarioArguments& arguments) {
  std::vector<Override> overrides;
  for (const auto& file : arguments.params)
    for (auto& value : overrides_of(load_parameters(file))) {
      std::erase_if(overrides, [&](const Override& one) { return one.path == value.path; });
      overrides.push_back(std::move(value));
    }
  Diagnostics problems;
  for (const auto& set : arguments.sets) try {
      Override given = parse_override(set);
      std::erase_if(overrides, [&](const Override& one) {
        return one.provenance && one.path == given.path;  // nothing of it is calibrated then
      });
      overrides.push_back(std::move(given));
    } catch (const InputError& error) {
      add(problems, error);
    }
  problems.throw_if_any();
  if (arguments.seed)
    overrides.push_back({"run.seed", *arguments.seed, "--seed " + *arguments.seed});
  if (arguments.engine)
    overrides.push_back(
        {"run.engine", toml_string(*arguments.engine), "--engine " + *arguments.engine});
  if (arguments.precision)
    overrides.push_back({"run.precision", toml_string(*arguments.precision),
                         "--precision " + *arguments.precision});
  return overrides;
}

std::vector<std::string> options_of(const ScenarioArguments& arguments) {
  std::vector<std::string> out;
  const auto add = [&](const char* name, const std::string& value) {
    out.emplace_back(name);
    out.push_back(value);
  };
  for (const auto& folder : arguments.catalogs) add("--catalog", folder);
  if (arguments.confine) add("--confine", *arguments.confine);
  if (arguments.prices) add("--prices", *arguments.prices);
  for (const auto& file : arguments.params) add("--params", file);
  for (const auto& set : arguments.sets) add("--set", set);
  if (arguments.seed) add("--seed", *arguments.seed);
  if (arguments.engine) add("--engine", *arguments.engine);
  if (arguments.precision) add("--precision", *arguments.precision);
  return out;
}

void ScenarioArguments::add_to(Options& options) {
  options.operands("FILE", files, "scenarios; gpufeed new writes one to start from");
  add_overrides_to(options);
}

void ScenarioArguments::add_overrides_to(Options& options) {
  options.repeatable(
      "--set", "PATH=VALUE", sets,
      "another value for one key of the scenarios, such as "
      "loader.workers_per_gpu=16 or 'system.drive[ssd0].model=intel-p4510-8tb'; "
      "'system.drive[*].model=intel-p4510-8tb' sets it of all; names with dots or blanks stand in "
      "quotes, 'store.\"nas.lab\".model=NAME'; PATH= leaves the key out");
  options
      .repeatable(
          "--params", "FILE", params,
          "what gpufeed calibrate found of the machine, in the place of the catalog's values; "
          "of several, the last that has a value says it; --set goes before it")
      .seldom();
  options.value("--seed", "N", seed, "of the random numbers; short for --set run.seed=N").seldom();
  options
      .value("--engine", "NAME", engine,
             "fluid, ours, or simgrid, the reference: the same answers, much slower; short for "
             "--set run.engine=NAME")
      .seldom();
  options
      .value("--precision", "P", precision,
             "simulate until the throughput is known this well, such as 0.1%; short for --set "
             "run.precision=P")
      .seldom();
  options.repeatable("--catalog", "DIR", catalogs, kCatalogHelp).seldom();
  add_confine_option(options, confine);
}

void add_confine_option(Options& options, std::optional<std::string>& confine) {
  options
      .value("--confine", "DIR", confine,
             "for scenarios of strangers: refuse every file that they name outside DIR and the "
             "catalogs")
      .seldom();
}

Catalog confined(const Catalog& catalog, const std::optional<std::string>& confine,
                 const std::vector<std::filesystem::path>& named) {
  if (!confine) return catalog;
  if (std::error_code unknown; !std::filesystem::is_directory(*confine, unknown))
    throw InputError({{{"--confine " + *confine, 0, 0}, "there is no such folder"}});
  return catalog.confined_to(*confine, named);
}

void ScenarioArguments::add_prices_to(Options& options) {
  options.value("--prices", "FILE", prices, kPricesHelp).seldom();
}

namespace {

/// The folders that files of `--params` name, the last first.
std::vector<std::string> folders_in_parameters(const ScenarioArguments& arguments) {
  if (arguments.params.empty()) return {};
  const Catalog given = confined(catalog_with(arguments.catalogs), arguments.confine);
  std::vector<std::string> folders;
  for (const auto& file : arguments.params)
    if (const auto catalog = load_parameters(file, given).catalog)
      if (!std::ranges::count(arguments.catalogs, catalog->path))
        folders.insert(folders.begin(), catalog->path);
  return folders;
}

std::vector<std::string> joined(std::vector<std::string> one,
                                const std::vector<std::string>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

}  // namespace

std::vector<std::string> catalog_folders(const ScenarioArguments& arguments) {
  return joined(arguments.catalogs, folders_in_parameters(arguments));
}

Catalog catalog_of(const ScenarioArguments& arguments) {
  const std::vector<std::string> named = folders_in_parameters(arguments);
  return confined(catalog_with(joined(arguments.catalogs, named), arguments.prices),
                  arguments.confine, {named.begin(), named.end()});
}

Loaded load_all(const ScenarioArguments& arguments) {
  const Catalog catalog = catalog_of(arguments);
  const std::vector<Override> overrides = overrides_of(arguments);
  Loaded loaded;
  for (const auto& file : arguments.files) try {
      loaded.scenarios.emplace_back(load_scenario(file, catalog, overrides));
      for (const OldName& old : loaded.scenarios.back()->old_names) complain(line_of(old) + "\n");
    } catch (const InputError& error) {
      loaded.scenarios.emplace_back();
      add(loaded.problems, error);
    }
  return loaded;
}

}  // namespace gpufeed::cli
