// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>

#include "sim/load/serving/request_log.h"
#include "sim/model/serving/engine_words.h"
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

TEST_CASE("each word of another program is the key that it means; both are refused by name") {
  const auto table = [](const EngineWord& word, const std::string& line) {
    const bool is_tier = word.table == "tier";
    return file_of("llama-3.1-8b", kH100 + (is_tier ? "" : line), kAsked,
                   "[[serving.tier]]\n" + (word.key == "at" ? "" : std::string("at = 'nas'\n")) +
                       (is_tier ? line : "") +
                       "\n[store.nas]\nbandwidth = '9 GB/s'\ncapacity = '1 TB'\n");
  };
  const std::map<std::string_view, std::string> values{
      {"tensor", "2"},        {"replicas", "3"},        {"token_budget", "4096"},
      {"sequences", "64"},    {"block", "16"},          {"memory_share", "0.8"},
      {"kv_tokens", "50000"}, {"prefix_cache", "true"}, {"async", "false"},
      {"route", "'prefix'"},  {"capacity", "'64 GB'"},  {"at", "'nas'"},
      {"write", "'through'"}};
  const auto written = [&](const Document& one) {
    const TierRow& tier = one.serving.tiers.front();
    const ServingTable& own = one.serving;
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}", own.tensor, own.replicas,
                       own.token_budget, own.sequences, own.block, own.memory_share.value_or(0),
                       own.kv_tokens.value_or(0), own.prefix_cache, own.async, name_of(own.route),
                       tier.at, tier.capacity ? tier.capacity->value : 0, name_of(tier.write),
                       tier.block);
  };
  for (const EngineWord& word : engine_words()) {
    CAPTURE(word.word);
    REQUIRE(values.contains(word.key));
    const std::string& value = values.at(word.key);
    const bool is_size = word.form == WordForm::gigabytes || word.form == WordForm::of_each_rank;
    const std::string said = word.form == WordForm::opposite ? (value == "true" ? "false" : "true")
                             : is_size                       ? "64"
                                                             : value;
    const std::string other = fmt::format("{} = {}\n", word.word, said);
    const std::string own = fmt::format("{} = {}\n", word.key, value);
    CHECK(written(engine_of(table(word, other))) == written(engine_of(table(word, own))));
    std::string both;
    try {
      engine_of(table(word, own + other));
    } catch (const InputError& error) {
      both = error.what();
    }
    CHECK(says(both, fmt::format("{} and {} are two names", word.key, word.word)));
  }
}

TEST_CASE("values in words of other programs, and sizes of each rank") {
  const Document one = engine_of(
      file_of("llama-3.1-8b", std::string(kH100) + "tp_size = 4\nrouter_mode = 'kv'\n", kAsked,
              "[[serving.tier]]\nat = 'G2'\nhicache_size = 30\n"
              "hicache_write_policy = 'write_back'\n"));
  CHECK(one.serving.route == Route::prefix);
  CHECK(one.serving.tiers.front().at == "memory");
  CHECK(one.serving.tiers.front().capacity->value == doctest::Approx(120e9));
  CHECK(one.serving.tiers.front().write == Written::evicted);
  CHECK(says(refused(std::string(kH100) + "router_mode = 'random'\n", kAsked), "round-robin"));
}

TEST_CASE("--set gives a key by any of its names, whatever the file calls it") {
  static const Catalog catalog{{kRoot / "hw_catalog", kRoot / "workloads"}};
  const std::string text =
      file_of("llama-3.1-8b", std::string(kH100) + "max_running_requests = 64\n", kAsked);
  for (const char* const name : {"sequences", "max_num_seqs", "max_running_requests"}) {
    const Override set{KeyPath("serving") / name, "32", "--set"};
    CHECK(parse_serving(text, "serving.toml", catalog, {set}).serving.sequences == 32);
  }
}

TEST_CASE("a kind at the top of the file is told where it belongs") {
  std::string told;
  try {
    engine_of("kind = 'serving'\n" + file_of("llama-3.1-8b", kH100, kAsked));
  } catch (const InputError& error) {
    told = error.what();
  }
  CHECK(says(told, "workload.kind = \"serving\""));
  CHECK_FALSE(says(told, "unknown key"));
}

TEST_CASE("--set adds tiers that the file does not have") {
  static const Catalog catalog{{kRoot / "hw_catalog", kRoot / "workloads"}};
  const std::string text =
      file_of("llama-3.1-8b", kH100, kAsked, "[volume.kv]\ndrive = 'kioxia-cm7-r-7.68tb'\n");
  const auto tiers = [&](const std::vector<Override>& sets) {
    return parse_serving(text, "serving.toml", catalog, sets).serving.tiers;
  };
  const Override drive{KeyPath("serving.tier[1].at"), "kv", "--set"};
  REQUIRE(tiers({drive}).size() == 1);
  CHECK(tiers({drive}).front().at == "kv");
  CHECK(tiers({{KeyPath("serving.tier[0].at"), "none", "--set"}}).empty());
  const auto both = tiers({{KeyPath("serving.tier[0].at"), "memory", "--set"},
                           {KeyPath("serving.tier[0].capacity"), "64 GB", "--set"},
                           drive});
  REQUIRE(both.size() == 2);
  CHECK(both[0].capacity->value == 64e9);
}

}  // namespace gpufeed::serving
