// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/model/catalog/drive_law.h"
#include "tests/serving/engine.h"

namespace gpufeed::serving {
namespace {

/// Requests that are there, for a case whose law is asked alone.
constexpr const char* kOne =
    "rate = '1 requests/s'\ncount = 1\nprompt = 100\nanswer = 2\nprompts = 1";

Case case_of(const std::string& model, int tensor, const std::string& requests = kOne,
             const std::string& serving = "", const std::string& tables = "") {
  return make_case(
      engine_of(file_of(model, std::string(kH100) + fmt::format("tensor = {}\n", tensor) + serving,
                        requests, tables)));
}

Answer answer_of(const std::string& requests, const std::string& serving,
                 const std::string& tables = "") {
  return one_draw(
      engine_of(file_of("llama-3.1-8b", std::string(kH100) + serving, requests, tables)));
}

auto near(double value) { return doctest::Approx(value).epsilon(0.01); }

}  // namespace

TEST_CASE("KV caches hold what memory leaves") {
  CHECK(static_cast<double>(case_of("llama-3.1-8b", 1).pool * kBlock) == near(454240));
  CHECK(static_cast<double>(case_of("llama-3.1-70b", 4).pool * kBlock) == near(492240));
  CHECK(static_cast<double>(case_of("mixtral-8x7b", 2).pool * kBlock) == near(440976));
}

TEST_CASE("steps take what reading, multiplying, attention and starting take") {
  const StepLaw small = case_of("llama-3.1-8b", 1).law;
  CHECK(small.seconds(1, 1, 1000, 0) == near(6.743e-3));
  CHECK(small.seconds(64, 64, 64000, 0) == near(9.809e-3));
  CHECK(small.prefill(2048, 0, 1e9) == near(55.46e-3));
  CHECK(small.prefill(8192, 24576, 1e9) == near(530.7e-3));
  CHECK(case_of("llama-3.1-70b", 4).law.seconds(32, 32, 32000, 0) == near(18.15e-3));
  const StepLaw experts = case_of("mixtral-8x7b", 2).law;
  CHECK(experts.seconds(1, 1, 1000, 0) == near(6.42e-3));
  CHECK(experts.seconds(32, 32, 32000, 0) == near(18.59e-3));
}

TEST_CASE("a long prompt alone goes in chunks of the budget") {
  const char* const asked = "concurrency = 1\ncount = 1\nprompt = 32768\nanswer = 2\nprompts = 0";
  for (const auto& [model, tensor, seconds] :
       {std::tuple("llama-3.1-8b", 1, 1.572), std::tuple("llama-3.1-70b", 4, 3.782)}) {
    const auto document =
        engine_of(file_of(model, std::string(kH100) + fmt::format("tensor = {}", tensor), asked));
    CHECK(serving::one_draw(document).ttft_s.mean == near(seconds));
  }
}

TEST_CASE("a prompt that is known waits two and a half steps, or one and a half") {
  const char* const asked =
      "rate = '10 requests/s'\narrivals = 'constant'\ncount = 1000\nprompt = 1008\nanswer = 201\n"
      "prompts = 1";
  const Answer answer = answer_of(asked, "token_budget = 2048");
  CHECK(answer.ttft_s.mean == near(25.2e-3));
  CHECK(answer.itl_s.mean == near(7.49e-3));
  CHECK(answer.hit_share == near(0.9831));
  CHECK(answer_of(asked, "token_budget = 2048\nasync = false").ttft_s.mean == near(17.7e-3));
}

TEST_CASE("where room ends, who came last is thrown out") {
  const Answer answer =
      answer_of("concurrency = 600\ncount = 600\nprompt = 1000\nanswer = 100\nprompts = 0",
                "token_budget = 2048\nkv_tokens = 100_000");
  CHECK(answer.preemptions == 25);
  CHECK(answer.duration_s == near(22.88));
}

TEST_CASE("drives give what their law gives at the block and queue depth") {
  DriveLaw law;
  law.bandwidth = law.request_bandwidth = Bandwidth{14.5e9};
  law.request_rate = Rate{3.1e6};
  law.latency = Seconds{60e-6};
  law.largest_request = Bytes{131072};
  CHECK(attained_bandwidth(law, Bytes{1048576}, 1).value == near(7.757e9));
  CHECK(attained_bandwidth(law, Bytes{16384}, 32).value == near(8.331e9));
}

TEST_CASE("a cycle that a tier holds is found, one that it does not hold never") {
  const auto found = [&](int blocks) {
    return answer_of(
        "rate = '0.2 requests/s'\narrivals = 'constant'\ncount = 60\nprompt = 10240\nanswer = 10\n"
        "prompts = 20",
        "kv_tokens = 20_608",
        fmt::format("[[serving.tier]]\nat = 'memory'\nblock = 512\ncapacity = '{} B'\n",
                    blocks * 512L * 131072L));
  };
  const Answer large = found(400);
  CHECK(large.hit_share == near(0.6333));
  CHECK(large.tiers.front().hit_blocks == 760);
  CHECK(found(200).hit_share == 0);
}

TEST_CASE("reading and computing break even at the cache's bytes over the time of prefill") {
  for (const auto& [model, tensor, rate] :
       {std::tuple("llama-3.1-8b", 1, 4.272e9), std::tuple("llama-3.1-70b", 4, 3.491e9)}) {
    const Case of = case_of(model, tensor);
    CHECK(8192 * of.kv_bytes / of.law.prefill(8192, 0, 8192) == near(rate));
  }
}

TEST_CASE("caches of some sizes find as many blocks of a log as a plain count") {
  std::vector<LoggedRequest> log(5);
  log[0].blocks = {1, 2, 3};
  log[1].blocks = {1, 2, 4};
  log[2].blocks = {5, 6};
  log[3].blocks = {1, 2, 3};
  log[4].blocks = {1, 7};
  // Of three, the oldest first: 3 2 1 | 4 2 1 | 1 6 5 | 3 2 1
  const auto reuse = reuse_of(log, {3, std::nullopt}, 1);
  CHECK(reuse[1].hits == 2 + 3 + 1);
  CHECK(reuse[0].hits == 2 + 1 + 1);
}

TEST_CASE("of the chat trace each size finds what is known") {
  const std::filesystem::path trace =
      kRoot / "../shared/reference/serving/mooncake_conversation.jsonl";
  if (!std::filesystem::exists(trace)) {
    MESSAGE("skipped: the trace is not here");
    return;
  }
  const Document document =
      engine_of(file_of("llama-3.1-8b", kH100, "log = '" + trace.string() + "'"));
  const auto reuse = reuse_of(document.log, {std::nullopt, 10000, 1000}, 1);
  REQUIRE(reuse.size() == 3);
  CHECK(reuse[0].hits == 105710);
  CHECK(reuse[1].hits == 61046);
  CHECK(reuse[2].hits == 12847);
}

TEST_CASE("a volume of the system has the law and the room of its layout") {
  static const Catalog catalog{{kRoot / "hw_catalog", kRoot / "workloads"}};
  const auto tier_of = [](const std::string& layout) {
    const std::string text =
        "system = 'nvidia-dgx-h100'\n" +
        file_of("llama-3.1-8b", "tensor = 8\n", kOne,
                "[[serving.tier]]\nat = 'scratch'\nblock = 512\npath = 'gpudirect'\n");
    const Override set{KeyPath("system.volume[scratch].layout"), layout, "--set"};
    return make_case(parse_serving(text, "serving.toml", catalog, {set})).tiers.front();
  };
  // 67 MB in pieces of 512 KiB: full stripes, with every drive at its rate.
  constexpr double kDrives = 8;
  const TierLaw plain = tier_of("raid0");
  const auto room = static_cast<double>(plain.capacity);
  for (const auto& [layout, written, part] :
       {std::tuple("raid1", kDrives, 1 / kDrives), std::tuple("raid10", 2.0, 0.5),
        std::tuple("raid5", kDrives / (kDrives - 1), (kDrives - 1) / kDrives),
        std::tuple("raid6", kDrives / (kDrives - 2), (kDrives - 2) / kDrives)}) {
    const std::string name = layout;
    CAPTURE(name);
    const TierLaw one = tier_of(layout);
    CHECK(one.write_rate == doctest::Approx(plain.write_rate / written).epsilon(0.02));
    CHECK(one.read_rate == doctest::Approx(plain.read_rate).epsilon(0.02));
    CHECK(static_cast<double>(one.capacity) == doctest::Approx(room * part).epsilon(0.001));
  }
}

}  // namespace gpufeed::serving
