// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/scenario.h"

namespace gpufeed {

/// What is said where more hangs on one leaf switch of the fabric than any switch in one box takes:
/// 144 ports of 800 Gb/s, of four lanes each (NVIDIA Quantum-X800 Q3400-RA, data sheet); else
/// empty.
std::string leaf_switch_doubt(const Scenario& scenario);

}  // namespace gpufeed
