// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/gpu_fit.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "calib/fit/raw_fit.h"

using namespace gpufeed;

TEST_CASE("GPUs: a start and a rate are found in times of copies and of steps by batch") {
  std::vector<Timed> copies;  // made up: 8 us and 25 GB/s
  for (const double bytes : {4096.0, 32768.0, 262144.0, 2097152.0, 16777216.0})
    copies.push_back({bytes, {8e-6 + bytes / 25e9}});
  const LineFit copy = fit_line(copies, "made up");
  CHECK(copy.start.value == doctest::Approx(8e-6).epsilon(0.001));
  CHECK(copy.rate == doctest::Approx(25e9).epsilon(0.001));
  std::vector<Timed> steps;  // made up: t0 = 20 ms, t1 = 0.5 ms
  for (const double batch : {1.0, 4.0, 16.0, 64.0, 256.0})
    steps.push_back({batch, {20e-3 + batch * 0.5e-3}});
  const LineFit step = fit_line(steps, "made up");
  CHECK(step.start.value == doctest::Approx(20e-3).epsilon(0.001));
  CHECK(step.rate == doctest::Approx(2000).epsilon(0.001));
}

TEST_CASE("GPUs: raw measurements are told by way and memory, products by what they attain") {
  // Made up, not measured: copies to the GPU of 8 us and 25 GB/s, a product of 2 x 1024^3 in 10 us.
  std::string copies;
  for (const double bytes : {4096.0, 32768.0, 262144.0, 2097152.0})
    copies += fmt::format(
        "{}{{\"gpu\": 0, \"way\": \"to\", \"memory\": \"pinned\", \"bytes\": {}, \"s\": {}}}",
        copies.empty() ? "" : ",", bytes, 8e-6 + bytes / 25e9);
  const Calibration found = fit_raw(
      R"({"gpufeed_raw": 1, "gpu": {"gpus": [{"gpu": 0, "name": "made up", "memory_B": 1e9}],
      "copies": [)" +
          copies +
          R"(], "peers": [], "launches": [{"gpu": 0, "s": 2.5e-6}], "products": [{"gpu": 0,
      "type": "bf16", "m": 1024, "n": 1024, "k": 1024, "s": 1e-5}]}})",
      "raw", "none");
  REQUIRE(found.told.size() == 4);
  CHECK(found.told[0] == "gpu 0 is made up");
  CHECK(found.told[1].starts_with("gpu 0: copies to it, pinned: 8 us and 25 GB/s, departing by "));
  CHECK(found.told[2] == "gpu 0: launching a kernel takes 2.5 us");
  CHECK(found.told[3] == "gpu 0: bf16 1024 x 1024 x 1024 attains 215 TFLOP/s");
}

TEST_CASE("GPUs: what all do at once, collectives, and steps with their fixed part") {
  // Made up, not measured: two GPUs copy at 20 GB/s each and sum at 40 GB/s; a step has 4 ms and
  // 500 samples/s.
  const auto list = [](const std::string& head, const std::string& amount, double start,
                       double rate) {
    std::string out;
    for (const double x : {1.0, 4.0, 16.0, 64.0, 256.0}) {
      const double value = amount == "bytes" ? x * 1e6 : x;
      out += fmt::format(R"({}{{{}, "{}": {}, "s": {}}})", out.empty() ? "" : ",", head, amount,
                         value, start + value / rate);
    }
    return out;
  };
  const Calibration found = fit_raw(
      R"({"gpufeed_raw": 1, "gpu": {"gpus": [], "launches": [], "products": [], "together": [)" +
          list(R"("gpus": 2, "way": "to")", "bytes", 10e-6, 20e9) + R"(], "collectives": [)" +
          list(R"("gpus": 2, "what": "all-reduce")", "bytes", 30e-6, 40e9) + R"(], "steps": [)" +
          list(R"("gpu": 0, "network": "made up")", "batch", 4e-3, 500) + "]}}",
      "raw", "none");
  REQUIRE(found.told.size() == 3);
  CHECK(found.told[0].starts_with("all 2 GPUs at once: copies to each, pinned: 10 us and 20 GB/s"));
  CHECK(found.told[1].starts_with("all-reduce of 2 GPUs: 30 us and 40 GB/s"));
  CHECK(found.told[2].starts_with(
      "gpu 0: made up, forward and backward in fp16: 4 ms and 500 samples/s, departing by "));
}
