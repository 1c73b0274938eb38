// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/validation.h"

#include <algorithm>

#include "sim/base/unit_registry.h"
#include "sim/load/read/front_door.h"
#include "sim/load/read/reader.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

void check_baseline(const Baseline& baseline, Diagnostics& out) {
  const std::string_view kind = name_of(baseline.kind);
  if (baseline.kind == BaselineKind::constant && baseline.value)
    out.error(ProblemCode::conflict, baseline.where,
              "a constant baseline takes no value: it is the mean of other rows");
  if (baseline.kind == BaselineKind::constant) return;
  if (!baseline.value)
    out.error(ProblemCode::missing_key, baseline.where, "a {} baseline needs a value", kind);
  if (baseline.kind != BaselineKind::linear && baseline.formula.empty())
    out.error(ProblemCode::missing_key, baseline.where,
              "a {} baseline needs a formula: where its value is from", kind);
}

/// Hands on what the file and its figures say to cases and rows that do not say it.
class Completion {
 public:
  Completion(Validation& validation, Diagnostics& out) : file_(validation), out_(out) {}

  void run() {
    if (!file_.measured.empty()) take_single_case();
    if (file_.cases.empty())
      out_.error(ProblemCode::missing_key, file_.where, "there is no [[case]] and no [[measured]]");
    for (ValidationCase& one : file_.cases) complete(one);
  }

 private:
  /// A file that is one case becomes a file with one.
  void take_single_case() {
    if (!file_.cases.empty())
      out_.error(ProblemCode::conflict, file_.measured.front().where,
                 "rows belong to a case: this [[measured]] stands beside [[case]]");
    ValidationCase one;
    one.title = file_.title;
    one.measured = file_.measured;
    one.where = file_.where;
    file_.cases.push_back(std::move(one));
  }

  void complete(ValidationCase& one) {
    if (one.source.empty()) one.source = file_.source;
    if (!one.role) one.role = file_.role;
    if (one.mechanism.empty()) one.mechanism = file_.mechanism;
    if (!one.baseline) one.baseline = file_.baseline;
    one.set.insert(one.set.begin(), file_.set.begin(), file_.set.end());
    if (!one.scenario.path.empty())
      place_beside(one.scenario);
    else if (!file_.has_own_scenario && file_.scenario.path.empty())
      out_.error(ProblemCode::missing_key, one.where,
                 "{}: there is no scenario, neither here nor for the file", one.title);
    for (MeasuredRow& row : one.measured) complete(row, one);
    check_largest(one);
  }

  void check_largest(const ValidationCase& one) {
    if (one.largest && std::ranges::none_of(one.measured, asks_largest))
      out_.error(one.largest->where, "{}: no row of the case has the key \"largest\"", one.title);
    for (const MeasuredRow& row : one.measured)
      if (asks_largest(row) && !one.largest)
        out_.error(ProblemCode::missing_key, row.where,
                   "{}: \"largest\" needs the case's key largest, such as "
                   "{{ path = \"workload.gpus\", up_to = 64 }}",
                   one.title);
  }

  void complete(MeasuredRow& row, const ValidationCase& one) {
    const auto figure = file_.figures.find(row.key);
    if (figure != file_.figures.end()) take(row, figure->second);
    if (!row.role) row.role = one.role;
    if (row.mechanism.empty()) row.mechanism = one.mechanism;
    if (!row.baseline) row.baseline = one.baseline;
    if (row.cause.empty()) row.cause = one.cause;
    if (row.mechanism.empty())
      out_.error(ProblemCode::unknown_part, row.where, "{}: {} belongs to no mechanism", one.title,
                 row.key);
    check(row, one);
  }

  static void take(MeasuredRow& row, const Figure& figure) {
    row.key = figure.key;
    if (row.unit.empty()) row.unit = figure.unit;
    if (!row.score) row.score = figure.score;
    if (row.mechanism.empty()) row.mechanism = figure.mechanism;
    if (!row.baseline) row.baseline = figure.baseline;
  }

  void check(const MeasuredRow& row, const ValidationCase& one) {
    if (!unit_factor(row.unit))
      out_.error(ProblemCode::wrong_type, row.where, "{}: {}: unknown unit \"{}\"; {}", one.title,
                 row.key, row.unit, suggestion(row.unit, known_units()));
    const bool relative = row.score.value_or(ErrorScore::relative) == ErrorScore::relative;
    if (relative && row.value <= 0)
      out_.error(ProblemCode::out_of_range, row.where,
                 "{}: {}: a relative error needs a value above 0", one.title, row.key);
    if (row.baseline) check_baseline(*row.baseline, out_);
  }

  /// A path in a file is relative to that file.
  static void place_beside(FileRef& file) {
    file.path = (fs::path(file.where.file).parent_path() / file.path).lexically_normal().string();
  }

  Validation& file_;
  Diagnostics& out_;
};

Validation build(toml::table& table, const std::string& name, const Catalog& catalog,
                 Diagnostics& out) {
  Validation validation;
  // The loader of scenarios reads it, from the file again: a copy would not know its lines.
  if (table["scenario"].is_table()) {
    validation.has_own_scenario = true;
    table.erase("scenario");
  }
  Reader(catalog, name, out).read_table(table, "", validation);
  auto& path = validation.scenario.path;
  if (!path.empty()) path = (fs::path(name).parent_path() / path).lexically_normal().string();
  if (out.empty()) Completion(validation, out).run();
  return validation;
}

auto validation_builder(const Catalog& catalog) {
  return [&catalog](toml::table& table, const std::string& name, Diagnostics& out) {
    return build(table, name, catalog, out);
  };
}

}  // namespace

Validation parse_validation(std::string_view text, const std::string& name,
                            const Catalog& catalog) {
  return built_from_text(text, name, validation_builder(catalog));
}

Validation load_validation(const fs::path& file, const Catalog& catalog) {
  return built_from_file(file, validation_builder(catalog));
}

ScenarioSource scenario_of(const Validation& validation, const ValidationCase& one,
                           const Catalog& catalog) {
  if (!one.scenario.path.empty()) return {one.scenario.path, catalog, {}};
  if (validation.has_own_scenario) return {validation.where.file, catalog, {}, "scenario"};
  return {validation.scenario.path, catalog, {}};
}

std::vector<Override> overrides_of(const ValidationCase& one) {
  std::vector<Override> overrides;
  Diagnostics out;
  for (const auto& assignment : one.set) try {
      Override override = parse_override(assignment);
      // In the case's folder, because a value may be a path.
      override.option = fmt::format("{} set {}", one.where.file, overrides.size() + 1);
      override.where = one.where;
      overrides.push_back(std::move(override));
    } catch (const InputError& error) {
      for (Problem problem : error.problems()) {
        problem.where = one.where;
        out.add(std::move(problem));
      }
    }
  out.throw_if_any();
  return overrides;
}

}  // namespace gpufeed
