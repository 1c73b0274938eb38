// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/draws.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

TEST_CASE("four of five measurements include other draws of the requests") {
  // What would be measured had the model no error: draws of seeds that no range has seen. One range
  // of nine draws may lie beside; of ten ranges more than three of four of what is seen is inside.
  std::vector<double> measured;
  for (int seed = 1000; seed < 1100; ++seed)
    measured.push_back(one_draw(chat(fmt::format("seed = {}", seed))).ttft_s.p95);
  std::int64_t inside = 0;
  constexpr int kRanges = 10, kDraws = 9;
  for (int range = 0; range < kRanges; ++range) {
    const Answer told = answer_of(chat(fmt::format("seed = {}", 1 + range * kDraws)));
    REQUIRE(told.draws);
    CHECK(told.draws->count == kDraws);
    inside += std::ranges::count_if(measured, [&](double seen) {
      return told.ttft_p95_range_s.low <= seen && seen <= told.ttft_p95_range_s.high;
    });
  }
  const double share = static_cast<double>(inside) / kRanges / static_cast<double>(measured.size());
  INFO("inside: ", share);
  CHECK(share >= 0.77);
}

TEST_CASE("a range of draws by hand: errors of the model and of draws add as squares") {
  Answer one;
  one.ttft_s.p95 = std::exp(1.0);
  one.ttft_s.mean = one.e2e_s.mean = 1;
  std::vector<Answer> others(2, one);
  others[0].ttft_s.p95 = std::exp(0.9);
  others[1].ttft_s.p95 = std::exp(1.1);
  add_ranges(one, others);
  // s = 0.1; Student's t of two degrees at 90 % is 1.8856; n = 3.
  const double draws = 1.8856 * 0.1 * std::sqrt(4.0 / 3);
  CHECK(std::log(one.ttft_p95_range_s.low) ==
        doctest::Approx(1 - std::hypot(std::log(0.85), draws)).epsilon(1e-4));
  CHECK(std::log(one.ttft_p95_range_s.high) ==
        doctest::Approx(1 + std::hypot(std::log(1.3), draws)).epsilon(1e-4));
  CHECK(one.e2e_mean_range_s.high == doctest::Approx(1.12));
}

TEST_CASE("each time of a goal is held against what was reached, in each draw") {
  Document document = chat("seed = 1");
  document.serving.goal = Goal{};
  document.serving.goal->ttft_p95 = Seconds{4};
  document.serving.goal->itl_p99 = Seconds{10};
  const Answer told = answer_of(document);
  REQUIRE(told.goal.size() == 2);
  CHECK(told.goal[0].reached_s == told.ttft_s.p95);
  CHECK(told.goal[0].met == (told.ttft_s.p95 <= 4));
  CHECK(told.goal[1].draws_met == told.draws->count);
  std::int64_t met = 0;
  for (int seed = 1; seed <= 9; ++seed)
    if (one_draw(chat(fmt::format("seed = {}", seed))).ttft_s.p95 <= 4) ++met;
  CHECK(told.goal[0].draws_met == met);
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
  const Answer same =
      answer_of(engine_of(file_of("llama-3.1-8b", kH100, fixed + "concurrency = 4")));
  CHECK_FALSE(same.draws);
  CHECK_FALSE(same.is_drawn);
}

}  // namespace gpufeed::serving
