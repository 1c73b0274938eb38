// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epoch_times.h"

#include <algorithm>

#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// From the last batch's passing the place that sets the pace to the end of its step.
Seconds tail(const Plan& plan, const Record& record) {
  if (record.pace == Pace::trained) return {};
  const auto batch = static_cast<double>(plan.batch);
  const bool read = record.pace == Pace::read && !plan.decodes_while_reading;
  const Seconds decode =
      read ? plan.decode * (batch / static_cast<double>(plan.loader.threads_per_batch)) : Seconds{};
  const Seconds step = undisturbed_step(plan);
  if (!plan.gpus.front().copy) return decode + step;
  const Route& copy = plan.route(*plan.gpus.front().copy);
  return decode + copy.latency + plan.input_size * batch / solo_rate(plan.graph, copy) + step;
}

/// When `steps` are trained if no GPU waits for data any more: a stock may outlast its epoch.
double trained_at_best(const Plan& plan, const Record& record, std::int64_t steps) {
  if (!plan.synchronous) return 0;
  return record.end.value +
         static_cast<double>(steps - record.steps) * undisturbed_step(plan).value;
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

}  // namespace gpufeed
