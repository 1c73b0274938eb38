// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/drive_law.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/approx.h"

namespace gpufeed {
namespace {

using namespace literals;

const DriveLaw kFlash{6.8_GBps, Rate{1e6}, 80_us, 3_GBps, Bytes{128 * 1024.0}};
constexpr double kEver = std::numeric_limits<double>::infinity();

TEST_CASE("each roof alone is the rate where the other two are far away") {
  CHECK(attained_bandwidth(kFlash, Bytes{4096}, 1).value ==
        approx(4096 / (80e-6 + 4096 / 3e9)).epsilon(0.001));
  CHECK(attained_bandwidth(kFlash, Bytes{512}, kEver).value == approx(512e6).epsilon(0.001));
  CHECK(attained_bandwidth(kFlash, Bytes{1 << 20}, 1e6).value == approx(6.8e9).epsilon(0.001));
}

TEST_CASE("where two roofs of flash meet, the rate is 2^(1/4) below them") {
  const Bytes request{6800};  // x 1e6 per s = 6.8 GB/s
  CHECK(attained_bandwidth(kFlash, request, kEver).value == approx(6.8e9 / std::pow(2, 0.25)));
}

TEST_CASE("a disk pays seek and transfer one after the other") {
  const DriveLaw disk{200_MBps, Rate{100}, 8_ms, 200_MBps, 1_MB, kOneAfterAnother};
  // 1 MB: 10 ms of positioning at best, 5 ms of transfer.
  CHECK(attained_bandwidth(disk, 1_MB, kEver).value == approx(1e6 / 15e-3));
}

TEST_CASE("large requests reach the request rate in the pieces that the device sees") {
  DriveLaw slow = kFlash;
  slow.request_rate = Rate{1000};
  CHECK(attained_bandwidth(slow, Bytes{1 << 20}, kEver).value ==
        approx(1000.0 * 128 * 1024).epsilon(0.001));
}

TEST_CASE("pages that lie apart cost the device their time, one after the other") {
  DriveLaw apart = kFlash;
  apart.page_time = 2_us;
  for (const double depth : {1.0, 16.0, kEver})
    for (const double request : {4096.0, 262144.0, 8388608.0}) {
      CAPTURE(depth);
      CAPTURE(request);
      const double together = request / attained_bandwidth(kFlash, Bytes{request}, depth).value;
      CHECK(request / attained_bandwidth(apart, Bytes{request}, depth).value ==
            approx(together + request / 4096 * 2e-6));
    }
  CHECK(lone_request(apart, 1_MB).value == approx(80e-6 + 1e6 / 3e9 + 1e6 / 4096 * 2e-6));
  CHECK(lone_bandwidth(apart).value == approx(1e6 / (lone_request(apart, 1_MB).value - 80e-6)));
}

TEST_CASE("the latency of a wait is the one with which the law makes requests wait so long") {
  for (const double sharpness : {kOneAfterAnother, 1.7, kManyAtOnce})
    for (const double depth : {1.0, 2.0, 16.0})
      for (const double latency : {20e-6, 300e-6}) {
        CAPTURE(sharpness);
        CAPTURE(depth);
        CAPTURE(latency);
        DriveLaw law = kFlash;
        law.sharpness = sharpness;
        law.request_rate = Rate{2e5};
        law.page_time = 2_us;
        law.latency = Seconds{latency};
        const Seconds wait = Bytes{8192 * depth} / attained_bandwidth(law, Bytes{8192}, depth);
        law.latency = 1_s;  // whatever it was before
        const auto found = latency_of_wait(law, Bytes{8192}, depth, wait);
        REQUIRE(found);
        CHECK(found->value == approx(latency).epsilon(1e-6));
      }
  // 16 requests at 1e6 a second take 16 us each, whatever the latency
  CHECK(!latency_of_wait(kFlash, Bytes{4096}, 16, 16_us));
  CHECK(!latency_of_wait(kFlash, Bytes{4096}, 1, 1_us));  // its bytes alone move for longer
}

TEST_CASE("the bandwidth of a wait is the one with which the law makes requests wait so long") {
  const Bytes request{1 << 20};
  for (const double sharpness : {kOneAfterAnother, 1.7, kManyAtOnce})
    for (const double depth : {1.0, 2.0, 16.0})
      for (const double bandwidth : {0.5e9, 2e9}) {
        CAPTURE(sharpness);
        CAPTURE(depth);
        CAPTURE(bandwidth);
        DriveLaw law{{bandwidth}, Rate{2e5}, 80_us, 9_GBps, Bytes{128 * 1024.0}, sharpness, 1_us};
        const Seconds wait = request * depth / attained_bandwidth(law, request, depth);
        law.bandwidth = 7_GBps;  // whatever it was before
        const auto found = bandwidth_of_wait(law, request, depth, wait);
        REQUIRE(found);
        CHECK(found->value == approx(bandwidth).epsilon(1e-6));
      }
}

TEST_CASE("the bandwidth of a wait on a disk is what is left when all else has taken its time") {
  // one after the other, 2 requests of 1 MB: 2 ms at 1000 a second of 1 MB each, 1 ms + 1 ms of L0
  // and transfer, and so 5 ms of the 9 for 2 MB at B
  const DriveLaw law{1_GBps, Rate{1000}, 1_ms, 1_GBps, 1_MB, kOneAfterAnother};
  CHECK(bandwidth_of_wait(law, 1_MB, 2, 9_ms)->value == approx(400e6));
  CHECK(bandwidth_of_wait(law, 1_MB, 2, 8.01_ms)->value == approx(2e6 / 4.01e-3));
  CHECK(!bandwidth_of_wait(law, 1_MB, 2, 7.99_ms));  // the rest takes the larger part
  CHECK(!bandwidth_of_wait(law, 1_MB, 2, 3_ms));
  DriveLaw apart = law;
  apart.page_time = {1e-3 * 4096 / 2e6};  // of 2 MB: 1 ms
  CHECK(bandwidth_of_wait(apart, 1_MB, 2, 10_ms)->value == approx(400e6));
  CHECK(!bandwidth_of_wait(apart, 1_MB, 2, 0.5_ms));
}

TEST_CASE("more of anything never makes a drive slower") {
  double last = 0;
  for (double depth = 1; depth <= 1024; depth *= 2) {
    const double rate = attained_bandwidth(kFlash, Bytes{4096}, depth).value;
    CHECK(rate > last);
    last = rate;
  }
}

}  // namespace
}  // namespace gpufeed
