// SPDX-License-Identifier: Apache-2.0
#include "sim/job/precision.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/job/counted_steps.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// Where few readers march in an order of theirs.
constexpr double kBestInOrder = 1;

/// Where no pace lasts: in a step of those simulated.
void tell_mean_step(Record& record) {
  const auto steps = static_cast<double>(record.steps);
  record.step_time = {record.end.value / steps, kUnknown};
  for (auto& gpu : record.steady_spent)
    for (double& part : gpu) part /= steps;
}

/// What is read tells the pace whatever the sizes were; the whole of a run has those that it has.
/// \param steps  of the run whose sizes count, as if each of them were of other samples
double sizes_vary(const Record& record, const FinishedRun& ran, double steps) {
  if (!gpus_wait(record.step_time.mean, fed_step(ran.plan).value, ran.stop.precision.value))
    return 0;
  constexpr double kNormal = 1.96;
  const auto all = static_cast<double>(ran.epochs.steps);
  return kNormal * (ran.plan.sample_size_deviation / ran.plan.sample_size) *
         std::sqrt(steps / all / (all * ran.plan.global_batch()));
}

}  // namespace

std::size_t effort_of_batch(const Plan& plan) {
  std::set<int> kinds;
  for (const GpuPlan& gpu : plan.gpus) kinds.insert(gpu.share.eighths);
  return std::max<std::size_t>(1, kinds.size());
}

void EpochsMean::look(const std::vector<Seconds>& ends, std::size_t whole, double batches) {
  std::vector<double> times;
  Seconds start{};
  for (std::size_t epoch = 0; epoch < whole; ++epoch) {
    times.push_back((ends[epoch] - start).value);
    start = ends[epoch];
  }
  half_width_ = confidence_of(times).half_width;
  if (whole < next_look_) return;
  constexpr double kMore = 1.5;
  next_look_ = static_cast<std::size_t>(std::lround(kMore * static_cast<double>(whole)));
  const double precision = worth_knowing(precision_, half_width_, batches);
  const bool known = half_width_ <= precision;
  enough_ = known && (known_before_ || half_width_ <= kBestPrecision * precision);
  known_before_ = known;
}

void tell_steady_step(Record& record, const FinishedRun& ran) {
  record.step_time = {record.first_step_end.value, kUnknown};
  record.steady_spent = record.spent;
  if (record.steps < 2) return;
  if (!ran.epochs.hits.flat()) return tell_mean_step(record);
  record.step_time = ran.steady.step_time();
  const bool segments = ran.spent_at.size() > ran.steady.warm_up() + 1;
  const std::size_t from = segments ? ran.steady.warm_up() : 0;
  const std::int64_t steps =
      segments ? std::ssize(ran.spent_at) - 1 - static_cast<std::int64_t>(from) : record.steps - 1;
  const double counted = static_cast<double>(segments ? steps * segment_steps(ran.plan) : steps);
  const auto& until = segments ? ran.spent_at.back() : record.spent;
  for (std::size_t g = 0; g < record.steady_spent.size(); ++g)
    for (std::size_t a = 0; a < kActivities; ++a)
      record.steady_spent[g][a] = (until[g][a] - ran.spent_at[from][g][a]) / counted;
}

void tell_precision(Record& record, const FinishedRun& ran) {
  const auto all = static_cast<double>(ran.epochs.steps);
  const auto simulated = static_cast<double>(record.steps);
  double known = record.step_time.half_width;
  auto used = static_cast<double>(ran.steady.used_steps());
  if (!record.cut && record.epochs_known < known) {
    known = record.epochs_known;
    used = simulated;
  }
  if (known == kUnknown) return;
  const double one_step = known * std::sqrt(used);
  const double left = std::max(0.0, 1 - simulated / all);
  const double least =
      (ran.least_steps > 0 ? kBestInOrder : kBestPrecision) * ran.stop.precision.value;
  record.known_to = std::max(std::hypot(known * left + one_step * std::sqrt(simulated) / all,
                                        sizes_vary(record, ran, std::min(simulated, all))),
                             least);
  record.runs_differ = std::hypot(one_step / std::sqrt(all), sizes_vary(record, ran, all));
}

}  // namespace gpufeed
