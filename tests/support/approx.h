// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

namespace gpufeed {

/// doctest's own Approx allows epsilon * (1 + value): of microseconds nothing would be held. This
/// one allows epsilon of the value itself, and epsilon where the value is 0.
inline doctest::Approx approx(double value) {
  return doctest::Approx(value).scale(value == 0 ? 1 : 0);
}

/// As exact as a formula that leaves nothing out.
inline doctest::Approx about(double value, double within = 1e-6) {
  return approx(value).epsilon(within);
}

}  // namespace gpufeed
