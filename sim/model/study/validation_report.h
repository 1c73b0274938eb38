// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/field.h"
#include "sim/model/fields/mechanism.h"

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
  std::optional<double> p10;
  std::optional<double> p90;
  std::optional<bool> learned;
  std::optional<Mechanism> predicted_by;
  Steps steps;
  double parameters = 0;
  std::optional<double> spread;
  std::optional<double> left_out;
  std::optional<double> left_out_error;
  std::string system;
  std::string family;
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

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using R = ValidationRow;
    visit(gpufeed::key<R>("title", &R::title, "of the case"));
    visit(gpufeed::key<R>("mechanism", &R::mechanism, "what it tests"));
    visit(gpufeed::key<R>("key", &R::key, "what was measured"));
    visit(gpufeed::key<R>("unit", &R::unit, "of measured, predicted and baseline"));
    visit(gpufeed::key<R>("score", &R::score, "relative, points or count"));
    visit(gpufeed::key<R>("role", &R::role, "predict; or fit, and it counts in no score"));
    visit(gpufeed::key<R>("measured", &R::measured, "published or measured"));
    visit(gpufeed::key<R>("predicted", &R::predicted, "simulated"));
    visit(gpufeed::key<R>("error", &R::error,
                          "predicted less measured; relative: in percent of measured"));
    visit(gpufeed::key<R>("p10", &R::p10,
                          "a tenth of what is measured lies below; null: no interval was asked "
                          "for, or the key has none"));
    visit(gpufeed::key<R>("p90", &R::p90, "a tenth lies above"));
    visit(gpufeed::key<R>("learned", &R::learned,
                          "the ledger of first contacts has this source; null where there is no "
                          "interval"));
    visit(gpufeed::key<R>("predicted_by", &R::predicted_by,
                          "the law that the value rests on most; null where there is no interval"));
    visit(gpufeed::key<R>("steps", &R::steps, "in what it lies outside what was measured"));
    visit(gpufeed::key<R>("parameters", &R::parameters,
                          "deviation of its logarithm by the scenario's own values"));
    visit(gpufeed::key<R>("spread", &R::spread, "standard deviation of measured; null: not known"));
    visit(gpufeed::key<R>("left_out", &R::left_out,
                          "simulated with constants that were fitted without the row's system or "
                          "family; null: the mechanism has none, or nobody asked"));
    visit(gpufeed::key<R>("left_out_error", &R::left_out_error, "its error, counted alike"));
    visit(gpufeed::key<R>("system", &R::system, "the machine"));
    visit(gpufeed::key<R>("family", &R::family, "the network, or the operation"));
    visit(
        gpufeed::key<R>("gpus_busy", &R::gpus_busy,
                        "data keep the GPUs busy at least 95 % of the time; null: no row of a run "
                        "of GPUs"));
    visit(gpufeed::key<R>("gpus_busy_by", &R::gpus_busy_by,
                          "what tells it: measured utilization, measured rate, simulated waiting"));
    visit(gpufeed::key<R>("baseline", &R::baseline, "what the baseline says; null: there is none"));
    visit(gpufeed::key<R>("baseline_error", &R::baseline_error, "its error, counted alike"));
    visit(gpufeed::key<R>("baseline_kind", &R::baseline_kind, "constant, linear, narrowest, ..."));
    visit(gpufeed::key<R>("bottleneck", &R::bottleneck, "what limits the simulated machine"));
    visit(gpufeed::key<R>("group", &R::group, "of cases that are compared in pairs"));
    visit(gpufeed::key<R>("cause", &R::cause, "why the prediction misses, where somebody said so"));
    visit(gpufeed::key<R>("source", &R::source, "where it was measured"));
    visit(gpufeed::key<R>("file", &R::file, "and line of the case"));
  }
};

/// The errors of some rows: percent, points or counts.
struct ErrorSummary {
  std::int64_t cases = 0;
  double mean_abs_error = 0;
  double median_abs_error = 0;
  double p95_abs_error = 0;
  double mean_error = 0;
  std::optional<double> left_out_mean_abs_error;
  std::optional<double> baseline_mean_abs_error;
  std::optional<double> over_baseline;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using S = ErrorSummary;
    visit(key("cases", &S::cases, "rows that count"));
    visit(key("mean_abs_error", &S::mean_abs_error, "mean size of the error"));
    visit(key("median_abs_error", &S::median_abs_error, "half of the errors are no larger"));
    visit(key("p95_abs_error", &S::p95_abs_error, "95 % of the errors are no larger"));
    visit(key("mean_error", &S::mean_error, "with its sign: above 0 where predictions are high"));
    visit(key("left_out_mean_abs_error", &S::left_out_mean_abs_error,
              "of rows with constants that were fitted without their system or family; null: none "
              "has such"));
    visit(key("baseline_mean_abs_error", &S::baseline_mean_abs_error,
              "of the baseline, over the rows that have one; null: none has"));
    visit(key("over_baseline", &S::over_baseline,
              "mean error over the baseline's, over the rows that have one"));
  }
};

/// Of the prediction intervals of some rows, those that taught them among them.
struct Coverage {
  std::int64_t rows = 0;
  std::int64_t sources = 0;
  double within = 0;
  double within_by_source = 0;
  double below = 0;
  double above = 0;
  double median_half_width = 0;
  double interval_score = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("rows", &Coverage::rows, "that have an interval, and whose role is predict"));
    visit(key("sources", &Coverage::sources, "of these rows; fewer than five prove little"));
    visit(key("within", &Coverage::within,
              "percent of what was measured that lies between the 10th and the 90th percentile"));
    visit(key("within_by_source", &Coverage::within_by_source,
              "the same, where every source counts once"));
    visit(key("below", &Coverage::below, "percent of what was measured that lies below"));
    visit(key("above", &Coverage::above, "and above"));
    visit(key("median_half_width", &Coverage::median_half_width,
              "of the intervals, in percent of what is predicted"));
    visit(key("interval_score", &Coverage::interval_score,
              "mean over sources, of logarithms: the width, and ten times the distance of what "
              "lies outside (Gneiting and Raftery, 2007); less is better, and width buys none"));
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
  std::optional<Coverage> coverage;
  std::vector<std::string> missed_bars;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using S = MechanismScore;
    visit(key("name", &S::name, "of the mechanism"));
    visit(
        key("score", &S::score, "how errors are counted: relative (in percent), points or count"));
    ErrorSummary::fields(visit);
    visit(key("hits", &S::hits, "counts: share within 1 or 5 %, in percent; null for others"));
    visit(key("median_percent_error", &S::median_percent_error,
              "counts: the median error in percent of what was measured; null for others"));
    visit(key("gpus_busy", &S::gpus_busy,
              "of the rows in which data keep the GPUs busy; null: there are none"));
    visit(key("gpus_wait", &S::gpus_wait,
              "of the rows in which GPUs wait for data; null: there are none"));
    visit(key("coverage", &S::coverage, "of its ranges; null: it has none"));
    visit(key("missed_bars", &S::missed_bars, "what it should reach and does not, in words"));
  }
};

/// A case of which nothing is known.
struct FailedCase {
  std::string title;
  std::string message;
  bool internal = false;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("title", &FailedCase::title, "of the case, or its file"));
    visit(key("message", &FailedCase::message, "why it has no prediction"));
    visit(key("internal", &FailedCase::internal, "the fault is gpufeed's, not the case's"));
  }
};

/// Rows of one group and key, more than 5 % apart: is the better one named rightly?
struct PairScore {
  std::int64_t pairs = 0;
  std::int64_t right = 0;
  std::vector<std::string> wrong;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("pairs", &PairScore::pairs, "compared"));
    visit(key("right", &PairScore::right, "in the measured order"));
    visit(key("wrong", &PairScore::wrong, "those that are not"));
  }
};

/// What `gpufeed validate` found out.
struct ValidationReport {
  std::string version;
  std::string left_out;
  std::int64_t cases = 0;
  std::int64_t fit_cases = 0;
  std::vector<MechanismScore> mechanisms;
  std::optional<Coverage> coverage;
  std::optional<Coverage> newest;
  PairScore pairs;
  std::vector<FailedCase> failures;
  std::vector<ValidationRow> rows;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using R = ValidationReport;
    visit(key("version", &R::version, "of gpufeed"));
    visit(key("left_out", &R::left_out,
              "system or family: what constants were fitted anew without; empty: they were not"));
    visit(key("cases", &R::cases, "whose role is predict"));
    visit(key("fit_cases", &R::fit_cases, "that have fed a parameter, and do not count"));
    visit(key("mechanisms", &R::mechanisms, "scores, in the order of their names"));
    visit(key("coverage", &R::coverage, "of all ranges; null: there are none"));
    visit(
        key("newest", &R::newest,
            "of the last ten sources that were predicted before anything of them was seen, by the "
            "ranges that all others teach; null: no ledger of first contacts"));
    visit(key("pairs", &R::pairs, "the better of two configurations"));
    visit(key("failures", &R::failures, "cases that could not be read or run"));
    visit(key("rows", &R::rows, "every measurement with its prediction"));
  }
};

}  // namespace gpufeed
