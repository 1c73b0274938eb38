// SPDX-License-Identifier: Apache-2.0
#include "sim/load/checks.h"
#include "sim/load/load.h"
#include "sim/load/overrides.h"

namespace gpufeed {
namespace {

Scenario build(toml::table table, const std::string& name, const Catalog& catalog,
               const std::vector<Override>& overrides, Diagnostics& out) {
  Reader reader(catalog, name, out);
  for (const auto& override : overrides) apply_override(table, override, catalog, reader, out);
  Scenario scenario;
  reader.read_table(table, "", scenario);
  scenario.defaults = std::move(reader.defaults);
  if (!scenario.system) return scenario;
  apply_replacements(scenario, reader, out);
  check_system(*scenario.system, out);
  check_scenario(scenario, out);
  if (scenario.title.empty())
    scenario.title = fmt::format("{} on {}", scenario.workload.model.name, scenario.system.name);
  return scenario;
}

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& name, const Catalog& catalog,
                        const std::vector<Override>& overrides) {
  Diagnostics out;
  auto table = parse_toml(text, name, out);
  out.throw_if_any();
  Scenario scenario = build(std::move(*table), name, catalog, overrides, out);
  out.throw_if_any();
  return scenario;
}

Scenario load_scenario(const std::filesystem::path& file, const Catalog& catalog,
                       const std::vector<Override>& overrides) {
  Diagnostics out;
  auto table = parse_toml_file(file, out);
  out.throw_if_any();
  Scenario scenario =
      build(std::move(*table), file.lexically_normal().string(), catalog, overrides, out);
  out.throw_if_any();
  return scenario;
}

}  // namespace gpufeed
