// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/load/scenario_source.h"
#include "sim/model/result/result.h"
#include "ui/library/guard.h"

namespace gpufeed::v1 {

struct Scenario::Source {
  std::string name;  ///< of its file
  ScenarioSource source;
  Catalog catalog;
  std::vector<Override> values;
};

/// As the verb simulate answers. \throws gpufeed::InputError
gpufeed::Result result_of(const gpufeed::Scenario& scenario);

}  // namespace gpufeed::v1
