// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/drive_fit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "calib/fit/drive_entry.h"
#include "calib/fit/fio_json.h"
#include "sim/base/numbers/random.h"
#include "tests/support/approx.h"
#include "tests/support/refusals.h"

namespace gpufeed {
namespace {

using namespace literals;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// What a device with these roofs would show, by the formula of sim/model/drive_law.h, each
/// bandwidth off by a random factor of up to 1 + noise.
std::vector<DrivePoint> measured(const DriveLaw& law, double noise,
                                 const std::vector<double>& sizes,
                                 const std::vector<double>& depths) {
  Random random(7);
  std::vector<DrivePoint> points;
  for (const double s : sizes)
    for (const double q : depths) {
      const double p = law.sharpness;
      const double by_rate = law.request_rate.value * std::min(s, law.largest_request.value);
      const double by_depth = q * s / (law.latency.value + s / law.request_bandwidth.value);
      const double rate = std::pow(
          std::pow(law.bandwidth.value, -p) + std::pow(by_rate, -p) + std::pow(by_depth, -p),
          -1 / p);
      const double off = noise > 0 ? random.uniform(1 - noise, 1 + noise) : 1;
      points.push_back({Bytes{s}, q, Bandwidth{rate * off}});
    }
  return points;
}

const std::vector<double> kSizes{4096, 16384, 65536, 131072, 262144, 1048576};
const std::vector<double> kDepths{1, 2, 4, 8, 16, 32, 64, 128};

const DriveLaw kFlash{6.8_GBps, Rate{9e5}, 80_us, 3_GBps, Bytes{kInfinite}};
const DriveLaw kSerial{1.5_GBps, Rate{1.2e5}, 20_us, 4_GBps, Bytes{kInfinite}, kOneAfterAnother};

bool holds(const DriveFit& fit, std::string_view name, double value) {
  const Known* const known = fit.what_is_known_of(name);
  REQUIRE(known);
  return known->low <= value && value <= known->high;
}

std::string error_of(const std::vector<DrivePoint>& points) {
  return refusal_of([&] { fit_drive(points, "fio.json"); });
}

DriveSide fixture(const char* file, bool writes = false) {
  const std::string folder = GPUFEED_SOURCE_DIR "/tests/unit/calib/";
  return fit_side(points_of(load_fio(folder + file), writes), file);
}

}  // namespace

TEST_CASE("the fit recovers the law that made the points") {
  for (const DriveLaw& law : {kFlash, kSerial}) {
    CAPTURE(law.sharpness);
    const DriveFit fit = fit_drive(measured(law, 0, kSizes, kDepths), "points");
    CHECK(fit.law.bandwidth.value == approx(law.bandwidth.value).epsilon(0.001));
    CHECK(fit.law.request_rate.value == approx(law.request_rate.value).epsilon(0.001));
    CHECK(fit.law.latency.value == approx(law.latency.value).epsilon(0.001));
    CHECK(fit.law.request_bandwidth.value == approx(law.request_bandwidth.value).epsilon(0.001));
    CHECK(fit.law.sharpness == approx(law.sharpness).epsilon(0.001));
    CHECK(fit.free_sharpness == approx(law.sharpness).epsilon(0.001));
    CHECK(fit.law.largest_request.value == kInfinite);
    CHECK(fit.p95 < 0.001);
  }
}

TEST_CASE("with noise, what is said to be known holds the law that made the points") {
  for (const DriveLaw& law : {kFlash, kSerial})
    for (const double noise : {0.02, 0.1, 0.2}) {
      CAPTURE(law.sharpness);
      CAPTURE(noise);
      const DriveFit fit =
          fit_drive(measured(law, noise, kSizes, kDepths), "points", law.sharpness);
      CHECK(holds(fit, "bandwidth", law.bandwidth.value));
      CHECK(holds(fit, "request_rate", law.request_rate.value));
      CHECK(holds(fit, "latency", law.latency.value));
      CHECK(holds(fit, "request_bandwidth", law.request_bandwidth.value));
      CHECK(fit.median < noise);
    }
}

TEST_CASE("a few wild points do not bend the law") {
  auto points = measured(kFlash, 0.03, kSizes, kDepths);
  points[3].bandwidth = points[3].bandwidth / 5;
  points[20].bandwidth = points[20].bandwidth / 3;
  points[40].bandwidth = points[40].bandwidth / 10;
  const DriveFit fit = fit_drive(points, "points", kManyAtOnce);
  CHECK(fit.law.bandwidth.value == approx(6.8e9).epsilon(0.03));
  CHECK(fit.law.request_rate.value == approx(9e5).epsilon(0.05));
  CHECK(fit.law.latency.value == approx(80e-6).epsilon(0.05));
  CHECK(fit.departures[3] > 3);
}

namespace {

/// A virtual disk of a busy machine, measured by `gpufeed calibrate --io`, a second each: the
/// requests a second that came, by depth.
std::vector<DrivePoint> busy_disk() {
  const std::vector<std::pair<double, std::vector<double>>> rates{
      {4096, {19149, 27354, 33991, 60487}}, {16384, {10934, 16882, 22634, 40007}},
      {65536, {8560, 11680, 13278, 16546}}, {262144, {4011, 4562, 6131, 8520}},
      {1048576, {1133, 1485, 1254, 1084}},  {8388608, {127, 135, 135, 138}}};
  std::vector<DrivePoint> points;
  for (const auto& [size, by_depth] : rates) {
    double depth = 1;
    for (const double rate : by_depth) {
      points.push_back({Bytes{size}, depth, Bandwidth{rate * size}});
      depth = depth == 4 ? 16 : 2 * depth;
    }
  }
  return points;
}

}  // namespace

TEST_CASE("no roof lies below the points that it alone limits, and what is known holds them") {
  const auto points = busy_disk();
  const DriveFit fit = fit_drive(points, "points");
  CHECK(fit.law.request_rate.value == approx(60487).epsilon(0.001));
  CHECK(attained_bandwidth(fit.law, Bytes{4096}, 16).value >= 0.97 * 60487 * 4096);
  CHECK(fit.law.bandwidth.value >= 1.13e9);          // the median of the large ones
  CHECK(holds(fit, "request_rate", 40007));          // which the rate limits with 16 KiB
  CHECK(holds(fit, "bandwidth", 1485 * 1048576.0));  // the highest but for one
}

TEST_CASE("a roof that is measured three times is not moved by one that went wrong") {
  for (const double wrong : {0.2, 4.0}) {
    CAPTURE(wrong);
    auto points = busy_disk();
    points.push_back({Bytes{4096}, 16, Bandwidth{59000 * 4096.0}});
    points.push_back({Bytes{4096}, 16, Bandwidth{60487 * 4096.0 * wrong}});
    const DriveFit fit = fit_drive(points, "points");
    CHECK(fit.law.request_rate.value > 58000);
    const double there = attained_bandwidth(fit.law, Bytes{4096}, 16).value / 4096;
    CHECK(there == approx(59000).epsilon(0.15));
  }
}

TEST_CASE("a sharpness at the end of its range is known to one side") {
  DriveLaw softer = kSerial;
  softer.sharpness = 0.8;  // which no law has
  const DriveFit fit = fit_drive(measured(softer, 0.02, kSizes, kDepths), "points");
  CHECK(fit.law.sharpness == kOneAfterAnother);
  const Known* const known = fit.what_is_known_of("sharpness");
  REQUIRE(known);
  CHECK(known->at_limit);
  CHECK(known->low == kOneAfterAnother);
  CHECK(known->high > kOneAfterAnother);
  CHECK(known->high < 1.3);
}

TEST_CASE("a largest request is found where there is one") {
  DriveLaw law = kFlash;
  law.request_rate = Rate{30e3};
  law.largest_request = Bytes{131072};
  const DriveFit fit = fit_drive(measured(law, 0.02, kSizes, kDepths), "points");
  CHECK(fit.law.largest_request.value == approx(131072).epsilon(0.05));
  CHECK(fit.law.request_rate.value == approx(30e3).epsilon(0.05));
  CHECK(fit.law.sharpness == kManyAtOnce);
}

TEST_CASE("a roof that was never reached is known only to lie beyond what was measured") {
  // Few requests under way: neither 900 000 a second nor 6.8 GB/s can be seen.
  const DriveFit shallow = fit_drive(measured(kFlash, 0.02, kSizes, {1, 2}), "points");
  CHECK(shallow.what_is_known_of("request_rate")->open());
  CHECK(shallow.what_is_known_of("request_rate")->high == kInfinite);
  CHECK(holds(shallow, "request_rate", 9e5));
  CHECK(shallow.law.request_rate.value >= shallow.what_is_known_of("request_rate")->low);
  CHECK_FALSE(shallow.what_is_known_of("latency")->open());
  // Always many under way: of the latency only that it is not much longer.
  const DriveFit deep = fit_drive(measured(kFlash, 0.02, kSizes, {512, 1024}), "points");
  CHECK(deep.what_is_known_of("latency")->open());
  CHECK(deep.what_is_known_of("latency")->low == 0);
  CHECK(holds(deep, "latency", 80e-6));
  CHECK_FALSE(deep.what_is_known_of("bandwidth")->open());
}

TEST_CASE("points that cannot tell a law are refused") {
  CHECK(error_of({}) ==
        "fio.json: error: a fit needs 5 measurements or more that differ in block size or depth; "
        "found 0\n"
        "fio.json: error: all blocks have the same size; measure small and large ones\n"
        "fio.json: error: the depth is always the same; measure one request under way and many\n");
  CHECK(error_of(measured(kFlash, 0, {4096}, kDepths)) ==
        "fio.json: error: all blocks have the same size; measure small and large ones\n");
  CHECK(error_of(measured(kFlash, 0, kSizes, {8})) ==
        "fio.json: error: the depth is always the same; measure one request under way and many\n");
  CHECK(error_of(measured(kFlash, 0, {4096, 65536}, {1, 8, 32})) == "accepted");
}

// README.md beside the files says how they were measured.
TEST_CASE("the law explains a real disk to within 10 percent") {
  const DriveSide reads = fixture("fio_virtual_disk_shuffled.json");
  CHECK(reads.points.size() == 106);
  CHECK(reads.fit.median < 0.10);
  CHECK(reads.fit.flash_median > 0.10);
  CHECK(scatter(reads.points) == approx(0.063).epsilon(0.01));
  const DriveSide later = fixture("fio_virtual_disk_later.json");
  CHECK(later.points.size() == 159);
  CHECK(later.fit.median < 0.10);
  const DriveSide later_writes = fixture("fio_virtual_disk_later.json", true);
  CHECK(later_writes.points.size() == 37);
  CHECK(later_writes.fit.median < 0.10);
  CHECK(later_writes.fit.law.sharpness >= kOneAfterAnother);
  const DriveSide again = fixture("fio_virtual_disk_repeats.json");
  CHECK(again.points.size() == 36);
  CHECK(again.fit.median < 0.10);
  const DriveSide writes = fixture("fio_virtual_disk_write.json", true);
  CHECK(writes.points.size() == 9);
  CHECK(writes.fit.median < 0.10);
}

TEST_CASE("where the disk jumped while it was measured, the law stays near") {
  const DriveSide side = fixture("fio_virtual_disk_read.json");
  CHECK(side.points.size() == 126);
  CHECK(side.fit.median > 0.10);
  CHECK(side.fit.median < 0.12);
}

TEST_CASE("a disk that one thread serves has soft corners, however it is measured") {
  for (const char* file : {"fio_virtual_disk_read.json", "fio_virtual_disk_repeats.json",
                           "fio_virtual_disk_shuffled.json", "fio_virtual_disk_later.json"}) {
    CAPTURE(file);
    const DriveFit fit = fixture(file).fit;
    CHECK(fit.law.sharpness >= 1);
    CHECK(fit.law.sharpness < 1.7);
    CHECK(fit.what_is_known_of("sharpness")->high < kManyAtOnce);
    CHECK(fit.what_is_known_of("request_bandwidth")->open());
  }
}

TEST_CASE("no drive is sharper than entries may be") {
  std::vector<DrivePoint> points;  // each roof alone
  for (const double size : kSizes)
    for (const double depth : kDepths) {
      const double by_depth =
          depth * size / (kFlash.latency.value + size / kFlash.request_bandwidth.value);
      const double rate =
          std::min({kFlash.bandwidth.value, kFlash.request_rate.value * size, by_depth});
      points.push_back({Bytes{size}, depth, Bandwidth{rate}});
    }
  const DriveFit fit = fit_drive(points, "fio.json");
  CHECK(fit.law.sharpness <= 20 * (1 + 1e-9));
  CHECK(fit.law.bandwidth.value == approx(kFlash.bandwidth.value).epsilon(0.03));
}

}  // namespace gpufeed
