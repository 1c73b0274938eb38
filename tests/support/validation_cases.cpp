// SPDX-License-Identifier: Apache-2.0
#include "tests/support/validation_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/load/scenario_source.h"
#include "sim/load/study/validation.h"
#include "sim/model/uncertain.h"
#include "tests/support/catalog.h"

namespace gpufeed {
namespace {

std::set<std::string> entries_of(const Scenario& scenario) {
  std::set<std::string> entries;
  for (const UncertainValue& value : uncertain_values(scenario))
    if (!value.kind.empty()) entries.insert(fmt::format("{}/{}", value.kind, value.owner));
  const auto* training = scenario.workload.find<kind::Training>();
  if (training && training->framework) entries.insert("framework/" + training->framework->name);
  if (training && !training->framework && scenario.usual_framework)
    entries.insert("framework/" + scenario.usual_framework->name);
  const auto* emulated = scenario.workload.find<kind::Emulated>();
  if (emulated && emulated->job) entries.insert("job/" + emulated->job->name);
  return entries;
}

std::string family_of(const Workload& workload) {
  if (const auto* emulated = workload.find<kind::Emulated>()) return emulated->dataset.name;
  const auto* feeds = workload.find<FeedsGpus>();
  return feeds && feeds->model ? feeds->model->title : std::string(name_of(workload.kind()));
}

/// The case's own overrides, and the value that its search found when it was measured.
std::vector<Override> all_overrides(const ValidationCase& one) {
  auto overrides = overrides_of(one);
  if (!one.largest) return overrides;
  const auto row = std::ranges::find_if(one.measured, asks_largest);
  const auto value = std::llround(row->value / static_cast<double>(one.largest->times));
  overrides.push_back({one.largest->path, std::to_string(value), "measured", one.where});
  return overrides;
}

std::vector<LoadedCase> load_all() {
  std::vector<LoadedCase> cases;
  const std::filesystem::path folder =
      std::filesystem::path(GPUFEED_SOURCE_DIR) / "tests/validation/cases";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    const auto file = std::make_shared<const Validation>(load_validation(path, own_catalog()));
    for (const ValidationCase& one : file->cases) {
      const auto scenario = std::make_shared<const Scenario>(
          scenario_of(*file, one, own_catalog()).load(all_overrides(one)));
      cases.push_back({file, &one, scenario, entries_of(*scenario), family_of(scenario->workload)});
    }
  }
  return cases;
}

}  // namespace

const std::vector<LoadedCase>& loaded_cases() {
  static const std::vector<LoadedCase> all = load_all();
  return all;
}

}  // namespace gpufeed
