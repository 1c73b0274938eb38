// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/scenario.h"

namespace gpufeed::systems {

/// The same scenario, in which every part, volume, store and catalog entry has another name: of
/// another kind's parts, with spaces, dots and quotes in it.
Scenario renamed(Scenario scenario);

}  // namespace gpufeed::systems
