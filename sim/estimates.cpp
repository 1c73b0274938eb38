// SPDX-License-Identifier: Apache-2.0
#include "sim/estimates.h"

#include <algorithm>
#include <cmath>

#include "sim/model/estimated.h"
#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"

namespace gpufeed {
namespace {

constexpr double kCounts = 0.01;     ///< a change of the throughput that is named
constexpr double kNearLimit = 0.85;  ///< a load from which on a stage may hold others back

/// What a plan says of a rate before it is simulated.
struct Outlook {
  double bound = 0;
  std::vector<double> stages;  ///< capacities
  double checkpoint_s = 0;     ///< of writing one, alone
};

double checkpoint_s(const Plan& plan) {
  if (!plan.checkpoint) return 0;
  ExchangePhase all;
  for (const auto& writer : plan.checkpoint->writers) {
    all.flows.push_back({writer.copy, writer.size});
    for (const auto& piece : writer.pieces) all.flows.push_back({piece.route, piece.size});
  }
  return PhaseTimes(plan).of(all).value;
}

Outlook outlook_of(const Scenario& scenario) {
  const Plan plan = make_plan(scenario);
  Outlook out{throughput_bound(plan).rate.value, {}, checkpoint_s(plan)};
  for (const auto& stage : stage_limits(plan, loads_of(plan)))
    out.stages.push_back(stage.capacity.value);
  return out;
}

bool differ(double a, double b) { return a != b && !(std::abs(a - b) <= kCounts * std::max(a, b)); }

class Finder {
 public:
  Finder(const Scenario& scenario, const Result& result,
         const std::function<Result(const Scenario&)>& simulate)
      : scenario_(scenario),
        now_(result.throughput_samples_per_s),
        simulate_(simulate),
        before_(outlook_of(scenario)) {
    scenario_.run.once();
  }

  std::vector<std::string> find(double deviation) {
    const auto names = estimated_values(scenario_);
    struct Found {
      std::string name;
      double effect;
    };
    std::vector<Found> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
      double effect = 0;
      for (const double factor : {1 + deviation, 1 - deviation})
        effect = std::max(effect, effect_of(with_estimate(scenario_, i, factor)));
      if (effect > kCounts) found.push_back({names[i], effect});
    }
    std::ranges::stable_sort(found,
                             [](const Found& a, const Found& b) { return a.effect > b.effect; });
    std::vector<std::string> out;
    out.reserve(found.size());
    for (auto& one : found) out.push_back(std::move(one.name));
    return out;
  }

 private:
  /// The change of the throughput, at least.
  double effect_of(const Scenario& other) const {
    const Outlook outlook = outlook_of(other);
    const double lost = 1 - outlook.bound / now_;
    if (lost > kCounts) return lost;
    return may_matter(outlook) ? std::abs(simulate_(other).throughput_samples_per_s / now_ - 1) : 0;
  }

  bool may_matter(const Outlook& outlook) const {
    if (differ(outlook.checkpoint_s, before_.checkpoint_s)) return true;
    for (std::size_t i = 0; i < outlook.stages.size(); ++i) {
      const double least = std::min(outlook.stages[i], before_.stages[i]);
      if (differ(outlook.stages[i], before_.stages[i]) && now_ > kNearLimit * least) return true;
    }
    return false;
  }

  Scenario scenario_;
  double now_;
  const std::function<Result(const Scenario&)>& simulate_;
  Outlook before_;
};

}  // namespace

std::vector<std::string> estimates_behind(const Scenario& scenario, const Result& result,
                                          const std::function<Result(const Scenario&)>& simulate) {
  return Finder(scenario, result, simulate).find(scenario.run.estimate_deviation.value);
}

}  // namespace gpufeed
