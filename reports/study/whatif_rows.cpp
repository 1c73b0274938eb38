// SPDX-License-Identifier: Apache-2.0
#include "reports/study/whatif_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reports/writers/phrase_book.h"
#include "reports/writers/phrases.h"
#include "sim/elasticity.h"

namespace gpufeed {
namespace {

/// The difference of two sums, where what is missing from one is missing from the other.
std::optional<double> difference(const std::optional<double>& after,
                                 const std::optional<double>& before,
                                 const std::string& missing_after,
                                 const std::string& missing_before) {
  if (!after || !before || missing_after != missing_before) return {};
  return *after - *before;
}

double count_in(const Result& result, const BillLine& line) {
  double count = 0;
  for (const BillLine& one : result.bill)
    if (one.kind == line.kind && one.name == line.name && one.store == line.store)
      count += one.count;
  return count;
}

/// Parts whose price has a year, and of which `result` has more than `other`.
std::vector<BillLine> more_in(const Result& result, const Result& other) {
  std::vector<BillLine> lines = result.bill;
  std::erase_if(lines, [&](const BillLine& line) {
    return !line.price_year || !is_bought(line, result.rented) ||
           count_in(result, line) <= count_in(other, line);
  });
  return lines;
}

void note_years(const Result& now, const Result& after, WhatIfRow& row) {
  const auto gone = more_in(now, after);
  for (const BillLine& came : more_in(after, now))
    for (const BillLine& line : gone)
      if (line.kind == came.kind && line.store == came.store &&
          line.price_year != came.price_year) {
        row.price_year_before = line.price_year;
        row.price_year_after = came.price_year;
      }
}

/// What warnings claim that are not there now.
std::string new_warnings(const Result& now, const Result& after) {
  std::string said;
  for (const Warning& warning : after.warnings)
    if (std::ranges::count(now.warnings, warning) == 0) said += "; mind: " + claim(warning);
  return said;
}

/// What would never end becomes no more than so many times as fast.
double gain_of(double now, double after) {
  constexpr double kMost = 1e6;
  return now > 0 ? std::min(kMost, after / now - 1) : after > 0 ? kMost : 0;
}

double cost_of(const WhatIfRow& row) {
  return row.is_free ? 0 : row.price_change_USD.value_or(std::numeric_limits<double>::infinity());
}

/// Whether a change gives a rate that nobody would tell from `gain` or a larger one.
bool gives(const WhatIfRow& row, double gain) {
  return 1 + row.gain >= (1 + gain) * (1 - row.noise);
}

/// Whether `other` is a cheaper change of the same subject that gives as much.
bool outdoes(const WhatIfRow& other, const WhatIfRow& row) {
  return other.subject == row.subject && cost_of(other) < cost_of(row) && gives(other, row.gain);
}

/// Of changes of one subject that cost the same, the first that gives as much as the best of them.
std::size_t first_of_equals(const std::vector<WhatIfRow>& rows, const WhatIfRow& row) {
  const auto is_equal = [&](const WhatIfRow& other) {
    return other.subject == row.subject && cost_of(other) == cost_of(row);
  };
  double best = row.gain;
  for (const WhatIfRow& other : rows)
    if (is_equal(other)) best = std::max(best, other.gain);
  const auto found = std::ranges::find_if(
      rows, [&](const WhatIfRow& other) { return is_equal(other) && gives(other, best); });
  return static_cast<std::size_t>(found - rows.begin());
}

}  // namespace

WhatIfFigures figures_of(const Result& result) {
  return {result.job_samples_per_s,
          result.job_gpu_utilization,
          result.throughput_samples_per_s,
          result.accelerator_utilization,
          result.time_to_result_s,
          result.price_USD,
          result.power_W,
          result.without_price,
          result.without_power};
}

std::string held_back(const Result& now, const Result& after) {
  const std::string then = in_words(after.bottleneck.resource);
  if (after.bottleneck.resource == now.bottleneck.resource)
    return then + " still holds the job back";
  return fmt::format("then {} would hold the job back instead of {}", then,
                     in_words(now.bottleneck.resource));
}

WhatIfRow row_of(const Change& change, const Result& now, const Result& after) {
  WhatIfRow row;
  row.change = change.text;
  row.subject = change.subject;
  row.is_free = change.is_free;
  row.sets = change.sets;
  row.why = change.why;
  if (after.bottleneck.resource != now.bottleneck.resource) row.why += "; " + held_back(now, after);
  row.why += new_warnings(now, after);
  row.after = figures_of(after);
  row.throughput_gain = after.throughput_samples_per_s / now.throughput_samples_per_s - 1;
  row.noise = noise_of(now, after, kLeastGain);
  row.gain = gain_of(now.job_samples_per_s, after.job_samples_per_s);
  row.utilization_points = 100 * (after.job_gpu_utilization - now.job_gpu_utilization);
  row.price_change_USD =
      difference(after.price_USD, now.price_USD, after.without_price, now.without_price);
  row.power_change_W =
      difference(after.power_W, now.power_W, after.without_power, now.without_power);
  if (row.price_change_USD && *row.price_change_USD > 0)
    row.gain_per_1000_USD = row.gain / (*row.price_change_USD / 1000);
  note_years(now, after, row);
  if (row.price_year_after)
    row.why += fmt::format("; mind: its price is of {}, that of what it replaces of {}",
                           *row.price_year_after, *row.price_year_before);
  return row;
}

bool helps(const WhatIfRow& row) { return row.gain > row.noise; }

bool saves(const WhatIfRow& row) {
  constexpr double kAsFast = 0.01;
  return row.price_change_USD && *row.price_change_USD < 0 && !row.price_year_after &&
         row.gain >= -std::min(row.noise, kAsFast);
}

WhatIfRank rank_of(const WhatIfRow& row) {
  const int group = row.is_free ? 0 : row.price_change_USD ? 1 : 2;
  // What gives more and costs less than now goes before what has to be paid.
  const bool saves = group == 1 && !row.gain_per_1000_USD;
  const double worth = row.gain_per_1000_USD && group == 1 ? *row.gain_per_1000_USD : row.gain;
  return {group, !saves, -worth};
}

std::vector<WhatIfRow> without_outdone(const std::vector<WhatIfRow>& rows) {
  std::vector<WhatIfRow> kept;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto outdone = [&](const WhatIfRow& other) { return outdoes(other, rows[i]); };
    if (first_of_equals(rows, rows[i]) == i && std::ranges::none_of(rows, outdone))
      kept.push_back(rows[i]);
  }
  return kept;
}

std::vector<WhatIfRow> best_savings(std::vector<WhatIfRow> rows) {
  std::ranges::stable_sort(rows, {}, [](const WhatIfRow& row) { return *row.price_change_USD; });
  std::vector<WhatIfRow> best;
  for (WhatIfRow& row : rows)
    if (std::ranges::count(best, row.subject, &WhatIfRow::subject) == 0)
      best.push_back(std::move(row));
  return best;
}

}  // namespace gpufeed
