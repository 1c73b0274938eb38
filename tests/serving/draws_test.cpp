// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/draws.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/study/served_points.h"
#include "reports/study/served_whatif.h"
#include "sim/range/chance.h"
#include "sim/serving/outcomes.h"
#include "tests/serving/engine.h"

namespace gpufeed::serving {
namespace {

const char* const kChat =
    "prompt = 3000\nanswer = 250\nprompts = 0\nturns = 8\npause = '60 s'\ncount = 400\n"
    "rate = '1.6 requests/s'\n";

Document chat(const std::string& more) {
  return engine_of(file_of("llama-3.1-8b", kH100, kChat + more));
}

}  // namespace

TEST_CASE("four of five measurements lie in the range, with other requests and the model off") {
  // What would be measured of seeds that no range has seen, each with an error of the model.
  std::vector<double> measured;
  const Answer predicted = one_draw(chat("seed = 1"));
  for (int seed = 0; seed < 100; ++seed)
    measured.push_back(
        one_draw(chat(fmt::format("seed = {}", 1000 + seed)),
                 errors_at(predicted, outcome_deviation(static_cast<std::size_t>(10 * seed + 5))))
            .ttft_s.p95);
  std::int64_t inside = 0;
  constexpr int kRanges = 10;
  for (int range = 0; range < kRanges; ++range) {
    const Answer told =
        answer_of(chat(fmt::format("seed = {}", 1 + range * kOutcomesTried)), Repeats::ranges);
    REQUIRE(told.draws);
    CHECK(told.draws->count == kOutcomesTried);
    inside += std::ranges::count_if(measured, [&](double seen) {
      return told.ttft_p95_range_s.low <= seen && seen <= told.ttft_p95_range_s.high;
    });
  }
  const double share = static_cast<double>(inside) / kRanges / static_cast<double>(measured.size());
  INFO("inside: ", share);
  CHECK(share >= 0.73);
  CHECK(share <= 0.93);
}

TEST_CASE(
    "a range ends between the second and third of twenty outcomes, and includes what is told") {
  std::vector<double> values;
  for (int i = 20; i > 0; --i) values.push_back(i);
  CHECK(range_of(values, 10).low == 2.5);
  CHECK(range_of(values, 10).high == 18.5);
  CHECK(range_of(values, 19).high == 19);
  CHECK(range_of(values, 1).low == 1);
}

TEST_CASE("simulate, what-if and recommend tell the same range of the same engine") {
  const Document document = chat("seed = 3");
  const Answer simulated = answer_of(document, Repeats::ranges);
  const Answer predicted = one_draw(document);
  const auto intervals = intervals_in(outcomes_of(document, predicted), predicted);
  const auto first =
      std::ranges::find(intervals, std::string("ttft_s.p95"), &PredictionInterval::of);
  REQUIRE(first != intervals.end());
  CHECK(first->p10 == simulated.ttft_p95_range_s.low);
  CHECK(first->p90 == simulated.ttft_p95_range_s.high);
  const Answer advised = what_if(document, {});
  CHECK(advised.ttft_p95_range_s.low == simulated.ttft_p95_range_s.low);
  CHECK(advised.ttft_p95_range_s.high == simulated.ttft_p95_range_s.high);
}

TEST_CASE("a long run has ranges too, and they are wide where nothing was measured") {
  const std::string asked =
      "prompt = 600\nanswer = 100\nprompts = 100\ncount = 4000\nrate = '4 requests/s'";
  const auto of = [&](const std::string& tables) {
    return answer_of(engine_of(file_of("llama-3.1-8b", kH100, asked, tables)));
  };
  const Answer known = of("");
  CHECK(known.unmeasured.empty());
  CHECK_FALSE(known.draws);
  CHECK(known.e2e_mean_range_s.low == doctest::Approx(0.9 * known.e2e_s.mean).epsilon(0.02));
  CHECK(known.e2e_mean_range_s.high == doctest::Approx(1.12 * known.e2e_s.mean).epsilon(0.03));
  const Answer wide = of("[[serving.tier]]\nat = 'memory'\ncapacity = '100 GB'\n");
  CHECK_FALSE(wide.unmeasured.empty());
  CHECK(wide.e2e_mean_range_s.high > 1.9 * wide.e2e_s.mean);
}

TEST_CASE("each time of a goal is held against what was reached, in each draw") {
  Document document = chat("seed = 1");
  document.serving.goal = Goal{};
  document.serving.goal->ttft_p95 = Seconds{4};
  document.serving.goal->itl_p99 = Seconds{10};
  const Answer told = answer_of(document, Repeats::ranges);
  REQUIRE(told.goal.size() == 2);
  CHECK(told.goal[0].time == GoalTime::ttft_p95);
  CHECK(told.goal[0].reached_s == told.ttft_s.p95);
  CHECK(told.goal[1].time == GoalTime::itl_p99);
  CHECK(told.goal[1].reached_s == told.itl_s.p99);
  CHECK(told.goal[0].met == (told.ttft_s.p95 <= 4));
  CHECK(told.goal[1].draws_met == told.draws->count);
  const auto outcomes = outcomes_of(document, told);
  CHECK(told.goal[0].draws_met ==
        std::ranges::count_if(outcomes, [](const Answer& one) { return one.ttft_s.p95 <= 4; }));
}

TEST_CASE("what no seed moves is not drawn again") {
  const auto drawn = [](const std::string& requests) {
    return is_drawn(engine_of(file_of("llama-3.1-8b", kH100, requests)).serving.requests);
  };
  const std::string fixed = "prompt = 300\nanswer = 20\nprompts = 0\ncount = 20\n";
  CHECK(drawn(fixed + "rate = '1 requests/s'"));
  CHECK_FALSE(drawn(fixed + "rate = '1 requests/s'\narrivals = 'constant'"));
  CHECK_FALSE(drawn(fixed + "concurrency = 4"));
  CHECK(drawn("prompt = { mean = 300, p95 = 500 }\nanswer = 20\nprompts = 0\nconcurrency = 4"));
}

}  // namespace gpufeed::serving
