// SPDX-License-Identifier: Apache-2.0
#include "reports/study/validate.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "reports/study/case_runner.h"
#include "reports/study/coverage.h"
#include "reports/study/first_contacts.h"
#include "reports/study/leave_out.h"
#include "reports/study/newest_contacts.h"
#include "reports/study/study_pool.h"
#include "reports/study/validation_scores.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/read_file.h"
#include "sim/load/read/fingerprint.h"
#include "sim/load/study/validation.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNewest = 10;  ///< sources whose coverage heads the scoreboard

/// The files that can be read; the others are failures.
std::vector<Validation> load_all(const std::vector<fs::path>& files, const Catalog& catalog,
                                 std::vector<FailedCase>& failures) {
  std::vector<Validation> loaded;
  for (const auto& file : files) try {
      loaded.push_back(load_validation(file, catalog));
    } catch (const InputError& error) {
      failures.push_back({file.lexically_normal().string(), in_lines(error), false});
    }
  return loaded;
}

void miss(MechanismScore& score, std::string_view what, double value, double bar,
          std::string_view relation) {
  score.missed_bars.push_back(
      fmt::format("{} {} is {} {}", what, text_number(value, 3), relation, text_number(bar, 3)));
}

void hold_against(const Bar& bar, MechanismScore& score) {
  const auto at_most = [&](std::string_view what, double value, const std::optional<double>& most) {
    if (most && value > *most) miss(score, what, value, *most, "above");
  };
  if (score.left_out_mean_abs_error)
    at_most("the mean left out", *score.left_out_mean_abs_error, bar.mean);
  else
    at_most("the mean", score.mean_abs_error, bar.mean);
  at_most("the 95th percentile", score.p95_abs_error, bar.p95);
  at_most("the median", score.median_abs_error, bar.median);
  if (score.median_percent_error)
    at_most("the median in percent", *score.median_percent_error, bar.median_percent);
  else if (bar.median_percent)
    score.missed_bars.emplace_back("no median in percent, where 0 was measured");
  if (score.hits && bar.hits && *score.hits < *bar.hits)
    miss(score, "the share of hits", *score.hits, *bar.hits, "below");
}

void hold_against(const Bars& bars, ValidationReport& report) {
  for (const Bar& bar : bars.bars)
    for (MechanismScore& score : report.mechanisms)
      if (score.name == bar.mechanism) hold_against(bar, score);
}

/// Of what a validation is. Names of files stand in its rows.
std::vector<PlanPart> parts_of(const std::vector<fs::path>& files,
                               const std::vector<Validation>& loaded, const Catalog& catalog,
                               const ValidationRun& run) {
  std::string cases, scenarios;
  Diagnostics out;
  for (const fs::path& file : files)
    cases += fmt::format("{}\n{}\n", file.string(),
                         read_text_file(file, kMaxTextSize, out).value_or(""));
  std::set<std::string> seen;
  for (const Validation& file : loaded)
    for (const ValidationCase& one : file.cases)
      if (seen.insert((one.scenario.path.empty() ? file.scenario : one.scenario).path).second)
        scenarios += scenario_of(file, one, catalog).canonical_text();
  std::string asked =
      fmt::format("{} {}\n", run.ranges, run.leave_out ? name_of(*run.leave_out) : "");
  for (const Override& one : run.overrides)
    asked += fmt::format("{}={}\n", text(one.path), one.value);
  for (const FittedLaw& law : run.bars.laws)
    for (const FittedConstant& constant : law.constants)
      asked +=
          fmt::format("{} {} {}\n", law.name, text(constant.path), fmt::join(constant.values, " "));
  return {{"the cases", cases},
          {"their scenarios", scenarios},
          {"what is asked of them", asked},
          {"the catalog", fingerprint(catalog)}};
}

/// Sources of which nothing was known when they were predicted.
std::set<std::string> first_met(const std::vector<FirstContact>& ledger) {
  std::set<std::string> sources;
  for (const FirstContact& one : ledger)
    if (one.counts == 1) sources.insert(one.source);
  return sources;
}

}  // namespace

std::vector<fs::path> case_files(const fs::path& path) {
  if (!fs::exists(path))
    throw InputError({{{path.string(), 0, 0}, "there is no such file or folder"}});
  if (!fs::is_directory(path)) return {path};
  const fs::path inner = path / "cases";
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::is_directory(inner) ? inner : path))
    if (entry.is_regular_file() && entry.path().extension() == ".toml" &&
        entry.path().filename() != "bars.toml")
      files.push_back(entry.path());
  if (files.empty())
    throw InputError({{{path.string(), 0, 0}, "there are no cases (.toml) in this folder"}});
  std::ranges::sort(files);
  return files;
}

Bars bars_for(const fs::path& path, const Catalog& catalog) {
  const fs::path file = path / "bars.toml";
  return fs::is_regular_file(file) ? load_bars(file, catalog) : Bars{};
}

std::vector<FirstContact> ledger_of(const fs::path& path) {
  std::vector<FirstContact> out;
  for (const char* const name : {"first.csv", "taught.csv"})
    if (fs::is_regular_file(path / name))
      std::ranges::move(load_first_contacts(path / name), std::back_inserter(out));
  return out;
}

ValidationReport validate(const std::vector<fs::path>& files, const Catalog& catalog,
                          const ValidationRun& run) {
  const Catalog remembering = catalog.remembering();
  ValidationReport report;
  if (run.leave_out) report.left_out = name_of(*run.leave_out);
  const auto loaded = load_all(files, remembering, report.failures);
  // A file that cannot be read may hold the rows of a bar.
  check_mechanisms(loaded, report.failures.empty() ? run.bars : Bars{});
  std::vector<CaseTask> tasks;
  for (const Validation& file : loaded)
    for (const ValidationCase& one : file.cases) {
      tasks.push_back({&file, &one});
      ++(*one.role == CaseRole::predict ? report.cases : report.fit_cases);
    }
  if (run.pool) run.pool->is_of(parts_of(files, loaded, remembering, run));
  auto outcomes = predict_all(tasks, remembering, run);
  if (run.leave_out) leave_out(*run.leave_out, tasks, remembering, run, outcomes);
  std::vector<ScoredRow> rows;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!outcomes[i].message.empty())
      report.failures.push_back({tasks[i].one->title, outcomes[i].message, outcomes[i].internal});
    std::ranges::move(outcomes[i].rows, std::back_inserter(rows));
  }
  add_baselines(rows);
  for (ScoredRow& scored : rows) report.rows.push_back(std::move(scored.row));
  note_learned(first_met(run.ledger), report.rows);
  report.newest = coverage_of_newest(run.ledger, kNewest);
  report.mechanisms = mechanism_scores(report.rows);
  report.coverage = coverage_of(report.rows);
  report.pairs = pair_score(report.rows);
  hold_against(run.bars, report);
  return report;
}
}  // namespace gpufeed
