// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/training/other_shares.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/job/epochs/account.h"
#include "sim/model/scenario.h"
#include "sim/plan/make/sources.h"

namespace gpufeed {
namespace {

/// After so many that tell no difference, none is made.
constexpr std::size_t kFewRuns = 4;

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
  for (std::int64_t run = 1; run < scenario.run.replications; ++run) {
    other.run.seed = scenario.run.seed + (run << 32);
    draw_shares(static_cast<std::uint64_t>(other.run.seed), drawn);
    const Record record = run_job(other, drawn, epochs);
    steps.push_back(account_of(drawn, record, epochs).step_s());
    const auto [least, most] = std::ranges::minmax(steps);
    if (steps.size() > kFewRuns && record.known_to != kUnknown &&
        most <= least * (1 + 2 * std::hypot(record.known_to, record.runs_differ)))
      return 0;
  }
  const Confidence mean = confidence_of(steps);
  // The half width of the difference of two single runs, of which the mean's is a part.
  return mean.half_width * std::sqrt(2 * static_cast<double>(steps.size()));
}

}  // namespace gpufeed
