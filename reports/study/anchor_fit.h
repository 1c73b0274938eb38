// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/study/observables.h"
#include "reports/study/open_numbers.h"
#include "sim/load/scenario_source.h"

namespace gpufeed {

/// A simulated run, and what it shows.
struct Shown {
  Result result;
  Observables observables;
};

/// Simulates a scenario with other values, once, with the same seed.
class Trials {
 public:
  Trials(const ScenarioSource& source, std::vector<Observation> observations)
      : source_(source), observations_(std::move(observations)) {}

  /// Nothing where the scenario does not hold together with them.
  std::optional<Shown> at(const std::vector<Override>& values) const;
  const std::vector<Observation>& observations() const { return observations_; }
  /// Whether something that was observed differs by more than chance.
  bool differ(const Shown& one, const Shown& other) const;

 private:
  const ScenarioSource& source_;
  std::vector<Observation> observations_;
};

/// What a run says of one number.
enum class Found {
  nothing,   ///< it moves nothing that was observed
  value,     ///< it has this value
  at_least,  ///< more would show the same
  at_most,
  too_weak,      ///< all its plausible values show the same, within what was seen
  out_of_reach,  ///< no plausible value shows what was seen
  unfit          ///< no key sets it: the scenario does not hold together, or is another
};

struct Fitted {
  Found found = Found::nothing;
  double factor = 1;      ///< of the value, the bound, or the plausible one that comes nearest
  double deviation = 0;   ///< of its logarithm
  double elasticity = 0;  ///< of what was observed, from what is stated to what is fitted
  double misfit = 0;      ///< of everything that was observed
  bool explains = false;  ///< what it moves lies within two deviations
  /// Of a bound: what is so at its plausible end.
  struct End {
    bool attains = false;          ///< all that was observed lies within two deviations
    bool levels_off = false;       ///< and within one where more of it moves nothing any longer:
    std::optional<Limiter> binds;  ///< this does
  } end;
  std::vector<bool> moved;  ///< of the observations
  Shown shown;              ///< with that factor
};

/// The value of one number at which a run shows what was observed: where
///   g(x) = sum w_i s_i ln(predicted_i(x) / seen_i) = 0,  w_i = deviation_i^-2 / sum
/// over what it moves, s_i the sign of each one's slope. Its deviation is that of what was seen,
/// over the local slopes e_i: (sum (e_i / deviation_i)^2)^(-1/2). Where g is within two deviations
/// at the plausible bounds already, the run gives a bound alone.
/// \param wanted  which observations count; empty: all
Fitted fit(const Trials& trials, const Shown& now, const OpenNumber& number,
           const std::vector<bool>& wanted = {});

}  // namespace gpufeed
