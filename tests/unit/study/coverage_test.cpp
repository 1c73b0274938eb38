// SPDX-License-Identifier: Apache-2.0
#include "reports/study/coverage.h"

#include <doctest/doctest.h>

#include <string>

using namespace gpufeed;

namespace {

ValidationRow row(const std::string& system, double measured, double p10, double p90) {
  ValidationRow row;
  row.mechanism = "m";
  row.role = "predict";
  row.system = system;
  row.measured = measured;
  row.predicted = 100;
  row.p10 = p10;
  row.p90 = p90;
  return row;
}

Result result_with_range() {
  Result result;
  result.system = "s";
  result.throughput_samples_per_s = 200;
  result.accelerator_utilization = 0.5;
  result.range.emplace();
  result.range->throughput_samples_per_s = {180, 230};
  result.range->accelerator_utilization = {0.4, 0.6};
  return result;
}

}  // namespace

TEST_CASE("a row has the range of what it measured, as a share of its own prediction") {
  ValidationRow rate;
  rate.key = "benchmark.throughput_v1_samples_per_s";
  rate.predicted = 190;  // the fill counts
  add_range(result_with_range(), rate);
  CHECK(*rate.p10 == doctest::Approx(171));
  CHECK(*rate.p90 == doctest::Approx(218.5));
  ValidationRow busy;
  busy.key = "accelerator_utilization";
  busy.predicted = 50;  // percent
  add_range(result_with_range(), busy);
  CHECK(*busy.p10 == doctest::Approx(40));
  ValidationRow bytes;
  bytes.key = "cache.read_later_epoch_B";
  add_range(result_with_range(), bytes);
  CHECK_FALSE(bytes.p10);
}

TEST_CASE("systems that taught deviations do not count, nor do rows without a range") {
  std::vector<ValidationRow> rows{row("a", 50, 90, 110), row("b", 100, 90, 110),
                                  row("b", 120, 80, 110), row("c", 50, 90, 110),
                                  row("d", 95, 90, 106)};
  rows.push_back(row("b", 100, 90, 110));
  rows.back().p10.reset();
  split_systems(rows);
  CHECK(*rows[0].learned);
  CHECK_FALSE(*rows[1].learned);
  CHECK(*rows[3].learned);
  CHECK_FALSE(rows.back().learned);
  const auto coverage = coverage_of(rows);
  REQUIRE(coverage);
  CHECK(coverage->rows == 3);
  CHECK(coverage->within == doctest::Approx(200.0 / 3));
  CHECK(coverage->median_half_width == doctest::Approx(10));
}

TEST_CASE("where no system is left to score on there is no coverage") {
  std::vector<ValidationRow> rows{row("a", 100, 90, 110)};
  split_systems(rows);
  CHECK_FALSE(coverage_of(rows));
}
