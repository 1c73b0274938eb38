// SPDX-License-Identifier: Apache-2.0
// Memory of workflow and training tasks as published (Sizey, Tesseract), where their tables are
// there.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "calib/requests/report.h"
#include "tests/unit/calib/requests/made_log.h"

using namespace gpufeed;

namespace {

const ClassAccuracy& row(const ClockReport& clock, std::string_view name) {
  return *std::ranges::find(clock.classes, name, &ClassAccuracy::name);
}

}  // namespace

TEST_CASE(
    "by published logs the poll is no dearer than the largest and a tenth, and no less right") {
  constexpr double kFew = 0.01, kNear = 1.05, kRounding = 1e-9;
  for (const char* const name : {"sizey_job_memory.csv", "tesseract_tspg_train_target.csv"}) {
    CAPTURE(name);
    std::ifstream file(std::filesystem::path(GPUFEED_SOURCE_DIR "/../shared/reference/jobs") /
                       name);
    if (!file) {
      MESSAGE("not checked: no published logs beside the checkout");
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const RequestReport report = report_requests(log_of(text), RequestPolicy::few_too_small, name);
    for (const ClockReport& clock : report.needs.at(0).clocks) {
      const RequestOutcome& poll = clock.requests.at(0);
      const RequestOutcome& largest = clock.requests.at(1);
      CHECK(poll.waste <= largest.waste * (clock.clock == Clock::rows ? 1 : kNear));
      CHECK(poll.too_small <= kFew);
      for (std::size_t s = 0; s < kSegments; ++s)
        CHECK(row(clock, "poll").right.at(s) >=
              row(clock, "average of the learners").right.at(s) - kRounding);
    }
  }
}
