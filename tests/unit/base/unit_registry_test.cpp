// SPDX-License-Identifier: Apache-2.0
#include "sim/base/unit_registry.h"

#include <doctest/doctest.h>

using namespace gpufeed;

TEST_CASE("every unit of a quantity or a result is known, with its SI value") {
  CHECK(unit_factor("GB/s") == 1e9);
  CHECK(unit_factor("%") == 0.01);
  CHECK(unit_factor("TFLOP/s") == 1e12);
  CHECK(unit_factor("samples/s") == 1);
  CHECK(unit_factor("GPUs") == 1);
  CHECK(unit_factor("steps/s") == 1);
  CHECK(unit_factor("") == 1);
  CHECK_FALSE(unit_factor("GBps"));
  for (const auto& unit : known_units()) CHECK(unit_factor(unit));
}
