// SPDX-License-Identifier: Apache-2.0
#include "reports/study/observables.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/plan/make/loader_shape.h"
#include "sim/plan/reading.h"

namespace gpufeed {
namespace {

constexpr double kDefaultSpread = 0.05;  ///< of the value seen
constexpr double kSimulated = 0.01;      ///< how well a simulation is known at best, relative

/// Where the keys of `Observed` stand in its fields.
enum Key : std::size_t {
  utilization,
  samples,
  read_bandwidth,
  read_rate,
  network,
  cores,
  memory,
  save,
  load,
  kKeys
};

template <class T>
Observation observation_of(std::string_view name, const std::optional<Seen<T>>& seen) {
  Observation out;
  out.name = name;
  if constexpr (std::same_as<T, Bandwidth>) out.unit = "B/s";
  if constexpr (std::same_as<T, Rate>) out.unit = "1/s";
  const auto number = [](const T& value) {
    if constexpr (std::same_as<T, double>)
      return value;
    else
      return value.value;
  };
  if (!seen) return out;
  out.seen = number(seen->value);
  out.spread = seen->spread ? number(*seen->spread) : kDefaultSpread * *out.seen;
  return out;
}

/// The load of a node's resources of a kind, where there are any that `wanted` lets through.
template <class Wanted>
std::optional<double> used_of(const Result& result, std::string_view kind, Wanted wanted) {
  std::optional<double> sum;
  for (const auto& use : result.resources)
    if (use.kind == kind && wanted(use)) sum = sum.value_or(0) + use.capacity * use.utilization;
  return sum;
}

/// In deviations, those of what was seen and of the simulation together.
double deviations(const Observation& observation, double predicted) {
  return (predicted - *observation.seen) / (relative_deviation(observation) * *observation.seen);
}

void see_epochs(const Scenario& scenario, const Result& result, Observables& observables) {
  const auto any = [](const ResourceUse&) { return true; };
  const auto is_in = [](const ResourceUse& use) { return use.role == Role::port_in; };
  const bool later = result.training_s > result.first_epoch_s * 1.001;
  const double read = later ? result.cache.read_later_epoch_B / result.epoch_s
                            : result.cache.read_first_epoch_B / result.first_epoch_s;
  observables[Key::samples] = result.throughput_samples_per_s;
  observables[Key::read_bandwidth] = read;
  const bool trains = scenario.workload.kind() != kind_of<kind::Loader>;
  if (trains) observables[Key::utilization] = result.accelerator_utilization;
  const Reading reading = reading_of(scenario, read_from(scenario));
  const double request =
      std::min(reading.access.request.value, scenario.workload.dataset()->sample_size.value);
  if (request > 0) observables[Key::read_rate] = read / request;
  observables[Key::network] = used_of(result, "network", is_in);
  if (const auto busy = used_of(result, "cpu", any))
    observables[Key::cores] = *busy / static_cast<double>(scenario.nodes);
  observables[Key::memory] = used_of(result, "memory", any);
}

}  // namespace

Observables observables_of(const Scenario& scenario, const Result& result) {
  Observables observables(Key::kKeys);
  if (scenario.workload.is<RunsEpochs>()) see_epochs(scenario, result, observables);
  if (result.checkpointing) {
    observables[Key::save] = result.checkpointing->save.rank0_Bps;
    observables[Key::load] = result.checkpointing->load.rank0_Bps;
  }
  return observables;
}

std::vector<Observation> observations_of(const Observed& observed) {
  return {observation_of("gpu_utilization", observed.gpu_utilization),
          observation_of("samples_per_s", observed.samples_per_s),
          observation_of("read_bandwidth", observed.read_bandwidth),
          observation_of("read_rate", observed.read_rate),
          observation_of("network_bandwidth", observed.network_bandwidth),
          observation_of("cores_busy", observed.cores_busy),
          observation_of("memory_bandwidth", observed.memory_bandwidth),
          observation_of("save_bandwidth", observed.save_bandwidth),
          observation_of("load_bandwidth", observed.load_bandwidth)};
}

double relative_deviation(const Observation& observation) {
  return std::hypot(observation.spread / *observation.seen, kSimulated);
}

double misfit_of(const std::vector<Observation>& observations, const Observables& observables) {
  double sum = 0;
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (observations[i].seen && observables[i])
      sum += std::pow(deviations(observations[i], *observables[i]), 2);
  return sum;
}

bool all_near(const std::vector<Observation>& observations, const Observables& observables) {
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (observations[i].seen && observables[i] &&
        std::abs(deviations(observations[i], *observables[i])) > kFarOff)
      return false;
  return true;
}

std::vector<Sighting> sightings_of(const std::vector<Observation>& observations,
                                   const Observables& observables) {
  std::vector<Sighting> out;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const Observation& one = observations[i];
    out.push_back({one.name, one.unit, one.seen, one.spread, observables[i]});
  }
  return out;
}

std::string telling_of(const std::vector<std::vector<Sighting>>& explanations) {
  std::string best;
  double most = 1 + kDefaultSpread;
  if (explanations.size() < 2) return best;
  for (std::size_t i = 0; i < explanations.front().size(); ++i) {
    if (explanations.front()[i].seen) continue;
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const auto& sightings : explanations)
      if (const auto& value = sightings[i].predicted)
        low = std::min(low, *value), high = std::max(high, *value);
    if (low > 0 && high / low > most) most = high / low, best = explanations.front()[i].name;
  }
  return best;
}

void check_observable(const Scenario& scenario, const std::vector<Observation>& observations,
                      const Observables& observables, const Observed& observed) {
  Diagnostics out;
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (observations[i].seen && !observables[i])
      out.error(ProblemCode::unknown_part, observed.where,
                "{} was observed, but this scenario ({}) has none: nothing of it "
                "can be explained",
                observations[i].name, scenario.title);
  out.throw_if_any();
}

}  // namespace gpufeed
