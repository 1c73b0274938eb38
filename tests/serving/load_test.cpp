// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "sim/load/serving/request_log.h"
#include "tests/serving/engine.h"

namespace gpufeed::serving {
namespace {

std::string refused(const std::string& serving, const std::string& requests,
                    const std::string& tables = "", const std::string& model = "llama-3.1-8b") {
  try {
    make_case(engine_of(file_of(model, serving, requests, tables)));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kAsked = "rate = '1 requests/s'\nprompt = 600\nanswer = 250\nprompts = 0";

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::vector<LoggedRequest> log_of(const std::string& text, std::string& problems) {
  Diagnostics out;
  auto log = parse_request_log(text, "trace", out);
  try {
    out.throw_if_any();
  } catch (const InputError& error) {
    problems = error.what();
  }
  return log;
}

}  // namespace

TEST_CASE("what is missing, idle or too large is told at once") {
  CHECK(refused(kH100, kAsked) == "");
  const std::string all = refused(kH100, "rate = '1 requests/s'\nconcurrency = 3");
  CHECK(says(all, "needs one of rate"));
  CHECK(says(all, "prompt is missing"));
  CHECK(says(all, "answer is missing"));
  CHECK(says(all, "prompts is missing"));
  CHECK(says(refused("", kAsked), "needs a system with GPUs, or gpu"));
  CHECK(says(refused(kH100, kAsked, "", "resnet-50"), "is no language model"));
  CHECK(says(refused(kH100, kAsked, "", "llama-3.1-70b"), "leave no room"));
  CHECK(says(refused(kH100, kAsked,
                     "[[serving.tier]]\nat = 'nass'\n[store.nas]\nbandwidth = "
                     "'1 GB/s'\ncapacity = '1 TB'\n"),
             "did you mean \"nas\""));
  CHECK(says(refused(kH100, kAsked, "[[serving.tier]]\nat = 'memory'\n"), "capacity of memory"));
  CHECK(says(refused(std::string(kH100) + "prefix_cache = false", kAsked,
                     "[[serving.tier]]\nat = 'memory'\ncapacity = '1 TB'\n"),
             "nothing is looked up"));
  CHECK(says(refused(std::string(kH100) + "kv_tokens = 320", kAsked), "no request fits"));
  CHECK(says(refused("system = 'x'", kAsked), "unknown key"));
}

TEST_CASE("an engine's own words are taken for the keys") {
  const Document document = engine_of(file_of(
      "llama-3.1-8b",
      std::string(kH100) + "tensor_parallel_size = 2\nmax_num_batched_tokens = 2048\n"
                           "max_num_seqs = 64\ngpu_memory_utilization = 0.8",
      "rate = '1 requests/s'\nprompt = { mean = 600, p95 = 1200 }\nanswer = 250\nprompts = 0"));
  CHECK(document.serving.tensor == 2);
  CHECK(document.serving.token_budget == 2048);
  CHECK(document.serving.sequences == 64);
  CHECK(document.serving.requests.prompt_p95 == 1200);
  const Case of = make_case(document);
  double sum = 0;
  for (const Request& one : of.requests) sum += one.prompt;
  CHECK(sum / static_cast<double>(of.requests.size()) == doctest::Approx(600).epsilon(0.05));
}

TEST_CASE("logs are JSON, a line each, or CSV; every bad line is told by its number") {
  std::string problems;
  auto log = log_of(
      "{\"timestamp\": 2000, \"x\": {\"y\": [1, \"}\"]}, \"input_length\": 20, "
      "\"output_length\": 3, \"hash_ids\": [4, 5]}\n\n"
      "{\"timestamp\": 1000, \"input_length\": 7, \"output_length\": 1}\n",
      problems);
  CHECK(problems == "");
  REQUIRE(log.size() == 2);
  CHECK(log[0].prompt == 7);
  CHECK(log[1].at == 1);
  CHECK(log[1].blocks == std::vector<std::int64_t>{4, 5});
  log = log_of("arrival,input_length,output_length,hash_ids\n1.5,20,3,4 5\n", problems);
  CHECK(problems == "");
  REQUIRE(log.size() == 1);
  CHECK(log[0].blocks.size() == 2);
  log_of(
      "{\"timestamp\": 0, \"input_length\": 20}\n{\"timestamp\": 0, \"input_length\": -1, "
      "\"output_length\": 1}\n{nonsense\n",
      problems);
  CHECK(says(problems, "trace:1:1: error: output_length is missing"));
  CHECK(says(problems, "trace:2:1: error: input_length must be a whole number"));
  CHECK(says(problems, "trace:3:"));
  log_of("arival,input_length,output_length\n", problems);
  CHECK(says(problems, "did you mean \"arrival\""));
  for (const char* const broken : {"{", "{\"", "{\"a\"", "{\"a\":", "{\"hash_ids\":[", "{\"a\\",
                                   "[[[[[[", "{\"a\": [[[[", "\"", ",", "a,b\n1"})
    CHECK(log_of(broken, problems).empty());
}

}  // namespace gpufeed::serving
