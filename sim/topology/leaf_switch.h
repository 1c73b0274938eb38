// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/facts/warnings.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// Said where more hangs on one leaf switch of the fabric than any switch in one box takes:
/// 144 ports of 800 Gb/s, of four lanes each (NVIDIA Quantum-X800 Q3400-RA, data sheet).
std::optional<Warning> leaf_switch_doubt(const Scenario& scenario);

}  // namespace gpufeed
