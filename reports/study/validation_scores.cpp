// SPDX-License-Identifier: Apache-2.0
#include "reports/study/validation_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/study/coverage.h"
#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

bool counts(const ValidationRow& row) { return row.role == name_of(CaseRole::predict); }

/// Whether `other` helps to tell the constant of a row: rows of a mechanism with one formula, of
/// other systems. Rows of one system are not what somebody knows who has not seen it.
bool shares_constant(const ScoredRow& scored, const ScoredRow& other) {
  const std::string& system = scored.row.system;
  return (system.empty() || other.row.system != system) && other.baseline &&
         other.baseline->kind == BaselineKind::constant && counts(other.row) && &other != &scored &&
         other.row.mechanism == scored.row.mechanism &&
         other.baseline->formula == scored.baseline->formula;
}

/// What the baseline of a row says; nothing where a mean would have no other rows.
std::optional<double> baseline_value(const ScoredRow& scored, const std::vector<ScoredRow>& rows) {
  const Baseline& baseline = *scored.baseline;
  if (baseline.value) return *baseline.value * baseline.times;
  double sum = 0;
  int others = 0;
  for (const ScoredRow& other : rows) {
    if (!shares_constant(scored, other)) continue;
    sum += other.row.measured / other.baseline->times;
    ++others;
  }
  if (others == 0) return {};
  return sum / others * baseline.times;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// None and one are different answers, however near.
bool is_hit(const ValidationRow& row) {
  if ((row.measured == 0) != (row.predicted == 0)) return false;
  return std::abs(row.error) <= std::max(1.0, 0.05 * row.measured);
}

using Rows = std::vector<const ValidationRow*>;

ErrorSummary summary_of(const Rows& rows) {
  ErrorSummary summary;
  summary.cases = static_cast<std::int64_t>(rows.size());
  std::vector<double> signed_errors, errors, left_out, beside, baselines;
  for (const ValidationRow* row : rows) {
    signed_errors.push_back(row->error);
    errors.push_back(std::abs(row->error));
    if (row->left_out_error) left_out.push_back(std::abs(*row->left_out_error));
    if (!row->baseline_error) continue;
    beside.push_back(std::abs(row->error));
    baselines.push_back(std::abs(*row->baseline_error));
  }
  summary.mean_abs_error = mean(errors);
  summary.median_abs_error = median(errors);
  summary.p95_abs_error = quantile(errors, 0.95);
  summary.mean_error = mean(signed_errors);
  if (!left_out.empty()) summary.left_out_mean_abs_error = mean(left_out);
  if (baselines.empty()) return summary;
  summary.baseline_mean_abs_error = mean(baselines);
  if (*summary.baseline_mean_abs_error > 0)
    summary.over_baseline = mean(beside) / *summary.baseline_mean_abs_error;
  return summary;
}

/// Hits, and errors in percent where all was more than 0.
void add_counts(MechanismScore& score, const Rows& rows) {
  std::vector<double> percent;
  for (const ValidationRow* row : rows)
    if (row->measured > 0) percent.push_back(100 * std::abs(row->error) / row->measured);
  const auto hits = std::ranges::count_if(rows, [](const auto* row) { return is_hit(*row); });
  score.hits = 100 * static_cast<double>(hits) / static_cast<double>(rows.size());
  if (percent.size() == rows.size()) score.median_percent_error = median(std::move(percent));
}

std::optional<ErrorSummary> summary_where(const Rows& rows, bool busy) {
  Rows some;
  std::ranges::copy_if(rows, std::back_inserter(some),
                       [&](const auto* row) { return row->gpus_busy == busy; });
  if (some.empty()) return {};
  return summary_of(some);
}

MechanismScore score_of(const std::string& name, const Rows& rows) {
  MechanismScore score{summary_of(rows), name, rows.front()->score, {}, {}, {}, {}, {}, {}};
  if (score.score == name_of(ErrorScore::count)) add_counts(score, rows);
  score.gpus_busy = summary_where(rows, true);
  score.gpus_wait = summary_where(rows, false);
  score.coverage = coverage_of(rows);
  return score;
}

/// Whether two rows are of the same kind, and far enough apart for one to be better.
bool are_compared(const ValidationRow& a, const ValidationRow& b) {
  if (a.group.empty() || a.group != b.group || a.key != b.key || a.mechanism != b.mechanism)
    return false;
  const double less = std::min(a.measured, b.measured), more = std::max(a.measured, b.measured);
  return counts(a) && counts(b) && less > 0 && more > 1.05 * less;
}

}  // namespace

double error_of(const ValidationRow& row, double value) {
  const double difference = value - row.measured;
  return row.score == name_of(ErrorScore::relative) ? 100 * difference / row.measured : difference;
}

void add_baselines(std::vector<ScoredRow>& rows) {
  for (ScoredRow& scored : rows) {
    if (!scored.baseline) continue;
    scored.row.baseline_kind = name_of(scored.baseline->kind);
    scored.row.baseline = baseline_value(scored, rows);
    if (scored.row.baseline) scored.row.baseline_error = error_of(scored.row, *scored.row.baseline);
  }
}

std::vector<MechanismScore> mechanism_scores(const std::vector<ValidationRow>& rows) {
  std::map<std::string, Rows> by_name;
  for (const ValidationRow& row : rows)
    if (counts(row)) by_name[row.mechanism].push_back(&row);
  std::vector<MechanismScore> scores;
  scores.reserve(by_name.size());
  for (const auto& [name, group] : by_name) scores.push_back(score_of(name, group));
  return scores;
}

PairScore pair_score(const std::vector<ValidationRow>& rows) {
  PairScore score;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (!are_compared(rows[i], rows[j])) continue;
      ++score.pairs;
      const bool order = rows[i].measured > rows[j].measured;
      if (rows[i].predicted != rows[j].predicted &&
          (rows[i].predicted > rows[j].predicted) == order)
        ++score.right;
      else
        score.wrong.push_back(
            fmt::format("{}: {} | {}", rows[i].group, rows[j].title, rows[i].title));
    }
  return score;
}

}  // namespace gpufeed
