// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/base/numbers/random.h"
#include "tests/serving/engine.h"
#include "tests/support/draws.h"

namespace gpufeed::serving {
namespace {

Case random_case(Random& random) {
  const auto one_of = [&](std::initializer_list<const char*> all) {
    return *(all.begin() + random.integer(0, std::ssize(all) - 1));
  };
  std::string tables;
  if (random.integer(0, 1) == 1)
    tables += fmt::format("[[serving.tier]]\nat = 'memory'\ncapacity = '{} GB'\nwrite = '{}'\n",
                          random.integer(1, 30), one_of({"through", "evicted"}));
  if (random.integer(0, 1) == 1)
    tables += fmt::format(
        "[[serving.tier]]\nat = 'nas'\nblock = 512\nload = '{}'\n[store.nas]\nbandwidth = '{} "
        "GB/s'\n"
        "capacity = '{} GB'\n",
        one_of({"always", "if-faster"}), random.integer(1, 40), random.integer(10, 200));
  const bool turns = random.integer(0, 2) == 0;
  return make_case(engine_of(file_of(
      "llama-3.1-8b",
      std::string(kH100) +
          fmt::format("kv_tokens = {}\ntoken_budget = {}\nsequences = {}\nreplicas = {}\n"
                      "route = '{}'\nasync = {}",
                      random.integer(20000, 60000), random.integer(512, 4096),
                      random.integer(2, 128), random.integer(1, 3),
                      one_of({"prefix", "round-robin", "least"}), one_of({"true", "false"})),
      fmt::format("{}\ncount = 80\nprompt = {}\nanswer = {}\nprompts = {}\nseed = {}\nturns = {}",
                  random.integer(0, 1) == 1
                      ? fmt::format("rate = '{} requests/s'", random.integer(1, 40))
                      : fmt::format("concurrency = {}", random.integer(1, 40)),
                  random.integer(100, turns ? 1500 : 8000), random.integer(1, 300),
                  random.integer(0, 12), random.integer(0, 1000), turns ? 4 : 1),
      tables)));
}

}  // namespace

TEST_CASE("every token of a prompt is computed or found once, and no block is there twice") {
  Random random(7);
  for (int i = 0; i < draws(300); ++i) {
    const Case of = random_case(random);
    const Outcome outcome = run(of);
    CAPTURE(i);
    double prompts = 0, answers = 0, found = outcome.gpu_hit_tokens;
    for (std::size_t k = 0; k < of.requests.size(); ++k) {
      const Record& record = outcome.requests[k];
      if (record.refused) continue;
      prompts += of.requests[k].prompt;
      answers += of.requests[k].answer;
      REQUIRE(record.first > record.arrival);
      REQUIRE(record.end >= record.first);
      REQUIRE(record.end < kNever);
    }
    for (std::size_t t = 0; t < of.tiers.size(); ++t) {
      const TierTotals& tier = outcome.tiers[t];
      const double block = of.kv_bytes * static_cast<double>(of.tiers[t].block);
      found += tier.hit_tokens;
      CHECK(tier.read_B == doctest::Approx(static_cast<double>(tier.hit_blocks) * block));
      CHECK(tier.hit_tokens <= static_cast<double>(tier.hit_blocks * of.tiers[t].block));
      CHECK(tier.most_held <= of.tiers[t].capacity * (of.tiers[t].shared ? 1 : of.replicas));
    }
    CHECK(outcome.prompt_tokens == prompts);
    CHECK(outcome.computed_tokens + found == prompts + outcome.anew_tokens);
    CHECK(outcome.generated_tokens == answers);
    CHECK(outcome.kv_most <= of.pool);
    CHECK(outcome.batch_most <= of.sequences);
  }
}

TEST_CASE("more bandwidth, memory or room makes nobody wait longer, beyond noise") {
  const auto ttft = [](const std::string& memory, int drives, const std::string& load) {
    const auto document = engine_of(
        file_of("llama-3.1-8b", std::string(kH100) + "kv_tokens = 60000",
                "rate = '1.2 requests/s'\ncount = 200\nprompt = 8192\nanswer = 64\nprompts = 60",
                fmt::format("[[serving.tier]]\nat = 'memory'\ncapacity = '{}'\n[[serving.tier]]\n"
                            "at = 'disk'\nblock = 512\nload = '{}'\n[volume.disk]\n"
                            "drive = 'kioxia-cm7-r-7.68tb'\ncount = {}\n",
                            memory, load, drives)));
    return one_draw(document).ttft_s.mean;
  };
  for (const char* const load : {"always", "if-faster"}) {
    double before = ttft("10 GB", 1, load);
    for (const int drives : {2, 4}) {
      const double then = ttft("10 GB", drives, load);
      CHECK(then < 1.02 * before);
      before = then;
    }
    CHECK(ttft("100 GB", 4, load) < 1.02 * before);
  }
}

}  // namespace gpufeed::serving
