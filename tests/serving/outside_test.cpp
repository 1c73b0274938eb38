// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/serving/engine.h"

// What lies outside what is simulated is refused where it stands, with a fix: nothing is held to a
// bound in silence.
namespace gpufeed::serving {
namespace {

std::string told(const std::string& serving, const std::string& requests,
                 const std::string& tables = "") {
  try {
    make_case(engine_of(file_of("llama-3.1-8b", kH100 + serving, requests, tables)));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kPlain =
    "rate = '1 requests/s'\nprompt = 600\nanswer = 250\nprompts = 0\ncount = 8\n";

}  // namespace

TEST_CASE("a prompt of more than 10^7 tokens is refused, drawn ones and histories, too") {
  const auto asked = [](const std::string& more) {
    return told("", "rate = '1 requests/s'\nanswer = 250\nprompts = 0\n" + more);
  };
  CHECK(says(asked("prompt = 10000001"),
             "serving.requests.prompt must be a whole number from 1 to 10000000"));
  const std::string drawn = asked("prompt = { mean = 6000000, p95 = 9999999 }\ncount = 2000");
  CHECK(says(drawn, "serving.toml:"));
  CHECK(says(drawn, "a prompt of "));
  CHECK(says(drawn, "at most 10000000 are simulated; lower prompt"));
  // 300 turns of 9 x 10^6 tokens are more than an int counts.
  const std::string history = asked("prompt = 9000000\nturns = 300\ncount = 300");
  CHECK(says(history, "a prompt with its history of 18000250 tokens"));
  CHECK(says(history, "or turns"));
}

TEST_CASE("a pool or tier of more than 10^12 blocks is refused") {
  CHECK(says(told("kv_tokens = 100000000001", kPlain),
             "serving.kv_tokens must be a whole number from"));
  const auto tier = [](const std::string& capacity) {
    return told("", kPlain,
                "[[serving.tier]]\nat = 'nas'\nblock = 16\n[store.nas]\nbandwidth = '1 GB/s'\n"
                "capacity = '" +
                    capacity + "'\n");
  };
  CHECK(tier("2000 PB") == "");  // 10^12 blocks of 2.1 MB are 2.1 EB
  const std::string wide = tier("3000 PB");
  CHECK(says(wide, "serving.tier.capacity: nas holds 1,430,000,000,000 blocks of 16 tokens"));
  CHECK(says(wide, "lower its capacity, or raise its block"));
}

TEST_CASE("no pool of 10^12 blocks comes of a GPU's memory") {
  Sizes sizes;
  sizes.kv_bytes = 4;
  ServingEngine engine;
  engine.usable_memory = Ratio{1};
  engine.reserved = Bytes{0};
  CHECK(pool_blocks(sizes, 1e15, 1, 1, engine) == 15625000000000);  // as it is: make_case refuses
  sizes.parameters = 1e15;
  sizes.weight_bytes = 2;
  CHECK(pool_blocks(sizes, 1e15, 1, 1, engine) == -15625000000000);
}

TEST_CASE("no replica, none of a GPU, and more GPUs than a machine has are refused") {
  CHECK(
      says(told("replicas = 0", kPlain), "serving.replicas must be a whole number from 1 to 1024"));
  CHECK(says(told("tensor = 0", kPlain), "serving.tensor must be a whole number from 1 to 64"));
  CHECK(says(told("replicas = 1025", kPlain),
             "serving.replicas must be a whole number from 1 to 1024"));
}

TEST_CASE("a rate of nothing is refused") {
  const auto rate = [](const std::string& value) {
    return told("", "prompt = 600\nanswer = 250\nprompts = 0\nrate = '" + value + "'");
  };
  CHECK(says(rate("0 requests/s"), "serving.requests.rate must be text with a unit from"));
  CHECK(says(rate("-1 requests/s"), "serving.requests.rate must be text with a unit from"));
}

}  // namespace gpufeed::serving
