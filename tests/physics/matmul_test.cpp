// SPDX-License-Identifier: Apache-2.0
// What matrix products take, against a model of a few lines that shares no code.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

const std::string kHead =
    "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nkind = \"matmul\"\n";

std::string product(std::int64_t m, std::int64_t n, std::int64_t k) {
  return fmt::format("[[workload.product]]\nm = {}\nn = {}\nk = {}\n", m, n, k);
}

Result run(const std::string& text) {
  return simulate(parse_scenario(text, "test.toml", own_catalog()));
}

/// On an H100 (132 processors, 989 TFLOP/s, 3.35 TB/s), in microseconds.
double h100_us(double m, double n, double k, bool fp8) {
  const double tflop_us = fp8 ? 1979 : 989;  // millions of FLOP a microsecond
  double compute = 1e30;
  for (const double side : {64.0, 128.0})
    for (int parts = 1; parts <= 16; parts *= 2) {
      const double waves = std::ceil(std::ceil(m / side) * std::ceil(n / side) * parts / 132);
      const double rate = tflop_us * 1e6 * 0.8 / 132 * (side == 64 ? 0.5 : 1);
      const double sums = parts > 1 ? parts * m * n * 4 / 3.35e6 : 0;
      compute =
          std::min(compute, waves * 2 * side * side * (std::ceil(k / parts) + 88) / rate + sums);
    }
  const double memory = ((m + n) * k * (fp8 ? 1 : 2) + 2 * m * n) / (3.35e6 * 0.85);
  const double quantize = fp8 ? 2.7 + m * 6.2e-3 + 3 * m * k / (3.35e6 * 0.58) : 0;
  return 2.7 + std::cbrt(std::pow(compute, 3) + std::pow(memory, 3)) + quantize;
}

}  // namespace

TEST_CASE("a matrix product takes its tiles in waves or its bytes, and a kernel's start") {
  for (const bool fp8 : {false, true})
    for (const std::int64_t m : {1, 100, 4096})
      for (const std::int64_t n : {256, 5000})
        for (const std::int64_t k : {300, 16384}) {
          const std::string format = fp8 ? "precision = \"fp8\"\nquantize = true\n" : "";
          const Result result = run(kHead + format + product(m, n, k));
          REQUIRE(result.products.size() == 1);
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(k);
          const double us =
              h100_us(static_cast<double>(m), static_cast<double>(n), static_cast<double>(k), fp8);
          CHECK(result.products[0].time_s * 1e6 == approx(us).epsilon(1e-9));
          const double flop = 2.0 * static_cast<double>(m * n * k);
          CHECK(result.products[0].flop_per_s == approx(flop / us * 1e6));
        }
}

TEST_CASE("no product beats the peak or the memory of its GPU, and a larger one takes no less") {
  double before = 0;
  for (std::int64_t m = 1; m <= 16384; m *= 2) {
    const Result result = run(kHead + product(m, 4096, 4096));
    const auto& line = result.products.at(0);
    const double bytes = 2 * (static_cast<double>(m) * 8192 + 4096.0 * 4096);
    CHECK(line.time_s > bytes / 3.35e12);
    CHECK(line.share_of_peak < 0.8);
    CHECK(line.time_s >= before);
    before = line.time_s;
    CHECK(line.limit.code == (m <= 128 ? LimiterCode::memory : LimiterCode::computing));
  }
}

TEST_CASE("one row more than fills a wave of tiles takes much more time") {
  // 132 processors: 11 x 12 tiles are one wave; of 144, two. Cut along k they fill a part of it.
  constexpr std::int64_t kWave = 1408;     // 11 x 128
  constexpr std::int64_t kColumns = 1536;  // 12 x 128
  const auto time = [](std::int64_t m) {
    return run(kHead + product(m, kColumns, 65536)).products.at(0).time_s;
  };
  CHECK(time(kWave + 1) > 1.15 * time(kWave));
  CHECK(time(kWave) < 1.01 * time(kWave - 1));
}

TEST_CASE("what the GPU does not say, or does not do, is refused") {
  const auto refused = [](const std::string& text) { return refusal_of([&] { run(text); }); };
  CHECK(refused(kHead).find("workload.product is missing; name a shape: [[workload.product]] with "
                            "m, n, k") != std::string::npos);
  CHECK(refused(kHead + "quantize = true\n" + product(1, 1, 1))
            .find("workload.quantize: products in bf16 take their inputs as they are; set "
                  "workload.precision = \"fp8\", or leave it out") != std::string::npos);
  const std::string old =
      "title = \"t\"\nsystem = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"matmul\"\n";
  const std::string missing = refused(old + product(1, 1, 1));
  CHECK(missing.find("nvidia-p100-sxm2-16gb does not say its kernels, which a product's time "
                     "depends on") != std::string::npos);
  CHECK(missing.find("nvidia-p100-sxm2-16gb does not say its peak in bf16") != std::string::npos);
  const std::string untimed =
      "title = \"t\"\nsystem = \"amd-mi300x-8-gpus\"\n[workload]\nkind = \"matmul\"\n";
  CHECK(refused(untimed + product(1, 1, 1))
            .find("no product was ever timed on amd-mi300x, by hipblaslt") != std::string::npos);
}

TEST_CASE("products larger than those that were timed say so") {
  CHECK(run(kHead + product(8192, 8192, 8192)).warnings.empty());
  CHECK(run(kHead + product(16384, 16384, 16384)).warnings ==
        std::vector{fact<WarningCode::products_too_large>()});
}
