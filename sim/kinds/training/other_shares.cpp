// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/training/other_shares.h"

#include <cmath>
#include <vector>

#include "sim/base/numbers/statistics.h"
#include "sim/job/epochs/account.h"
#include "sim/job/epochs/stretch.h"
#include "sim/job/precision.h"
#include "sim/model/scenario.h"
#include "sim/plan/reader_shares.h"

namespace gpufeed {
namespace {

/// As many as tell that runs differ by less than the precision.
constexpr std::size_t kLeastRuns = 3;
/// After so many that differ no more than chance makes each, none is made.
constexpr std::size_t kFewRuns = 4;
/// And where each takes long, so many tell enough; in batches of readers that share evenly.
constexpr double kMostEffort = 1e6;
constexpr double kRounding = 1e-10;  ///< of a relative variance

double square(double x) { return x * x; }

/// Variance of a run's step time because of its random numbers alone, relative. Half widths are
/// about two standard deviations.
double own_variance(const Record& record) {
  return (square(record.known_to) + square(record.runs_differ)) / 4;
}

/// Of the step time, between so many runs, relative.
double variance_between(const Confidence& mean, double runs) {
  return square(mean.half_width / t_quantile(runs - 1)) * runs;
}

/// The half width of the difference of two single runs.
double half_width(double variance, double runs) {
  return t_quantile(runs - 1) * std::sqrt(2 * std::max(0.0, variance));
}

}  // namespace

double other_shares(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                    double step_s) {
  if (!scenario.run.store_shares || scenario.run.replications < 2) return 0;
  if (plan.share_deviation.value == 0 || plan.gpus.size() < 2) return 0;
  Scenario other = scenario;
  other.run.extrapolate = true;
  other.run.timeline = false;
  Plan drawn = plan;
  std::vector<double> steps{step_s};
  double own = 0;  // summed over the runs here
  double excess = 0;
  double effort = 0;
  const auto of_step = static_cast<double>(plan.gpus.size() * effort_of_batch(plan));
  for (std::int64_t run = 1; run < scenario.run.replications; ++run) {
    other.run.seed = scenario.run.seed + (run << 32);
    draw_shares(static_cast<std::uint64_t>(other.run.seed), drawn);
    const Record record = run_alike_epochs(other, drawn, epochs);
    steps.push_back(account_of(drawn, record, epochs).step_s());
    own += own_variance(record);
    const auto runs = static_cast<double>(steps.size());
    const double between = variance_between(confidence_of(steps), runs);
    if (steps.size() >= kLeastRuns && half_width(between, runs) <= scenario.run.precision.value)
      return half_width(between, runs);
    excess = between - (std::isfinite(own) ? own / static_cast<double>(run) : 0);
    if (steps.size() > kFewRuns && excess <= kRounding) return 0;
    effort += static_cast<double>(record.simulated) * of_step;
    if (steps.size() >= kFewRuns && effort > kMostEffort) break;
  }
  return half_width(excess, static_cast<double>(steps.size()));
}

}  // namespace gpufeed
