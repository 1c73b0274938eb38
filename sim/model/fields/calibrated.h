// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// A value that a calibration of the machine put in the place of the scenario's or the catalog's.
struct CalibratedValue {
  std::string key;       ///< as `--set` names it: system.drive[ssd0].model.read_bandwidth
  std::string value;     ///< as text of a scenario has it
  std::string before;    ///< what it replaced; empty where there was nothing
  double deviation = 0;  ///< standard deviation over the value

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(gpufeed::key("key", &CalibratedValue::key, "as --set names it"));
    visit(gpufeed::key("value", &CalibratedValue::value, "as calibrated"));
    visit(gpufeed::key("before", &CalibratedValue::before,
                       "what it replaced; empty where there was nothing"));
    visit(gpufeed::key("deviation", &CalibratedValue::deviation,
                       "standard deviation over the value"));
  }
};

}  // namespace gpufeed
