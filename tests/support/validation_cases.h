// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/model/scenario.h"
#include "sim/model/study/validation.h"

namespace gpufeed {

/// A case of tests/validation and the scenario that it makes.
struct LoadedCase {
  std::shared_ptr<const Validation> file;
  const ValidationCase* one;
  std::shared_ptr<const Scenario> scenario;
  std::set<std::string> entries;  ///< of the catalog that it uses: "drive/micron-9400-pro-7.68tb"
  std::string family;             ///< the network, or the data set of a benchmark, as laws name it

  const std::string& system() const { return scenario->system->title; }
};

/// All of them, loaded once; what a case searches for lies where it was measured.
const std::vector<LoadedCase>& loaded_cases();

}  // namespace gpufeed
