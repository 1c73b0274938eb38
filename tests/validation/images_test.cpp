// SPDX-License-Identifier: Apache-2.0
// Diffusion and detection networks, by what other sources' networks attain.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "reports/study/validate.h"

namespace gpufeed {

TEST_CASE("diffusion and detection: each source by rates that it has not fed") {
  constexpr double kMostMedian = 20;  // percent
  const std::string source = GPUFEED_SOURCE_DIR;
  ValidationRun run;
  run.ranges = false;
  run.jobs = std::max(1U, std::thread::hardware_concurrency());
  run.progress = [](std::int64_t, std::int64_t) {};
  const Catalog catalog({source + "/hw_catalog", source + "/workloads"});
  const auto files = case_files(source + "/tests/validation/images");
  const ValidationReport report = validate(files, catalog, run);
  for (const auto& failure : report.failures) FAIL_CHECK(failure.title, ": ", failure.message);
  REQUIRE(report.mechanisms.size() == 2);
  for (const auto& score : report.mechanisms) {
    MESSAGE(fmt::format("{}: {} rows, mean {:.1f} %, median {:.1f} %", score.name, score.cases,
                        score.mean_abs_error, score.median_abs_error));
    CHECK(score.cases >= 40);
    CHECK(score.median_abs_error <= kMostMedian);
  }
}

}  // namespace gpufeed
