// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/answer/answer.h"

namespace gpufeed {
namespace {

struct Score {
  double utilization = 0, v1 = 0, later = 0;
};

Score score_of(const Plan& plan, const EpochsAccount& account, std::int64_t steps) {
  const double epoch_s = account.trained.first_s;
  const double n = static_cast<double>(steps);
  const double counted = epoch_s - account.first_step_own_s;
  const double samples = plan.global_batch();
  if (counted <= 0) return {0, n * samples / epoch_s, 0};
  return {(n - 1) * plan.nominal_compute.value / counted, n * samples / epoch_s,
          std::max(0.0, n - 2) * samples / counted};
}

}  // namespace

BenchmarkScore benchmark_score(const Plan& plan, const Outcome& outcome, Ratio threshold) {
  const std::int64_t per_epoch = std::min(plan.steps_per_epoch, plan.steps);
  const double epochs = static_cast<double>(plan.epochs);
  const EpochsAccount& start = outcome.first ? *outcome.first : outcome.epochs;
  const Score first = score_of(plan, start, per_epoch);
  Score later = first;
  if (outcome.first)
    later = score_of(plan, outcome.epochs, std::min(per_epoch, outcome.epochs.steps));
  const auto mean = [&](double Score::*part) {
    return (first.*part + (epochs - 1) * later.*part) / epochs;
  };
  constexpr double kMiB = 1048576;
  BenchmarkScore score;
  score.utilization_v1 = mean(&Score::utilization);
  score.throughput_v1_samples_per_s = mean(&Score::v1);
  score.throughput_v1_MiBps = mean(&Score::v1) * plan.sample_size.value / kMiB;
  score.throughput_later_samples_per_s = mean(&Score::later);
  score.first_step_s = start.first_step_own_s;
  score.threshold = threshold.value;
  score.passes = score.utilization_v1 >= threshold.value;
  return score;
}

}  // namespace gpufeed
