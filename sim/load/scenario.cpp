// SPDX-License-Identifier: Apache-2.0
#include "sim/model/scenario.h"
#include "sim/load/check/checks.h"
#include "sim/load/compute_rates.h"
#include "sim/load/idle_keys.h"
#include "sim/load/load.h"
#include "sim/load/overrides.h"
#include "sim/load/replace.h"
#include "sim/load/scenario_build.h"

namespace gpufeed {
namespace {

/// What the job is about, in a word or two.
std::string subject(const Workload& workload) {
  if (const auto* emulated = workload.find<kind::Emulated>(); emulated && emulated->job)
    return emulated->job->name;
  if (const auto* own = workload.find<FeedsGpus>(); own && !own->model.name.empty())
    return own->model.name;
  if (const auto* own = workload.find<ReadsDataset>(); own && !own->dataset.name.empty())
    return own->dataset.name;
  return std::string(name_of(workload.kind()));
}

/// The system before `--set` and `[[replace]]` changed its parts; null where they did not.
std::shared_ptr<const System> as_sold(const Scenario& scenario, Reader& reader) {
  if (const auto name = reader.inlined.find("system"); name != reader.inlined.end()) {
    Ref<System> sold{name->second, scenario.system.where, nullptr};
    reader.resolve(sold, "system");
    return sold.entry;
  }
  return scenario.replace.empty() ? nullptr : scenario.system.entry;
}

}  // namespace

Scenario read_scenario(toml::table& table, const std::vector<Override>& overrides, Reader& reader,
                       Diagnostics& out) {
  for (const auto& override : overrides) apply_override(table, override, reader, out);
  Scenario scenario;
  reader.read_table(table, "", scenario);
  scenario.defaults = std::move(reader.defaults);
  if (reader.misspelt.contains("workload.kind")) return scenario;
  refuse_idle_keys(table, scenario.workload.kind(), reader, out);
  drop_idle_defaults(scenario.workload.kind(), scenario.defaults);
  return scenario;
}

Scenario build_scenario(toml::table table, const std::string& name, const Catalog& catalog,
                        const std::vector<Override>& overrides, Diagnostics& out) {
  Reader reader(catalog, name, out);
  Scenario scenario = read_scenario(table, overrides, reader, out);
  check_workload_keys(scenario, reader.misspelt, out);
  if (!scenario.system) return scenario;
  scenario.as_sold = as_sold(scenario, reader);
  apply_replacements(scenario, reader, out);
  check_system(*scenario.system, out);
  check_boards(scenario, out);
  find_compute_rates(scenario, catalog, reader.misspelt, out);
  check_scenario(scenario, out);
  check_memory(scenario, out);
  if (scenario.title.empty())
    scenario.title = fmt::format("{} on {}", subject(scenario.workload), scenario.system.name);
  return scenario;
}

Scenario parse_scenario(std::string_view text, const std::string& name, const Catalog& catalog,
                        const std::vector<Override>& overrides) {
  Diagnostics out;
  auto table = parse_toml(text, name, out);
  out.throw_if_any();
  Scenario scenario = build_scenario(std::move(*table), name, catalog, overrides, out);
  out.throw_if_any();
  return scenario;
}

Scenario load_scenario(const std::filesystem::path& file, const Catalog& catalog,
                       const std::vector<Override>& overrides) {
  Diagnostics out;
  auto table = parse_toml_file(file, out);
  out.throw_if_any();
  Scenario scenario =
      build_scenario(std::move(*table), file.lexically_normal().string(), catalog, overrides, out);
  out.throw_if_any();
  return scenario;
}

}  // namespace gpufeed
