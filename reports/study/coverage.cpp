// SPDX-License-Identifier: Apache-2.0
#include "reports/study/coverage.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

#include "sim/base/numbers/statistics.h"
#include "sim/model/study/validation.h"

namespace gpufeed {
namespace {

bool is_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  return problem == std::errc{} && rest == end;
}

/// The only key in an expression, where it is not divided by; else empty.
std::string_view only_key(std::string_view expression) {
  std::string_view key, rest = expression;
  bool divides = false;
  while (true) {
    const std::size_t end = std::min(rest.find(" * "), rest.find(" / "));
    const std::string_view factor = rest.substr(0, end);
    if (!is_number(factor)) {
      if (divides || !key.empty()) return {};
      key = factor;
    }
    if (end == std::string_view::npos) return key;
    divides = rest[end + 1] == '/';
    rest.remove_prefix(end + 3);
  }
}

/// Of logarithms: the width, and what lies outside by 2 / (1 - level).
double interval_score(const ValidationRow& row) {
  constexpr double kTimes = 10;
  const double low = std::log(*row.p10), high = std::log(*row.p90);
  const double at = std::log(std::max(row.measured, 1e-300));
  return high - low + kTimes * (std::max(0.0, low - at) + std::max(0.0, at - high));
}

/// Of the rows of one source.
struct OfSource {
  double rows = 0, within = 0, score = 0;
};

}  // namespace

void add_interval(const Result& result, ValidationRow& row) {
  const std::string_view key = only_key(row.key);
  const auto& all = result.prediction_intervals;
  const auto found = std::ranges::find(all, key, &PredictionInterval::of);
  if (found == all.end()) return;
  row.p10 = row.predicted * (found->p10 / found->p50);
  row.p90 = row.predicted * (found->p90 / found->p50);
  row.predicted_by = found->mechanism;
  row.steps = result.steps;
  row.parameters = found->parameters;
}

void note_learned(const std::set<std::string>& sources, std::vector<ValidationRow>& rows) {
  for (ValidationRow& row : rows)
    if (row.p10) row.learned = sources.contains(row.source);
}

std::optional<Coverage> coverage_of(const std::vector<const ValidationRow*>& rows) {
  Coverage out;
  std::map<std::string_view, OfSource> sources;
  std::vector<double> widths;
  for (const ValidationRow* row : rows) {
    if (!row->p10 || row->role != name_of(CaseRole::predict)) continue;
    ++out.rows;
    const bool below = row->measured < *row->p10;
    const bool above = row->measured > *row->p90;
    out.below += below;
    out.above += above;
    OfSource& source = sources[row->source];
    ++source.rows;
    source.within += !below && !above;
    source.score += interval_score(*row);
    widths.push_back(100 * (*row->p90 - *row->p10) / 2 / row->predicted);
  }
  if (out.rows == 0) return {};
  out.sources = std::ssize(sources);
  for (const auto& [name, source] : sources) {
    out.within += source.within;
    out.within_by_source += source.within / source.rows;
    out.interval_score += source.score / source.rows;
  }
  const auto percent = [](double& sum, std::int64_t of) { sum *= 100 / static_cast<double>(of); };
  for (double* sum : {&out.within, &out.below, &out.above}) percent(*sum, out.rows);
  percent(out.within_by_source, out.sources);
  out.interval_score /= static_cast<double>(out.sources);
  out.median_half_width = median(std::move(widths));
  return out;
}

std::optional<Coverage> coverage_of(const std::vector<ValidationRow>& rows) {
  std::vector<const ValidationRow*> all;
  all.reserve(rows.size());
  for (const auto& row : rows) all.push_back(&row);
  return coverage_of(all);
}

}  // namespace gpufeed
