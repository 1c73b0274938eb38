// SPDX-License-Identifier: Apache-2.0
#include "sim/base/join_ids.h"

#include <doctest/doctest.h>

using namespace gpufeed;

TEST_CASE("ids are told in short: runs of three and more by their ends") {
  CHECK(join_ids({"ssd0", "ssd1", "ssd2", "ssd3"}) == "ssd0-ssd3");
  CHECK(join_ids({"cpu0", "cpu1"}) == "cpu0, cpu1");
  CHECK(join_ids({"a9", "a10", "a11", "b", "a13"}) == "a9-a11, b, a13");
  CHECK(join_ids({}) == "");
}
