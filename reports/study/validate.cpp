// SPDX-License-Identifier: Apache-2.0
#include "reports/study/validate.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "reports/study/result_value.h"
#include "reports/study/validation_scores.h"
#include "sim/load/validation.h"
#include "sim/training/simulate.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

/// A case and the file that it is in.
struct Task {
  const Validation* file;
  const ValidationCase* one;
};

/// What became of a case.
struct Outcome {
  std::vector<ScoredRow> rows;
  std::string message;  ///< why there are none
};

std::string in_lines(const InputError& error) {
  std::string out;
  for (const auto& problem : error.problems())
    out += fmt::format("{}{}: {}", out.empty() ? "" : "\n", text(problem.where), problem.message);
  return out;
}

/// Predicts one case.
class CaseRunner {
 public:
  CaseRunner(const Task& task, const Catalog& catalog, const std::vector<Override>& always)
      : task_(task),
        source_(scenario_of(*task.file, *task.one, catalog, always)),
        overrides_(overrides_of(*task.one)) {
    // Many simulations at a time need the engine that is made for it.
    overrides_.push_back({"run.engine", "\"fluid\"", "--engine fluid"});
  }

  std::vector<ScoredRow> rows() {
    const Result result = simulate(source_.load(overrides_));
    std::vector<ScoredRow> rows;
    for (const MeasuredRow& measured : task_.one->measured)
      rows.push_back(scored(measured, result));
    return rows;
  }

 private:
  ScoredRow scored(const MeasuredRow& measured, const Result& result) {
    const ValidationCase& one = *task_.one;
    ValidationRow row;
    row.title = one.title;
    row.mechanism = measured.mechanism;
    row.key = measured.key;
    row.unit = measured.unit;
    row.score = name_of(measured.score.value_or(ErrorScore::relative));
    row.role = name_of(*one.role);
    row.measured = measured.value;
    row.spread = measured.spread;
    row.predicted = predicted(measured, result) / *unit_factor(measured.unit);
    row.error = error_of(row, row.predicted);
    row.bottleneck = result.bottleneck.resource;
    row.group = one.group;
    row.cause = measured.cause;
    row.source = one.source;
    row.file = text(one.where);
    return {std::move(row), measured.baseline};
  }

  double predicted(const MeasuredRow& measured, const Result& result) {
    if (measured.key != "largest") return result_value(result, measured.key, measured.where);
    if (!task_.one->largest)
      throw InputError({{measured.where, "\"largest\" needs the case's key largest"}});
    return static_cast<double>(largest(*task_.one->largest));
  }

  bool passes(const LargestSearch& search, std::int64_t value) const {
    auto overrides = overrides_;
    overrides.push_back({search.path, std::to_string(value),
                         fmt::format("{} largest {}", search.where.file, value), search.where});
    return result_value(simulate(source_.load(overrides)), "benchmark.passes", search.where) > 0;
  }

  /// By halving: what passes with more passes with less.
  std::int64_t largest(const LargestSearch& search) const {
    std::int64_t good = 0, bad = search.up_to + 1;
    while (bad - good > 1) {
      const std::int64_t middle = good + (bad - good) / 2;
      (passes(search, middle) ? good : bad) = middle;
    }
    return good;
  }

  const Task& task_;
  ScenarioSource source_;
  std::vector<Override> overrides_;
};

Outcome predict(const Task& task, const Catalog& catalog, const std::vector<Override>& always) {
  try {
    return {CaseRunner(task, catalog, always).rows(), ""};
  } catch (const InputError& error) {
    return {{}, in_lines(error)};
  } catch (const std::exception& error) {
    return {{}, fmt::format("internal error: {}", error.what())};
  }
}

/// Predicts all cases, several at a time.
std::vector<Outcome> predict_all(const std::vector<Task>& tasks, const Catalog& catalog,
                                 const ValidationRun& run) {
  std::vector<Outcome> outcomes(tasks.size());
  std::atomic<std::size_t> next = 0;
  std::int64_t finished = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      outcomes[i] = predict(tasks[i], catalog, run.overrides);
      const std::scoped_lock lock(mutex);
      run.progress(++finished, static_cast<std::int64_t>(tasks.size()));
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::min<std::size_t>(run.jobs, tasks.size()); ++i)
    threads.emplace_back(work);
  threads.clear();
  return outcomes;
}

/// The files that can be read; the others are failures.
std::vector<Validation> load_all(const std::vector<fs::path>& files, const Catalog& catalog,
                                 std::vector<FailedCase>& failures) {
  std::vector<Validation> loaded;
  for (const auto& file : files) try {
      loaded.push_back(load_validation(file, catalog));
    } catch (const InputError& error) {
      failures.push_back({file.lexically_normal().string(), in_lines(error)});
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
  at_most("the mean", score.mean_abs_error, bar.mean);
  at_most("the 95th percentile", score.p95_abs_error, bar.p95);
  at_most("the median", score.median_abs_error, bar.median);
  if (bar.hits && score.hits.value_or(0) < *bar.hits)
    miss(score, "the share of hits", score.hits.value_or(0), *bar.hits, "below");
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

ValidationReport validate(const std::vector<fs::path>& files, const Catalog& catalog,
                          const ValidationRun& run) {
  const Catalog remembering = catalog.remembering();
  ValidationReport report;
  const auto loaded = load_all(files, remembering, report.failures);
  std::vector<Task> tasks;
  for (const Validation& file : loaded)
    for (const ValidationCase& one : file.cases) {
      tasks.push_back({&file, &one});
      ++(*one.role == CaseRole::predict ? report.cases : report.fit_cases);
    }
  auto outcomes = predict_all(tasks, remembering, run);
  std::vector<ScoredRow> rows;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!outcomes[i].message.empty())
      report.failures.push_back({tasks[i].one->title, outcomes[i].message});
    std::ranges::move(outcomes[i].rows, std::back_inserter(rows));
  }
  add_baselines(rows);
  for (ScoredRow& scored : rows) report.rows.push_back(std::move(scored.row));
  report.mechanisms = mechanism_scores(report.rows);
  report.pairs = pair_score(report.rows);
  return report;
}

void hold_against(const Bars& bars, ValidationReport& report) {
  for (const Bar& bar : bars.bars)
    for (MechanismScore& score : report.mechanisms)
      if (score.name == bar.mechanism) hold_against(bar, score);
}

}  // namespace gpufeed
