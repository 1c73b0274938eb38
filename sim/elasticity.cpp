// SPDX-License-Identifier: Apache-2.0
#include "sim/elasticity.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
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

/// What a result calls it; storage: as its plan does.
Limiter name_of_lever(Lever lever, const Plan& plan) {
  using enum LimiterCode;
  switch (lever) {
    case Lever::storage:
      return stage_name(plan, PathStage::storage);
    case Lever::storage_latency:
      return fact<storage_latency>();
    case Lever::network:
      return fact<network>();
    case Lever::pcie:
      return fact<pcie>();
    case Lever::socket_link:
      return fact<socket_links>();
    case Lever::memory:
      return fact<memory>();
    case Lever::nvlink:
      return fact<nvlink>();
    case Lever::staged_copies:
      return fact<staged_copies>();
    case Lever::exchange_latency:
      return fact<exchange_latency>();
    case Lever::cores:
      return fact<cpu_cores>();
    case Lever::core_speed:
      return fact<core_speed>();
    case Lever::workers:
      return fact<loader_workers>();
    case Lever::process:
      return fact<loader_process>();
    case Lever::gpu_decode:
      return fact<gpu_decode>();
    case Lever::compute:
      return fact<gpu_compute>();
  }
  return {};
}

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
    std::multimap<double, Tried, std::greater<>> tried;  // by gain, equal ones as they were tried
    for (const Lever lever : levers_of(plan_)) {
      const LeverGain gain = gain_of(lever);
      tried.emplace(gain.gain_per_10pct, Tried{lever, gain});
    }
    Elasticity out;
    for (const auto& [gain, one] : tried) out.levers.push_back(one.gain);
    if (out.levers.empty() || !out.levers.front().counts()) return out;
    out.binds = out.levers.front().resource;
    look_beyond(tried.begin()->second.lever, out);
    return out;
  }

 private:
  LeverGain gain_of(Lever lever) {
    Plan copy = plan_;
    const double factor = apply({lever, kTenthMore}, copy);
    const Result more = shifted(lever, kTenthMore);
    const double times = more.throughput_samples_per_s / now_.throughput_samples_per_s;
    const double to_a_tenth = std::log(kTenthMore) / std::log(factor);
    LeverGain gain{name_of_lever(lever, plan_),
                   {},
                   std::pow(times, to_a_tenth) - 1,
                   noise_of(now_, more, kLeastNoise)};
    if (const auto kind = stage_of(lever))
      gain.limit = stage_limiter(plan_, *std::ranges::find(stages_, *kind, &PathStageLimit::kind));
    else if (const auto busiest = busiest_of(lever, plan_))
      gain.limit = fact<LimiterCode::parts>(std::vector{plan_.resource(*busiest).label});
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
