// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/failures/failure_answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/model/compute.h"
#include "sim/model/failures/goodput.h"
#include "sim/model/failures/machine.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// A job that failures make so many times as long is told never to end.
constexpr double kHopeless = 1e4;

void add_stores(const Scenario& scenario, FailureRate& rate) {
  for (std::size_t s = 0; s < scenario.store.size(); ++s) {
    const auto is_it = [&](const PartRef& at) {
      return at.is(PartKind::store) && static_cast<std::size_t>((*at).number) == s;
    };
    if (!is_it(scenario.data.at) && !(scenario.checkpoint && is_it(scenario.checkpoint->at)))
      continue;
    const Array& model = *scenario.store.at(s).model;
    const auto mtbf = scenario.failures->store_mtbf ? scenario.failures->store_mtbf : model.mtbf;
    if (mtbf)
      rate.rate += 1 / mtbf->value;
    else
      rate.unknown.push_back(model.title);
  }
}

FailureRate rate_of(const Scenario& scenario, const Plan& plan) {
  FailureRate rate;
  const auto of_node = [&](std::int64_t node) {
    return failures_per_second(*scenario.system, gpus_of_node(scenario, node));
  };
  if (scenario.failures->mtbf)
    rate.rate = 1 / scenario.failures->mtbf->value;
  else
    rate = of_node(0);
  if (scenario.failures->mtbf || !is_uneven(scenario))
    rate.rate *= static_cast<double>(plan.nodes);
  else
    for (std::int64_t node = 1; node < plan.nodes; ++node) rate.rate += of_node(node).rate;
  add_stores(scenario, rate);
  return rate;
}

}  // namespace

void answer_failures(const Scenario& scenario, const Plan& plan, Result& result) {
  if (!scenario.failures) return;
  const FailureRate rate = rate_of(scenario, plan);
  const bool saves = result.checkpoint && result.checkpoint->count > 0;
  const CheckpointUse use = saves ? *result.checkpoint : CheckpointUse{};
  FailureTimes times{1 / rate.rate, scenario.failures->restart.value, std::max(0.0, use.cost_s)};
  if (saves) times.restart += use.restart_s;
  const double restart = times.restart;
  if (saves && scenario.checkpoint->mode == CheckpointMode::asynchronous)
    times.restart += std::max(0.0, use.write_s - use.pause_s);

  const auto count = static_cast<double>(use.count);
  FailureCost cost;
  cost.mtbf_s = times.between;
  cost.checkpoints_s = times.checkpoint * count;
  const double work = std::max(0.0, result.training_s - cost.checkpoints_s);
  Stretches stretches{count, 0, work};
  const double step = work / static_cast<double>(plan.steps);
  if (saves) {
    cost.interval_s = step * static_cast<double>(scenario.checkpoint->interval_steps);
    stretches.length = *cost.interval_s + times.checkpoint;
    stretches.last = std::max(0.0, work - *cost.interval_s * count);
    cost.best_interval_s = best_interval(times);
    cost.best_interval_steps =
        std::max<std::int64_t>(1, std::llround(*cost.best_interval_s / step));
    cost.best_goodput = goodput(step * static_cast<double>(*cost.best_interval_steps), times);
    cost.free_goodput = goodput(0, {times.between, times.restart, 0});
  }
  double time = time_through(stretches, times);
  if (time > kHopeless * (work + cost.checkpoints_s))
    time = std::numeric_limits<double>::infinity();
  cost.time_s = result.before_training_s() + time;
  cost.count = time / times.between;
  cost.goodput = work / time;
  cost.restarts_s = cost.count * times.between * -std::expm1(-restart / times.between);
  cost.lost_s = std::isfinite(time)
                    ? std::max(0.0, time - work - cost.checkpoints_s - cost.restarts_s)
                    : time;
  cost.without_mtbf = fmt::format("{}", fmt::join(rate.unknown, ", "));
  result.failures = cost;
  result.time_to_result_s = cost.time_s;
}

double times_longer_by_failures(const Result& result) {
  if (!result.failures || !(result.training_s > 0)) return 1;
  return (result.time_to_result_s - result.before_training_s()) / result.training_s;
}

}  // namespace gpufeed
