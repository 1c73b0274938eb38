// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"
#include "sim/model/study/observed.h"

namespace gpufeed {

/// What is predicted of everything that may be observed, in the order of `Observed::fields`;
/// nothing where the scenario does not use that part.
using Observables = std::vector<std::optional<double>>;

/// Of a simulated run. read_rate: bytes over those of one request as the reader asks (reading.h),
/// at most a sample.
Observables observables_of(const Scenario& scenario, const Result& result);

/// What was seen of one of them; `spread` is one standard deviation, in the value's unit.
struct Observation {
  std::string name;
  std::string unit;
  std::optional<double> seen;
  double spread = 0;
};

/// In the order of `Observed::fields`.
std::vector<Observation> observations_of(const Observed& observed);

/// How far what was seen and the simulation together may be off, over the value.
double relative_deviation(const Observation& observation);

/// Deviations beyond which nothing is explained.
inline constexpr double kFarOff = 2;

/// sum ((predicted - seen) / deviation)^2
double misfit_of(const std::vector<Observation>& observations, const Observables& observables);
/// Whether every observation lies within `kFarOff`.
bool all_near(const std::vector<Observation>& observations, const Observables& observables);

std::vector<Sighting> sightings_of(const std::vector<Observation>& observations,
                                   const Observables& observables);

/// Of what was not observed, the key in which predictions of several explanations differ most;
/// empty where none differs by more than an observation usually spreads.
std::string telling_of(const std::vector<std::vector<Sighting>>& explanations);

/// \throws InputError  where something was observed that the scenario does not have
void check_observable(const Scenario& scenario, const std::vector<Observation>& observations,
                      const Observables& observables, const Observed& observed);

}  // namespace gpufeed
