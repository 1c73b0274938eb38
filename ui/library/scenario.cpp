// SPDX-License-Identifier: Apache-2.0
#include "ui/library/scenario_source.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "reports/study/whatif.h"
#include "reports/writers/decision_text.h"
#include "reports/writers/json.h"
#include "reports/writers/result_cells.h"
#include "reports/writers/text.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"

namespace gpufeed::v1 {
namespace {

/// SimGrid has one engine in a process.
std::mutex& simgrid() {
  static std::mutex one;
  return one;
}

std::optional<double> number_of(const gpufeed::Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return {};
}

Scenario checked(const std::shared_ptr<const Scenario::Source>& source) {
  source->source.load(source->values);
  return Scenario(source);
}

gpufeed::Result simulated(const gpufeed::Scenario& scenario) {
  std::unique_lock lock(simgrid(), std::defer_lock);
  if (scenario.run.engine == EngineKind::simgrid) lock.lock();
  return gpufeed::simulate(scenario);
}

}  // namespace

gpufeed::Result result_of(const gpufeed::Scenario& scenario) {
  gpufeed::Result result = simulated(scenario);
  result.version = version();
  result.scenario = to_toml(scenario);
  return result;
}

std::optional<double> Result::number(std::string_view name) const {
  const auto& columns = result_columns();
  const auto at = std::ranges::find(columns, name, &ResultColumn::name);
  if (at != columns.end()) return numbers[static_cast<std::size_t>(at - columns.begin())];
  throw guarded([&]() -> InputError {
    Names known;
    for (const auto& column : columns) known.push_back(column.name);
    return foreign(gpufeed::InputError({{{"Result::number", 0, 0},
                                         "no number is called \"" + std::string(name) + "\"; " +
                                             suggestion(std::string(name), known)}}));
  });
}

Scenario Scenario::with(const std::string& key, const std::string& value) const {
  return guarded([&] {
    auto other = std::make_shared<Source>(*source_);
    const Override given = parse_override(key + "=" + value);
    std::erase_if(other->values, [&](const Override& one) { return one.path == given.path; });
    other->values.push_back(given);
    Diagnostics problems;
    other->source.check({given}, problems);
    problems.throw_if_any();
    return Scenario(other);
  });
}

std::string Scenario::toml() const {
  return guarded([&] { return to_toml(source_->source.load(source_->values)); });
}

Result Scenario::simulate() const {
  return guarded([&] {
    const gpufeed::Result result = result_of(source_->source.load(source_->values));
    Result out;
    out.json = to_json(result);
    out.text = to_text(result);
    for (const auto& cell : result_cells(result)) out.numbers.push_back(number_of(cell));
    return out;
  });
}

std::vector<std::pair<std::string, Cell>> Scenario::point() const {
  return guarded([&] {
    gpufeed::Scenario scenario = source_->source.load(source_->values);
    scenario.run.once();
    const auto cells = result_cells(simulated(scenario));
    std::vector<std::pair<std::string, Cell>> out;
    for (std::size_t i = 0; i < cells.size(); ++i)
      out.emplace_back(result_columns()[i].name, cells[i]);
    return out;
  });
}

Answer Scenario::what_if(bool free_only, unsigned jobs) const {
  return guarded([&] {
    constexpr std::size_t kShown = 10;
    WhatIfRun run;
    run.jobs = threads(jobs);
    run.settings_only = free_only;
    const WhatIf report =
        gpufeed::what_if(source_->source.with(source_->values), source_->catalog, run);
    return Answer{to_json(report), to_text(report, kShown, false)};
  });
}

Scenario load(const std::filesystem::path& file, const Settings& settings) {
  return guarded([&] {
    const Catalog catalog = catalog_of(settings);
    return checked(std::make_shared<const Scenario::Source>(
        Scenario::Source{file.string(), ScenarioSource(file, catalog, {}), catalog, {}}));
  });
}

Scenario parse(const std::string& text, const std::string& name, const Settings& settings) {
  return guarded([&] {
    const Catalog catalog = catalog_of(settings);
    return checked(std::make_shared<const Scenario::Source>(
        Scenario::Source{name, ScenarioSource(text, name, catalog), catalog, {}}));
  });
}

}  // namespace gpufeed::v1
