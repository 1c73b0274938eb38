// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/decode_fit.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// Times of pictures by a law that the test writes out: 100 us, 200 MB/s, 80 million pixels/s.
std::vector<DecodeTime> made_times(double noise) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<DecodeTime> times;
  for (const double pixels : {2e4, 1e5, 3e5, 1e6})
    for (const double bytes_per_pixel : {0.1, 0.5}) {
      const double bytes = pixels * bytes_per_pixel;
      const double law = 100e-6 + bytes / 200e6 + pixels / 80e6;
      times.push_back({pixels, {bytes}, {law * (1 + noise * normal(random))}});
    }
  return times;
}

}  // namespace

TEST_CASE("decoding: the law that made the times is found, and noise is told") {
  const DecodeFit exact = fit_decoding(made_times(0), "made up");
  CHECK(exact.per_sample.value == doctest::Approx(100e-6).epsilon(0.001));
  REQUIRE(exact.byte_rate);
  CHECK(exact.byte_rate->value == doctest::Approx(200e6).epsilon(0.001));
  REQUIRE(exact.pixel_rate);
  CHECK(exact.pixel_rate->value == doctest::Approx(80e6).epsilon(0.001));
  CHECK(exact.left_out.empty());
  const DecodeFit noisy = fit_decoding(made_times(0.02), "made up");
  CHECK(noisy.residual > 0.002);
  CHECK(noisy.deviation > exact.deviation);
}

TEST_CASE("decoding: a term that the times do not determine is left out by name") {
  std::vector<DecodeTime> times;
  for (const double bytes : {1e5, 1e6, 1e7})  // a copy: pixels and bytes grow together
    times.push_back({bytes / 3, {bytes}, {bytes / 1e9}});
  const DecodeFit fit = fit_decoding(times, "made up");
  CHECK(!fit.left_out.empty());
  CHECK(int{fit.byte_rate.has_value()} + int{fit.pixel_rate.has_value()} == 1);
}

TEST_CASE("samples handed on as stored: a time of each, without pixels") {
  std::vector<DecodeTime> times;
  for (const double bytes : {1e4, 1e5, 1e6}) times.push_back({0, {bytes}, {7e-6}});
  const DecodeFit fit = fit_decoding(times, "made up");
  CHECK(fit.per_sample.value == doctest::Approx(7e-6).epsilon(0.01));
  CHECK(!fit.pixel_rate);
}

TEST_CASE(
    "bytes that come faster than any memory gives them are no term: the entry could not be read") {
  std::vector<DecodeTime> times;  // made up: 5 us, and 5 TB/s
  for (const double bytes : {1e4, 1e5, 1e6}) times.push_back({0, {bytes}, {5e-6 + bytes / 5e12}});
  const DecodeFit fit = fit_decoding(times, "made up");
  CHECK(!fit.byte_rate);
  REQUIRE(fit.left_out.size() == 1);
  CHECK(fit.left_out.front() == "time of each stored byte");
  CHECK(fit.per_sample.value == doctest::Approx(5e-6).epsilon(0.05));
}

TEST_CASE("decoding: samples of one size tell no law") {
  CHECK(refusal_of([] {
          fit_decoding({{1e5, {1e5}, {1e-3}}, {1e5, {1.1e5}, {1e-3}}, {1e5, {1e5}, {1e-3}}}, "raw");
        }) ==
        "raw: error: 3 kinds of samples of 100 kB to 110 kB do not tell how decoding grows with "
        "them\n");
}
