// SPDX-License-Identifier: Apache-2.0
#include "reports/study/coverage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace gpufeed;

namespace {

ValidationRow row(const std::string& source, double measured, double p10, double p90) {
  ValidationRow row;
  row.role = "predict";
  row.source = source;
  row.measured = measured;
  row.predicted = 100;
  row.p10 = p10;
  row.p90 = p90;
  return row;
}

PredictionInterval interval(const std::string& of, double p10, double p50, double p90) {
  PredictionInterval out;
  out.of = of;
  out.mechanism = Mechanism::storage_binds;
  out.p10 = p10;
  out.p50 = p50;
  out.p90 = p90;
  out.parameters = 0.07;
  return out;
}

ValidationRow told(const std::string& key, double predicted) {
  Result result;
  result.steps = {Step::split};
  result.prediction_intervals = {interval("throughput_samples_per_s", 180, 200, 230),
                                 interval("io[read].bandwidth_Bps", 1e9, 2e9, 3e9)};
  ValidationRow out;
  out.key = key;
  out.predicted = predicted;
  add_interval(result, out);
  return out;
}

}  // namespace

TEST_CASE("a row has the interval of the only key in what it measured, in its own unit") {
  const ValidationRow rate = told("throughput_samples_per_s * 262144", 1000);
  CHECK(*rate.p10 == doctest::Approx(900));
  CHECK(*rate.p90 == doctest::Approx(1150));
  CHECK(rate.predicted_by == Mechanism::storage_binds);
  CHECK(rate.steps == Steps{Step::split});
  CHECK(rate.parameters == 0.07);
  CHECK(*told("io[read].bandwidth_Bps", 2).p90 == doctest::Approx(3));
  for (const std::string key :
       {"cache.read_later_epoch_B", "throughput_samples_per_s / benchmark.utilization_v1 / 43.3",
        "43.3 / throughput_samples_per_s"}) {
    CAPTURE(key);
    CHECK_FALSE(told(key, 1).p10);
    CHECK_FALSE(told(key, 1).predicted_by);
  }
}

TEST_CASE("all rows with an interval count, and every source once") {
  std::vector<ValidationRow> rows{row("a", 50, 90, 110),  row("a", 100, 90, 110),
                                  row("a", 101, 90, 110), row("a", 102, 90, 110),
                                  row("b", 120, 80, 110), row("c", 1, 90, 110)};
  rows.back().role = "fit";
  rows.push_back(row("d", 100, 90, 110));
  rows.back().p10.reset();
  const auto coverage = coverage_of(rows);
  REQUIRE(coverage);
  CHECK(coverage->rows == 5);
  CHECK(coverage->sources == 2);
  CHECK(coverage->within == doctest::Approx(60));
  CHECK(coverage->within_by_source == doctest::Approx(75.0 / 2));
  CHECK(coverage->below == doctest::Approx(20));
  CHECK(coverage->above == doctest::Approx(20));
  CHECK(coverage->median_half_width == doctest::Approx(10));
}

// 2 / (1 - 0.8) = 10 times the distance, of logarithms.
TEST_CASE("the interval score adds the width, and ten times how far a value lies outside") {
  const double width = std::log(110.0 / 90);
  CHECK(coverage_of({row("a", 100, 90, 110)})->interval_score == doctest::Approx(width));
  CHECK(coverage_of({row("a", 121, 90, 110)})->interval_score ==
        doctest::Approx(width + 10 * std::log(1.1)));
  CHECK(coverage_of({row("a", 45, 90, 110)})->interval_score ==
        doctest::Approx(width + 10 * std::log(2.0)));
}

TEST_CASE("a row says whether its source has fed the intervals") {
  std::vector<ValidationRow> rows{row("a", 100, 90, 110), row("b", 100, 90, 110),
                                  row("a", 100, 90, 110)};
  rows.back().p10.reset();
  note_learned({"a"}, rows);
  CHECK(*rows[0].learned);
  CHECK_FALSE(*rows[1].learned);
  CHECK_FALSE(rows[2].learned);
}

TEST_CASE("where no row has an interval there is no coverage") {
  std::vector<ValidationRow> rows{row("a", 100, 90, 110)};
  rows.back().p10.reset();
  CHECK_FALSE(coverage_of(rows));
}
