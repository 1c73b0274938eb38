// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/validation_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/units.h"

namespace gpufeed {
namespace {

/// A mechanism should be this much better than its baseline.
constexpr double kEarned = 0.7;

std::string_view unit_of(std::string_view score) {
  if (score == "relative") return " %";
  return score == "points" ? " points" : "";
}

}  // namespace

std::string amount(std::string_view score, double error) {
  return fmt::format("{:.2f}{}", error, unit_of(score));
}

std::string error_text(const ValidationRow& row, double error) {
  if (row.score == "count") return fmt::format("{:+.0f}", error);
  return row.score == "relative" ? fmt::format("{:+.1f} %", error) : fmt::format("{:+.2f}", error);
}

std::string number_of(double value) { return text_number(value, 5); }

std::string verdict(const MechanismScore& score) {
  if (!score.missed_bars.empty()) return "misses";
  if (score.over_baseline && *score.over_baseline > kEarned) return "no better";
  return "";
}

std::string hits_text(const MechanismScore& score) {
  if (!score.hits) return "";
  std::string out = fmt::format("{:.0f} % of {} hit", *score.hits, score.cases);
  if (score.median_percent_error)
    out += fmt::format(", median error {:.1f} %", *score.median_percent_error);
  return out;
}

std::string coverage_text(const std::optional<Coverage>& coverage) {
  if (!coverage) return "";
  return fmt::format("{:.0f} % of {} within +-{} %, {:.0f} % by source of {}", coverage->within,
                     coverage->rows, text_number(coverage->median_half_width, 2),
                     coverage->within_by_source, coverage->sources);
}

std::string newest_text(const ValidationReport& report) {
  if (!report.newest) return "";
  const Coverage& newest = *report.newest;
  return fmt::format(
      "Of the last {} sources, predicted before anything of them was seen, {:.0f} % of the values "
      "({:.0f} % where every source counts once; {} values) lie in the 80 % prediction interval "
      "that all other sources teach; half its width is {} % in the median, the interval score {}.",
      newest.sources, newest.within, newest.within_by_source, newest.rows,
      text_number(newest.median_half_width, 2), text_number(newest.interval_score, 3));
}

std::string common_to_all(const MechanismScore& score) {
  const auto is_all = [&](const auto& part) { return part && part->cases == score.cases; };
  if (is_all(score.gpus_busy)) return "data keep the GPUs busy in all rows";
  return is_all(score.gpus_wait) ? "GPUs wait for data in all rows" : "";
}

std::vector<PartOfScore> parts_of(const MechanismScore& score) {
  std::vector<PartOfScore> parts;
  if (!common_to_all(score).empty()) return parts;
  if (score.gpus_busy) parts.push_back({"data keep the GPUs busy", &*score.gpus_busy});
  if (score.gpus_wait) parts.push_back({"GPUs wait for data", &*score.gpus_wait});
  return parts;
}

std::string baseline_text(std::string_view score, const ErrorSummary& errors) {
  return errors.baseline_mean_abs_error ? amount(score, *errors.baseline_mean_abs_error) : "";
}

std::string bias_text(std::string_view score, const ErrorSummary& errors) {
  return fmt::format("{:+.2f}{}", errors.mean_error, unit_of(score));
}

std::string ratio_text(const ErrorSummary& errors) {
  return errors.over_baseline ? fmt::format("{:.2f}", *errors.over_baseline) : "";
}

std::vector<const ValidationRow*> largest_misses(const ValidationReport& report, std::size_t most) {
  std::vector<const ValidationRow*> all;
  for (const auto& score : report.mechanisms) {
    std::vector<const ValidationRow*> rows;
    for (const auto& row : report.rows)
      if (row.mechanism == score.name && row.role == "predict" &&
          std::abs(row.error) > 2 * score.mean_abs_error)
        rows.push_back(&row);
    std::ranges::stable_sort(
        rows, [](const auto* a, const auto* b) { return std::abs(a->error) > std::abs(b->error); });
    rows.resize(std::min(rows.size(), most));
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace gpufeed
