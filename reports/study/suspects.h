// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// Something that may be otherwise on a real machine than a scenario says.
struct Suspect {
  std::string name;   ///< "the store's bandwidth"
  std::string parts;  ///< the ids that it is about; empty where the name says all
  double least = 1;   ///< of what the scenario says, at which it is still plausible
  double most = 1;
  std::string check;  ///< what tells whether it is so
  std::function<Result(double factor)> simulate;
};

/// Those that act on a scenario, which must outlive them.
std::vector<Suspect> suspects_of(const Scenario& scenario);

}  // namespace gpufeed
