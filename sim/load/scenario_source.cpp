// SPDX-License-Identifier: Apache-2.0
#include "sim/load/scenario_source.h"

#include <algorithm>
#include <sstream>

#include "sim/base/assert.h"
#include "sim/base/files/read_file.h"
#include "sim/load/scenario_build.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// The scenario's table of the text, which is known to be TOML.
toml::table table_in(const std::string& text, const std::string& name, const std::string& inside) {
  Diagnostics known_to_be_none;
  toml::table table = std::move(*parse_toml(text, name, known_to_be_none));
  if (inside.empty()) return table;
  toml::table* const inner = table[inside].as_table();
  GPUFEED_ASSERT(inner, "the file has the table");
  return std::move(*inner);
}

}  // namespace

void report_at_overrides(const Diagnostics& found, const std::vector<Override>& overrides,
                         Diagnostics& out) {
  for (Problem problem : found.problems()) {
    const auto it = std::ranges::find_if(overrides, [&](const Override& override) {
      return override.where && override.option == problem.where.file;
    });
    if (it != overrides.end()) problem.where = *it->where;
    out.add(std::move(problem));
  }
}

ScenarioSource::ScenarioSource(const std::filesystem::path& file, Catalog catalog,
                               std::vector<Override> always, std::string inside)
    : name_(file.lexically_normal().string()),
      catalog_(std::move(catalog)),
      always_(std::move(always)),
      inside_(std::move(inside)) {
  Diagnostics out;
  if (auto text = read_text_file(file, kMaxTextSize, out)) text_ = std::move(*text);
  parse_toml(text_, name_, out);
  out.throw_if_any();
}

ScenarioSource::ScenarioSource(std::string text, std::string name, Catalog catalog)
    : name_(std::move(name)), catalog_(std::move(catalog)), text_(std::move(text)) {
  Diagnostics out;
  parse_toml(text_, name_, out);
  out.throw_if_any();
}

ScenarioSource ScenarioSource::with(const std::vector<Override>& more) const {
  ScenarioSource other = *this;
  other.always_ = all_with(more);
  return other;
}

std::vector<Override> ScenarioSource::all_with(const std::vector<Override>& more) const {
  std::vector<Override> all = always_;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Scenario ScenarioSource::load(const std::vector<Override>& more, Blame blame) const {
  Diagnostics out;
  const FreshTable fresh = [&] { return table_in(text_, name_, inside_); };
  Scenario scenario = build_scenario(fresh, name_, catalog_, all_with(more), blame, out);
  Diagnostics moved;
  report_at_overrides(out, more, moved);
  moved.throw_if_any();
  return scenario;
}

void ScenarioSource::check(const std::vector<Override>& more, Diagnostics& out) const {
  Diagnostics own;
  toml::table table = table_in(text_, name_, inside_);
  Reader reader(catalog_, name_, own);
  read_scenario(table, all_with(more), reader, own);
  report_at_overrides(own, more, out);
}

std::string ScenarioSource::canonical_text() const {
  Diagnostics reported_by_load;
  toml::table table = table_in(text_, name_, inside_);
  Reader reader(catalog_, name_, reported_by_load);
  for (const auto& override : always_) apply_override(table, override, reader, reported_by_load);
  std::ostringstream text;
  text << toml::default_formatter{table};
  return text.str();
}

}  // namespace gpufeed
