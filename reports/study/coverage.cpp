// SPDX-License-Identifier: Apache-2.0
#include "reports/study/coverage.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "sim/base/numbers/statistics.h"
#include "sim/model/study/validation.h"

namespace gpufeed {
namespace {

/// An interval over what it is of.
struct Relative {
  double low = 1, high = 1;
};

Relative relative(const Interval80& interval, double of) {
  return {interval.p10 / of, interval.p90 / of};
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
  return std::ranges::count(keys, key) > 0;
}

std::optional<Relative> range_for(const Result& result, std::string_view key) {
  const Range& range = *result.range;
  if (is_one_of(key, {"throughput_samples_per_s", "steady_samples_per_s",
                      "benchmark.throughput_v1_samples_per_s",
                      "benchmark.throughput_later_samples_per_s"}))
    return relative(range.throughput_samples_per_s, result.throughput_samples_per_s);
  if (is_one_of(key, {"accelerator_utilization", "benchmark.utilization_v1"}))
    return relative(range.accelerator_utilization, result.accelerator_utilization);
  if (is_one_of(key, {"training_s", "time_to_result_s"}))
    return relative(range.time_to_result_s, result.time_to_result_s);
  return {};
}

}  // namespace

void add_range(const Result& result, ValidationRow& row) {
  if (!result.range) return;
  const auto range = range_for(result, row.key);
  if (!range) return;
  row.p10 = row.predicted * range->low;
  row.p90 = row.predicted * range->high;
}

void split_systems(std::vector<ValidationRow>& rows) {
  std::map<std::string, std::set<std::string>> systems;
  for (const auto& row : rows)
    if (row.p10) systems[row.mechanism].insert(row.system);
  for (auto& row : rows) {
    if (!row.p10) continue;
    const auto& of_mechanism = systems[row.mechanism];
    const auto number = std::distance(of_mechanism.begin(), of_mechanism.find(row.system));
    row.learned = number % 2 == 0;
  }
}

std::optional<Coverage> coverage_of(const std::vector<const ValidationRow*>& rows) {
  Coverage out;
  std::vector<double> widths;
  for (const ValidationRow* row : rows) {
    if (!row->p10 || *row->learned || row->role != name_of(CaseRole::predict)) continue;
    ++out.rows;
    out.within += *row->p10 <= row->measured && row->measured <= *row->p90;
    widths.push_back(100 * (*row->p90 - *row->p10) / 2 / row->predicted);
  }
  if (out.rows == 0) return {};
  out.within *= 100 / static_cast<double>(out.rows);
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
