// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sim/model/scenario.h"

namespace gpufeed {

/// Refuses what trains, emulates or loads nothing. \param question  "what would make it faster"
/// \throws InputError
inline void require_epochs(const Scenario& scenario, std::string_view question) {
  Diagnostics out;
  if (!scenario.workload.is<RunsEpochs>())
    out.error(scenario.workload.where,
              "{} is asked of training, emulated and loader; this workload is of kind {}", question,
              name_of(scenario.workload.kind()));
  out.throw_if_any();
}

}  // namespace gpufeed
