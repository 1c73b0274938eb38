// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/drive_time.h"

#include <doctest/doctest.h>

#include <initializer_list>

#include "tests/support/approx.h"

using namespace gpufeed;
using namespace gpufeed::literals;

TEST_CASE("reads alone and writes alone keep their rates") {
  for (const double write : {0.07, 0.31, 0.5, 1.0, 1.7, 6.9}) {
    const DriveTime time = drive_time(1_GBps, Bandwidth{write * 1e9});
    CAPTURE(write);
    CHECK(time.capacity.value / time.read_times >= 1e9);
    CHECK(time.capacity.value / time.write_times >= write * 1e9);
  }
}

TEST_CASE("a written byte takes as many read ones as the rates say, within a percent") {
  for (const double write : {0.021, 0.07, 0.31, 0.5, 1.0, 1.7, 6.9, 45.0}) {
    const DriveTime time = drive_time(1_GBps, Bandwidth{write * 1e9});
    CAPTURE(write);
    const double ratio = static_cast<double>(time.write_times) / time.read_times;
    CHECK(ratio * write == approx(1).epsilon(0.01));
  }
}

TEST_CASE("whole ratios need no more than one listing of the faster direction") {
  const DriveTime time = drive_time(6_GBps, 2_GBps);
  CHECK(time.read_times == 1);
  CHECK(time.write_times == 3);
  CHECK(time.capacity.value == 6e9);
}
