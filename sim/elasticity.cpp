// SPDX-License-Identifier: Apache-2.0
#include "sim/elasticity.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/answer/answer.h"
#include "sim/kinds/training/training.h"
#include "sim/plan/make/make_plan.h"

namespace gpufeed {
namespace {

constexpr double kTenthMore = 1.1;
constexpr double kMoreThanEnough = 1000;
constexpr std::int64_t kMostWorkers = 1024;  ///< as Loader::workers_per_gpu
constexpr double kLeastNoise = 0.001;        ///< of a gain that is named

/// The stage that a lever is, where it is one.
std::optional<PathStage> stage_of(Lever lever) {
  switch (lever) {
    case Lever::storage:
      return PathStage::storage;
    case Lever::cores:
      return PathStage::decode;
    case Lever::workers:
      return PathStage::workers;
    case Lever::gpu_decode:
      return PathStage::gpu_decode;
    default:
      return {};
  }
}

class Trial {
 public:
  Trial(const Scenario& scenario, const Result& now)
      : scenario_(scenario), now_(now), plan_(make_plan(scenario)) {
    scenario_.run.once();
    stages_ = stage_limits(plan_, loads_of(plan_));
  }

  Elasticity of_all() {
    struct Tried {
      Lever lever;
      LeverGain gain;
    };
    std::vector<Tried> tried;
    for (const Lever lever : levers_of(plan_)) tried.push_back({lever, gain_of(lever)});
    std::ranges::stable_sort(tried, [](const Tried& a, const Tried& b) {
      return a.gain.gain_per_10pct > b.gain.gain_per_10pct;
    });
    Elasticity out;
    for (const Tried& one : tried) out.levers.push_back(one.gain);
    if (tried.empty() || !tried.front().gain.counts()) return out;
    out.binds = tried.front().gain.resource;
    look_beyond(tried.front().lever, out);
    return out;
  }

 private:
  LeverGain gain_of(Lever lever) {
    Plan copy = plan_;
    const double factor = apply({lever, kTenthMore}, copy);
    const Result more = shifted(lever, kTenthMore);
    const double times = more.throughput_samples_per_s / now_.throughput_samples_per_s;
    const double to_a_tenth = std::log(kTenthMore) / std::log(factor);
    LeverGain gain{std::string(name_of(lever)), "", std::pow(times, to_a_tenth) - 1,
                   noise_of(now_, more, kLeastNoise)};
    if (lever == Lever::storage) gain.resource = stage_name(plan_, PathStage::storage);
    if (const auto kind = stage_of(lever))
      gain.limited_by =
          stage_limiter(plan_, *std::ranges::find(stages_, *kind, &PathStageLimit::kind));
    else if (const auto busiest = busiest_of(lever, plan_))
      gain.limited_by = plan_.resource(*busiest).label;
    return gain;
  }

  Result shifted(Lever lever, double factor) const {
    return simulate_shifted(scenario_, {{lever, factor}});
  }

  /// Without that limit.
  Result freed_of(Lever lever) const {
    if (lever != Lever::workers) return shifted(lever, kMoreThanEnough);
    // too many are worse than enough: each takes its time to start, and all begin at once
    Scenario tried = scenario_;
    std::int64_t& workers = tried.loader.workers_per_gpu.value;
    workers *= 2;
    Result best = simulate_shifted(tried, {});
    for (workers *= 2; workers <= kMostWorkers; workers *= 2) {
      Result more = simulate_shifted(tried, {});
      const double gain = more.throughput_samples_per_s / best.throughput_samples_per_s - 1;
      if (!(gain > noise_of(best, more, kLeastNoise))) break;
      best = std::move(more);
    }
    return best;
  }

  void look_beyond(Lever first, Elasticity& out) const {
    const Result freed = freed_of(first);
    out.next = freed.bottleneck.resource;
    out.distance = freed.throughput_samples_per_s / now_.throughput_samples_per_s;
  }

  Scenario scenario_;
  const Result& now_;
  const Plan plan_;
  std::vector<PathStageLimit> stages_;
};

/// The half width of a result's interval; of one that simulated too little to tell, what the user
/// asked for by default.
double half_width(const Result& result) {
  constexpr double kUnknownWidth = 0.005;
  const double width = result.simulated.step_rate_uncertainty;
  return std::isfinite(width) ? width : kUnknownWidth;
}

}  // namespace

double noise_of(const Result& one, const Result& other, double least) {
  return std::max(least, std::hypot(half_width(one), half_width(other)));
}

Elasticity elasticity_of(const Scenario& scenario, const Result& result) {
  return Trial(scenario, result).of_all();
}

}  // namespace gpufeed
