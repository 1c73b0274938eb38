// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/random_machine.h"

/// The machine whose exchange of gradients tests compute by hand.
namespace gpufeed::systems {

inline constexpr std::int64_t kParameters = 100'000'000;
inline constexpr double kGradients = 4.0 * kParameters;  ///< bytes in FP32
inline constexpr double kPort = 1e10;                    ///< of a node's network card
inline constexpr double kPcie = 1e11;                    ///< of every bus, as in `ample_machine`

inline constexpr double kGreatestOf8 = 1.4236;  ///< mean of the greatest of 8 standard normals

/// Ample GPUs that exchange gradients, behind one network card of each node; next to nothing to
/// exchange unless a test sets `parameters`.
inline RandomMachine machine_of_cluster(std::int64_t gpus) {
  RandomMachine m = ample_machine();
  m.gpus = gpus;
  m.exchange = true;
  m.nics = 1;
  m.rate[kNicPort] = kPort;
  return m;
}

}  // namespace gpufeed::systems
