// SPDX-License-Identifier: Apache-2.0
#include "reports/study/case_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "reports/study/coverage.h"
#include "reports/study/gpus_busy.h"
#include "reports/study/in_parallel.h"
#include "reports/study/result_value.h"
#include "reports/study/study_pool.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/pooled_json.h"
#include "sim/base/fault.h"
#include "sim/base/unit_registry.h"
#include "sim/job/epochs/run_memory.h"
#include "sim/load/study/validation.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"

namespace gpufeed {
namespace {

/// What a search found, and what limits the machine with one more.
struct Found {
  std::int64_t value = 0;
  std::string bottleneck;
};

/// Predicts one case.
class CaseRunner {
 public:
  CaseRunner(const CaseTask& task, const Catalog& catalog, const ValidationRun& run)
      : task_(task),
        ranges_(run.ranges),
        source_(scenario_of(*task.file, *task.one, catalog)),
        overrides_(overrides_of(*task.one)) {
    // After the case's own, for one of those may exchange the part that a constant belongs to.
    const std::size_t own = overrides_.size();
    for (const Override& constant : run.overrides)
      if (std::none_of(overrides_.begin(), overrides_.begin() + static_cast<std::ptrdiff_t>(own),
                       [&](const Override& one) { return one.path == constant.path; }))
        overrides_.push_back(constant);
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
    std::string system;
    std::string family;
  };

  /// Nobody reads here how runs differ.
  Scenario loaded(const std::vector<Override>& overrides) const {
    Scenario scenario = source_.load(overrides);
    scenario.run.once();
    return scenario;
  }

  Run simulated() const {
    Scenario scenario = loaded(overrides_);
    if (ranges_) scenario.run.range_samples = gpufeed::Run{}.range_samples;
    return {scenario.workload.kind(), simulate(scenario), scenario.system->title,
            family_of(scenario.workload)};
  }

  /// The network by its title; of a benchmark that trains none, what it reads.
  static std::string family_of(const Workload& workload) {
    if (const auto* emulated = workload.find<kind::Emulated>()) return emulated->dataset.name;
    const auto* feeds = workload.find<FeedsGpus>();
    if (!feeds || !feeds->model) return std::string(name_of(workload.kind()));
    return feeds->model->title;
  }

  ScoredRow of_run(const MeasuredRow& measured, const Run& run) const {
    ScoredRow out = scored(measured, result_value(run.result, measured.key, measured.where),
                           in_words(run.result.bottleneck.resource));
    add_interval(run.result, out.row);
    const GpusBusy busy = gpus_busy(*task_.one, measured, run.kind, run.result);
    out.row.gpus_busy = busy.busy;
    out.row.gpus_busy_by = busy.by;
    out.row.system = run.system;
    out.row.family = run.family;
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
      return sentence(error.problems().front());  // such as what does not fit the memory
    }
    const Result result = simulate(*scenario);
    if (result_value(result, "benchmark.passes", search.where) > 0) return {};
    return in_words(result.bottleneck.resource);
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
                                      text(search.path), good)}});
    return {good, limit};
  }

  const CaseTask& task_;
  bool ranges_;
  ScenarioSource source_;
  std::vector<Override> overrides_;
  std::optional<Found> found_;
};

/// \param memory  of the runs of other cases: many ask several things of one job
CaseOutcome predict(const CaseTask& task, const Catalog& catalog, const ValidationRun& run,
                    RunMemory& memory) {
  const FaultsThrow guard;
  const RunMemory::InUse in_use(memory);
  try {
    return {CaseRunner(task, catalog, run).rows(), "", false};
  } catch (const InputError& error) {
    return {{}, in_lines(error), false};
  } catch (const std::exception& error) {
    return {{}, fmt::format("internal error: {}", error.what()), true};
  }
}

}  // namespace

std::string in_lines(const InputError& error) {
  std::string out;
  for (const auto& problem : error.problems())
    out += fmt::format("{}{}: {}", out.empty() ? "" : "\n", text(problem.where), sentence(problem));
  return out;
}

namespace {

PooledCase told_of(CaseOutcome outcome) {
  PooledCase told{{}, std::move(outcome.message), outcome.internal};
  for (ScoredRow& scored : outcome.rows) told.rows.push_back(std::move(scored.row));
  return told;
}

/// A case has a row for each measurement.
CaseOutcome outcome_of(PooledCase told, const ValidationCase& one) {
  CaseOutcome outcome{{}, std::move(told.message), told.internal};
  for (std::size_t i = 0; i < told.rows.size() && i < one.measured.size(); ++i)
    outcome.rows.push_back({std::move(told.rows[i]), one.measured[i].baseline});
  return outcome;
}

}  // namespace

/// Predicts all cases, several at a time.
std::vector<CaseOutcome> predict_all(const std::vector<CaseTask>& tasks, const Catalog& catalog,
                                     const ValidationRun& run) {
  std::vector<CaseOutcome> outcomes(tasks.size());
  RunMemory memory;
  const auto of = static_cast<std::int64_t>(tasks.size());
  if (run.pool) {
    const auto told = run.pool->round(
        tasks.size(), run.jobs,
        [&](std::size_t i) { return to_json(told_of(predict(tasks[i], catalog, run, memory))); },
        [&](std::int64_t finished) { run.progress(finished, of); });
    for (std::size_t i = 0; i < tasks.size(); ++i)
      outcomes[i] = outcome_of(pooled_case_from_json(told[i]), *tasks[i].one);
    return outcomes;
  }
  std::int64_t finished = 0;
  std::mutex mutex;
  in_parallel(tasks.size(), run.jobs, [&](std::size_t i) {
    outcomes[i] = predict(tasks[i], catalog, run, memory);
    const std::scoped_lock lock(mutex);
    run.progress(++finished, of);
  });
  return outcomes;
}

}  // namespace gpufeed
