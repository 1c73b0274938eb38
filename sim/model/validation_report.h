// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/field.h"

namespace gpufeed {

/// A measurement and its prediction.
struct ValidationRow {
  std::string title;
  std::string mechanism;
  std::string key;
  std::string unit;
  std::string score;
  std::string role;
  double measured = 0;
  double predicted = 0;
  double error = 0;
  std::optional<double> spread;
  std::optional<bool> gpus_busy;
  std::string gpus_busy_by;
  std::optional<double> baseline;
  std::optional<double> baseline_error;
  std::string baseline_kind;
  std::string bottleneck;
  std::string group;
  std::string cause;
  std::string source;
  std::string file;

  static constexpr auto fields() {
    using R = ValidationRow;
    return std::tuple{
        gpufeed::key<R>("title", &R::title, "of the case"),
        gpufeed::key<R>("mechanism", &R::mechanism, "what it tests"),
        gpufeed::key<R>("key", &R::key, "what was measured"),
        gpufeed::key<R>("unit", &R::unit, "of measured, predicted and baseline"),
        gpufeed::key<R>("score", &R::score, "relative, points or count"),
        gpufeed::key<R>("role", &R::role, "predict; or fit, and it counts in no score"),
        gpufeed::key<R>("measured", &R::measured, "published or measured"),
        gpufeed::key<R>("predicted", &R::predicted, "simulated"),
        gpufeed::key<R>("error", &R::error,
                        "predicted less measured; relative: in percent of measured"),
        gpufeed::key<R>("spread", &R::spread, "standard deviation of measured; null: not known"),
        gpufeed::key<R>("gpus_busy", &R::gpus_busy,
                        "data keep the GPUs busy at least 95 % of the time; null: no row of a run "
                        "of GPUs"),
        gpufeed::key<R>("gpus_busy_by", &R::gpus_busy_by,
                        "what tells it: measured utilization, measured rate, simulated waiting"),
        gpufeed::key<R>("baseline", &R::baseline, "what the baseline says; null: there is none"),
        gpufeed::key<R>("baseline_error", &R::baseline_error, "its error, counted alike"),
        gpufeed::key<R>("baseline_kind", &R::baseline_kind, "constant, linear, narrowest, ..."),
        gpufeed::key<R>("bottleneck", &R::bottleneck, "what limits the simulated machine"),
        gpufeed::key<R>("group", &R::group, "of cases that are compared in pairs"),
        gpufeed::key<R>("cause", &R::cause, "why the prediction misses, where somebody said so"),
        gpufeed::key<R>("source", &R::source, "where it was measured"),
        gpufeed::key<R>("file", &R::file, "and line of the case")};
  }
};

/// The errors of some rows: percent, points or counts.
struct ErrorSummary {
  std::int64_t cases = 0;
  double mean_abs_error = 0;
  double median_abs_error = 0;
  double p95_abs_error = 0;
  double mean_error = 0;
  std::optional<double> baseline_mean_abs_error;
  std::optional<double> over_baseline;

  static constexpr auto fields() {
    using S = ErrorSummary;
    return std::tuple{
        key<S>("cases", &S::cases, "rows that count"),
        key<S>("mean_abs_error", &S::mean_abs_error, "mean size of the error"),
        key<S>("median_abs_error", &S::median_abs_error, "half of the errors are no larger"),
        key<S>("p95_abs_error", &S::p95_abs_error, "95 % of the errors are no larger"),
        key<S>("mean_error", &S::mean_error, "with its sign: above 0 where predictions are high"),
        key<S>("baseline_mean_abs_error", &S::baseline_mean_abs_error,
               "of the baseline, over the rows that have one; null: none has"),
        key<S>("over_baseline", &S::over_baseline,
               "mean error over the baseline's, over the rows that have one")};
  }
};

/// The errors of all rows of a mechanism whose role is predict.
struct MechanismScore : ErrorSummary {
  std::string name;
  std::string score;
  std::optional<double> hits;
  std::optional<double> median_percent_error;
  std::optional<ErrorSummary> gpus_busy;
  std::optional<ErrorSummary> gpus_wait;
  std::vector<std::string> missed_bars;

  static constexpr auto fields() {
    using S = MechanismScore;
    const std::tuple name{key<S>("name", &S::name, "of the mechanism"),
                          key<S>("score", &S::score,
                                 "how errors are counted: relative (in percent), points or count")};
    const std::tuple own{
        key<S>("hits", &S::hits, "counts: share within 1 or 5 %, in percent; null for others"),
        key<S>("median_percent_error", &S::median_percent_error,
               "counts: the median error in percent of what was measured; null for others"),
        key<S>("gpus_busy", &S::gpus_busy,
               "of the rows in which data keep the GPUs busy; null: there are none"),
        key<S>("gpus_wait", &S::gpus_wait,
               "of the rows in which GPUs wait for data; null: there are none"),
        key<S>("missed_bars", &S::missed_bars, "what it should reach and does not, in words")};
    return std::tuple_cat(name, ErrorSummary::fields(), own);
  }
};

/// A case of which nothing is known.
struct FailedCase {
  std::string title;
  std::string message;
  bool internal = false;

  static constexpr auto fields() {
    return std::tuple{key<FailedCase>("title", &FailedCase::title, "of the case, or its file"),
                      key<FailedCase>("message", &FailedCase::message, "why it has no prediction"),
                      key<FailedCase>("internal", &FailedCase::internal,
                                      "the fault is gpufeed's, not the case's")};
  }
};

/// Rows of one group and key, more than 5 % apart: is the better one named rightly?
struct PairScore {
  std::int64_t pairs = 0;
  std::int64_t right = 0;
  std::vector<std::string> wrong;

  static constexpr auto fields() {
    return std::tuple{key<PairScore>("pairs", &PairScore::pairs, "compared"),
                      key<PairScore>("right", &PairScore::right, "in the measured order"),
                      key<PairScore>("wrong", &PairScore::wrong, "those that are not")};
  }
};

/// What `gpufeed validate` found out.
struct ValidationReport {
  std::string version;
  std::int64_t cases = 0;
  std::int64_t fit_cases = 0;
  std::vector<MechanismScore> mechanisms;
  PairScore pairs;
  std::vector<FailedCase> failures;
  std::vector<ValidationRow> rows;

  static constexpr auto fields() {
    using R = ValidationReport;
    return std::tuple{
        key<R>("version", &R::version, "of gpufeed"),
        key<R>("cases", &R::cases, "whose role is predict"),
        key<R>("fit_cases", &R::fit_cases, "that have fed a parameter, and do not count"),
        key<R>("mechanisms", &R::mechanisms, "scores, in the order of their names"),
        key<R>("pairs", &R::pairs, "the better of two configurations"),
        key<R>("failures", &R::failures, "cases that could not be read or run"),
        key<R>("rows", &R::rows, "every measurement with its prediction")};
  }
};

}  // namespace gpufeed
