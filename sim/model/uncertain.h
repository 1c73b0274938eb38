// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/fields/path_taken.h"

namespace gpufeed {

struct Scenario;

/// What a number tells. How far off it may be depends on it, and on how it is known.
/// Of computing steps: compute, those that somebody measured or that are estimated from such;
/// new_gpu, estimated for a generation of GPUs on which nobody measured any; unseen, for what no
/// measured rate is like.
enum class Measurand { time, rate, size, share, compute, new_gpu, unseen };

bool is_computing(Measurand measurand);

/// A number in use that somebody measured, read or guessed.
struct UncertainValue {
  std::string name;  ///< "decode_time of imagenet-1k"
  Basis basis = Basis::estimate;
  Measurand measurand = Measurand::rate;
  std::string_view kind = {};  ///< of the catalog entry it belongs to; empty: of none
  std::string owner = {};      ///< the entry's name
  std::string key = {};
  double fact = 0;  ///< the number itself; of computing, what tells this step from others
  const UnitTable* units = nullptr;
  double least = 0;  ///< that its key allows
  double most = std::numeric_limits<double>::infinity();
  std::vector<ValuePlace> places = {};  ///< of every part that has it; of estimated steps none
};

/// The rates, times, sizes and shares in a scenario that catalog entries tell, each once however
/// many parts have it. What GPUs compute is one for each GPU's product, measured or not. Prices,
/// powers and peaks of computing (which have had their effect when a scenario is loaded) are left
/// out, and so is what a benchmark says it does, and what the scenario itself says: the user knows
/// it.
std::vector<UncertainValue> uncertain_values(const Scenario& scenario);

/// The scenario with each of these values times its factor, as far as its key allows.
/// \param factors  one for each of `uncertain_values`
Scenario with_factors(const Scenario& scenario, const std::vector<double>& factors);

}  // namespace gpufeed
