// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/machine_now.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "calib/replay/replay_plan.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using Times = std::function<std::optional<Seconds>(const MeasuredParts&)>;

std::vector<double> found(const std::vector<MeasuredParts>& moments, const Times& time) {
  std::vector<double> out;
  for (const MeasuredParts& moment : moments)
    if (const auto seconds = time(moment)) out.push_back(seconds->value);
  return out;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::optional<Seconds> mean_of(const std::vector<MeasuredParts>& moments, const Times& time) {
  const auto values = found(moments, time);
  return values.empty() ? std::nullopt : std::optional(Seconds{mean(values)});
}

Times of_loader(Seconds ReplayLoader::*part) {
  return [part](const MeasuredParts& one) {
    return one.loader ? std::optional((*one.loader).*part) : std::nullopt;
  };
}

Times of_reads(std::optional<TimedReads> DriveReads::*which) {
  return [which](const MeasuredParts& one) {
    const auto& reads = one.drive.*which;
    return reads ? std::optional(reads->each) : std::nullopt;
  };
}

/// Of a byte.
std::optional<Seconds> of_copy(const MeasuredParts& one) {
  return one.copy ? std::optional(Seconds{1 / one.copy->now.value}) : std::nullopt;
}

std::optional<Seconds> of_decoder(const MeasuredParts& one) {
  return one.decoder ? std::optional(one.decoder->of_sample) : std::nullopt;
}

void take_mean(const std::vector<MeasuredParts>& moments,
               std::optional<TimedReads> DriveReads::*which, DriveReads& out) {
  const auto each = mean_of(moments, of_reads(which));
  if (!each) return;
  const auto one = std::ranges::find_if(
      moments, [&](const MeasuredParts& moment) { return (moment.drive.*which).has_value(); });
  out.*which = TimedReads{(one->drive.*which)->by, *each};
}

}  // namespace

MeasuredParts measure_parts(const Scenario& scenario, const ReplayPlan& plan) {
  return {{},
          measure_drive(scenario, plan),
          copy_now(scenario, plan.folder),
          decoder_now(scenario, plan)};
}

MeasuredParts mean_of(const std::vector<MeasuredParts>& moments) {
  MeasuredParts out;
  if (const auto start = mean_of(moments, of_loader(&ReplayLoader::worker_start)))
    out.loader = {*start, *mean_of(moments, of_loader(&ReplayLoader::wake)),
                  *mean_of(moments, of_loader(&ReplayLoader::take_over)),
                  *mean_of(moments, of_loader(&ReplayLoader::place))};
  take_mean(moments, &DriveReads::small, out.drive);
  take_mean(moments, &DriveReads::large, out.drive);
  if (const auto byte = mean_of(moments, of_copy)) {
    const auto one = std::ranges::find_if(
        moments, [](const MeasuredParts& moment) { return moment.copy.has_value(); });
    out.copy = CopyNow{{1 / byte->value}, one->copy->calibrated};
  }
  if (const auto sample = mean_of(moments, of_decoder)) out.decoder = {*sample};
  return out;
}

Ratio drift_of(const std::vector<MeasuredParts>& moments) {
  double most = 0;
  for (const Times& time : {of_reads(&DriveReads::small), of_reads(&DriveReads::large),
                            Times(of_copy), Times(of_decoder)}) {
    const auto values = found(moments, time);
    for (const double value : values) most = std::max(most, std::abs(value / mean(values) - 1));
  }
  return {most};
}

}  // namespace gpufeed
