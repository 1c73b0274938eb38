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
