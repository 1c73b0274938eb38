// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/training/answer.h"

namespace gpufeed {
namespace {

/// From the last batch's passing the place that sets the pace to the end of its step.
Seconds tail(const Plan& plan, const Record& record) {
  if (record.pace == Pace::trained) return {};
  const auto batch = static_cast<double>(plan.batch);
  const bool read = record.pace == Pace::read && !plan.decodes_while_reading;
  const Seconds decode =
      read ? plan.decode * (batch / static_cast<double>(plan.threads)) : Seconds{};
  const Seconds step = undisturbed_step(plan);
  if (plan.gpus.front().copy < 0) return decode + step;
  const Route& copy = plan.route(plan.gpus.front().copy);
  return decode + copy.latency + plan.input_size * batch / solo_rate(plan, copy) + step;
}

/// When `steps` are trained if no GPU waits for data any more: a stock may outlast its epoch.
double trained_at_best(const Plan& plan, const Record& record, std::int64_t steps) {
  if (!plan.synchronous) return 0;
  return record.end.value +
         static_cast<double>(steps - record.steps) * undisturbed_step(plan).value;
}

struct Score {
  double utilization = 0, v1 = 0, later = 0;
};

Score score_of(const Plan& plan, const Record& record, double epoch_s, std::int64_t steps) {
  const double n = static_cast<double>(steps);
  const double counted = epoch_s - record.first_step_own.value;
  const double samples = plan.global_batch();
  if (counted <= 0) return {0, n * samples / epoch_s, 0};
  return {(n - 1) * plan.nominal_compute.value / counted, n * samples / epoch_s,
          std::max(0.0, n - 2) * samples / counted};
}

}  // namespace

EpochTimes epoch_times(const Plan& plan, const Record& record, std::int64_t steps) {
  const double step = record.step_time.mean;
  const std::int64_t per_epoch = plan.steps_per_epoch;
  if (record.epoch_ends.empty()) {
    const double filled = static_cast<double>(std::min(per_epoch, steps)) * step;
    const double fill =
        std::max(record.end.value - record.passed * step + tail(plan, record).value,
                 trained_at_best(plan, record, std::min(per_epoch, steps)) - filled);
    const std::int64_t fills = plan.synchronous ? (steps + per_epoch - 1) / per_epoch : 1;
    return {filled + fill, plan.synchronous ? filled + fill : filled,
            static_cast<double>(steps) * step + static_cast<double>(fills) * fill};
  }
  const auto epochs = static_cast<std::int64_t>(record.epoch_ends.size());
  const double first = record.epoch_ends.front().value;
  const double last = record.epoch_ends.back().value;
  const double per_step = last / static_cast<double>(std::min(steps, epochs * per_epoch));
  return {first, epochs > 1 ? (last - first) / static_cast<double>(epochs - 1) : last,
          record.end.value + static_cast<double>(steps - record.steps) * per_step};
}

BenchmarkScore benchmark_score(const Plan& plan, const Outcome& outcome, Ratio threshold) {
  const Record& start = outcome.first_epoch ? *outcome.first_epoch : outcome.record;
  const std::int64_t per_epoch = std::min(plan.steps_per_epoch, plan.steps);
  const std::int64_t left = plan.steps - per_epoch;
  const double epochs = static_cast<double>(plan.epochs);
  const double first_s =
      epoch_times(plan, start, outcome.first_epoch ? per_epoch : plan.steps).first;
  const Score first = score_of(plan, start, first_s, per_epoch);
  Score later = first;
  if (outcome.first_epoch)
    later = score_of(plan, outcome.record, epoch_times(plan, outcome.record, left).first,
                     std::min(per_epoch, left));
  const auto mean = [&](double Score::*part) {
    return (first.*part + (epochs - 1) * later.*part) / epochs;
  };
  constexpr double kMiB = 1048576;
  BenchmarkScore score;
  score.utilization_v1 = mean(&Score::utilization);
  score.throughput_v1_samples_per_s = mean(&Score::v1);
  score.throughput_v1_MiBps = mean(&Score::v1) * plan.sample_size.value / kMiB;
  score.throughput_later_samples_per_s = mean(&Score::later);
  score.first_step_s = start.first_step_own.value;
  score.threshold = threshold.value;
  score.passes = score.utilization_v1 >= threshold.value;
  return score;
}

}  // namespace gpufeed
