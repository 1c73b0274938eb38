// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/lever.h"

#include <doctest/doctest.h>

using namespace gpufeed;

TEST_CASE("faster cores shorten every time of cores, a faster process every time of its own") {
  const auto halved = [](Lever lever) {
    Plan plan;
    for (Seconds* time : plan.CoreTimes::all()) *time = {2};
    for (Seconds* time : plan.ProcessTimes::all()) *time = {2};
    apply({lever, 2}, plan);
    std::vector<double> times;
    for (const Seconds* time : plan.CoreTimes::all()) times.push_back(time->value);
    for (const Seconds* time : plan.ProcessTimes::all()) times.push_back(time->value);
    return times;
  };
  CHECK(halved(Lever::core_speed) == std::vector<double>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(halved(Lever::process) == std::vector<double>{2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1});
  CHECK(halved(Lever::cores) == std::vector<double>{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2});
}
