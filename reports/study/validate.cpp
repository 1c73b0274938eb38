// SPDX-License-Identifier: Apache-2.0
#include "reports/study/validate.h"

#include <algorithm>
#include <mutex>

#include "reports/study/gpus_busy.h"
#include "reports/study/in_parallel.h"
#include "reports/study/result_value.h"
#include "reports/study/validation_scores.h"
#include "sim/base/fault.h"
#include "sim/base/unit_registry.h"
#include "sim/load/study/validation.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"

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
  std::string message;    ///< why there are none
  bool internal = false;  ///< the fault is ours
};

/// What a search found, and what limits the machine with one more.
struct Found {
  std::int64_t value = 0;
  std::string bottleneck;
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
    std::vector<ScoredRow> rows;
    std::optional<Run> run;
    for (const MeasuredRow& measured : task_.one->measured) {
      if (asks_largest(measured)) {
        rows.push_back(of_search(measured));
        continue;
      }
      if (!run) run = simulated();
      rows.push_back(of_run(measured, *run));
    }
    return rows;
  }

 private:
  struct Run {
    WorkloadKind kind;
    Result result;
  };

  /// Nobody reads here what results rest on, nor how runs differ.
  Scenario loaded(const std::vector<Override>& overrides) const {
    Scenario scenario = source_.load(overrides);
    scenario.run.once();
    return scenario;
  }

  Run simulated() const {
    const Scenario scenario = loaded(overrides_);
    return {scenario.workload.kind(), simulate(scenario)};
  }

  ScoredRow of_run(const MeasuredRow& measured, const Run& run) const {
    ScoredRow out = scored(measured, result_value(run.result, measured.key, measured.where),
                           run.result.bottleneck.resource);
    const GpusBusy busy = gpus_busy(*task_.one, measured, run.kind, run.result);
    out.row.gpus_busy = busy.busy;
    out.row.gpus_busy_by = busy.by;
    return out;
  }

  ScoredRow of_search(const MeasuredRow& measured) {
    const LargestSearch& search = *task_.one->largest;
    if (!found_) found_ = largest(search);
    return scored(measured, static_cast<double>(found_->value * search.times), found_->bottleneck);
  }

  ScoredRow scored(const MeasuredRow& measured, double predicted,
                   const std::string& bottleneck) const {
    const ValidationCase& one = *task_.one;
    ValidationRow row;
    row.title = one.title;
    row.mechanism = measured.mechanism;
    row.key = measured.key;
    row.unit = measured.unit;
    row.score = name_of(measured.score.value_or(ErrorScore::relative));
    row.role = name_of(*measured.role);
    row.measured = measured.value;
    row.spread = measured.spread;
    row.predicted = predicted / *unit_factor(measured.unit);
    row.error = error_of(row, row.predicted);
    row.bottleneck = bottleneck;
    row.group = one.group;
    row.cause = measured.cause;
    row.source = one.source;
    row.file = text(one.where);
    return {std::move(row), measured.baseline};
  }

  Scenario with(const LargestSearch& search, std::int64_t value) const {
    auto overrides = overrides_;
    overrides.push_back({search.path, std::to_string(value),
                         fmt::format("{} largest {}", search.where.file, value), search.where});
    return loaded(overrides);
  }

  /// What limits the machine so that the benchmark does not pass; nothing where it does.
  std::optional<std::string> why_not(const LargestSearch& search, std::int64_t value) const {
    std::optional<Scenario> scenario;
    try {
      scenario = with(search, value);
    } catch (const InputError& error) {
      if (value == 1) throw;
      return error.problems().front().message;  // such as what does not fit the memory
    }
    const Result result = simulate(*scenario);
    if (result_value(result, "benchmark.passes", search.where) > 0) return {};
    return result.bottleneck.resource;
  }

  /// Where to look, between a value that passes (or 0) and one that does not (or is beyond the
  /// search's end): in steps of a quarter until both are known, for more take longer to simulate.
  static std::int64_t between(std::int64_t good, std::int64_t bad, std::int64_t up_to) {
    if (good > 0 && bad <= up_to) return good + (bad - good) / 2;
    if (good > 0) return std::min(good + std::max<std::int64_t>(1, good / 4), up_to);
    return bad - std::max<std::int64_t>(1, bad / 4);
  }

  /// What passes with more passes with less.
  Found largest(const LargestSearch& search) const {
    std::int64_t good = 0, bad = search.up_to + 1;
    std::string limit;
    std::int64_t value = std::min(search.near, search.up_to);
    while (bad - good > 1) {
      const auto found = why_not(search, value);
      (found ? bad : good) = value;
      if (found) limit = *found;
      value = between(good, bad, search.up_to);
    }
    if (good == search.up_to)
      throw InputError(
          {{search.where, fmt::format("the benchmark still passes with {} = {}, where the search "
                                      "ends: raise up_to",
                                      search.path, good)}});
    return {good, limit};
  }

  const Task& task_;
  ScenarioSource source_;
  std::vector<Override> overrides_;
  std::optional<Found> found_;
};

Outcome predict(const Task& task, const Catalog& catalog, const std::vector<Override>& always) {
  const FaultsThrow guard;
  try {
    return {CaseRunner(task, catalog, always).rows(), "", false};
  } catch (const InputError& error) {
    return {{}, in_lines(error), false};
  } catch (const std::exception& error) {
    return {{}, fmt::format("internal error: {}", error.what()), true};
  }
}

/// Predicts all cases, several at a time.
std::vector<Outcome> predict_all(const std::vector<Task>& tasks, const Catalog& catalog,
                                 const ValidationRun& run) {
  std::vector<Outcome> outcomes(tasks.size());
  std::int64_t finished = 0;
  std::mutex mutex;
  in_parallel(tasks.size(), run.jobs, [&](std::size_t i) {
    outcomes[i] = predict(tasks[i], catalog, run.overrides);
    const std::scoped_lock lock(mutex);
    run.progress(++finished, static_cast<std::int64_t>(tasks.size()));
  });
  return outcomes;
}

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
  // A file that cannot be read may hold the rows of a bar.
  check_mechanisms(loaded, report.failures.empty() ? run.bars : Bars{});
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
      report.failures.push_back({tasks[i].one->title, outcomes[i].message, outcomes[i].internal});
    std::ranges::move(outcomes[i].rows, std::back_inserter(rows));
  }
  add_baselines(rows);
  for (ScoredRow& scored : rows) report.rows.push_back(std::move(scored.row));
  report.mechanisms = mechanism_scores(report.rows);
  report.pairs = pair_score(report.rows);
  hold_against(run.bars, report);
  return report;
}
}  // namespace gpufeed
