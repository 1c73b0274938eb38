// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/training/assumptions.h"

#include <cmath>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"

namespace gpufeed {
namespace {

/// Whether a framework that trains replicas in step would decide how gradients travel.
bool leaves_it_open(const Scenario& scenario, const Plan& plan) {
  const Exchange& exchange = scenario.exchange;
  const auto* training = scenario.workload.find<kind::Training>();
  return training && !training->framework && scenario.usual_framework && plan.synchronous &&
         plan.gpus.size() > 1 && !plan.exchange.empty() && !exchange.overlap.given &&
         !exchange.bucket && exchange.algorithm != Algorithm::parameter_server &&
         gpus_per_replica(scenario) == 1;
}

struct FillOpen {
  template <class T>
  void operator()(Defaulted<T>& key, T value, std::string_view) const {
    if (!key.given) key.value = value;
  }
  template <class T>
  void operator()(std::optional<T>& key, T value, std::string_view) const {
    if (!key) key = value;
  }
};

/// Few nodes that stand for all tell it in a time that does not grow with these.
Seconds step_of(const Scenario& scenario) {
  return undisturbed_step(make_plan_to_read(scenario, traffic_of(scenario)));
}

}  // namespace

std::vector<Assumption> assumptions_of(const Scenario& scenario, const Plan& plan) {
  constexpr double kHardly = 0.01;
  if (!leaves_it_open(scenario, plan)) return {};
  const Framework& usual = *scenario.usual_framework;
  const bool jitter_given = scenario.workload.get<kind::Training>().step_jitter.given;
  Scenario named = scenario;
  fill_from(usual, named, FillOpen());
  const Seconds step = plan.nodes == 1 ? undisturbed_step(plan) : step_of(scenario);
  const double gain = step / step_of(named) - 1;
  if (std::abs(gain) < kHardly) return {};
  using enum AssumptionCode;
  return {jitter_given ? fact<no_framework_but_jitter>(usual.name, gain)
                       : fact<no_framework>(usual.name, gain)};
}

}  // namespace gpufeed
