// SPDX-License-Identifier: Apache-2.0
// Defaults that decide are named beside the answer, with the effect of the scenario that states
// something else.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/deciding.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/decoders.h"
#include "tests/support/evidence.h"
#include "tests/support/one_gpu.h"

using namespace gpufeed;

namespace {

/// ResNet-50 on an H100, whose loader's workers decode on as many cores as they like.
std::string decoding(const std::string& decode_time, const std::string& more = "") {
  return one_gpu("nvidia-h100-sxm5-80gb", "",
                 "{ title = \"d\", samples = 1000000, sample_size = \"100 kB\", decode_time = \"" +
                     decode_time + "\", source = \"s\", basis = \"estimate\" }") +
         "model = \"resnet-50\"\nbatch_per_gpu = 64\nprecision = \"fp16\"\nsamples = 200000\n"
         "[run]\nrange_samples = 0\nreplications = 0\n" +
         more;
}

const std::string kExperts =
    decoder_text("nvidia-dgx-h100", "qwen3-30b-a3b", "precision = \"bf16\"\nbatch_per_gpu = 1\n",
                 "parallel = { expert = 8, shard = \"optimizer\" }\n");

Result answer(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return simulate(parse_scenario(text, "test.toml", own_catalog(), overrides));
}

const DecidingDefault* named(const Result& result, const KeyPath& key) {
  const auto& all = result.deciding_defaults;
  const auto found = std::ranges::find(all, key, &DecidingDefault::key);
  return found == all.end() ? nullptr : &*found;
}

std::string set_of(const DecidingDefault& one, const std::string& value) {
  return fmt::format("{}={}", text(one.key), value);
}

/// Each states what a scenario gives that says so, and is silent once either is said.
void check_all(const std::string& text) {
  const Result now = answer(text);
  for (const DecidingDefault& one : now.deciding_defaults) {
    INFO(gpufeed::text(one.key), " ", one.value, " ", one.alternative);
    const Result other = answer(text, {set_of(one, one.alternative)});
    CHECK(
        std::abs(other.throughput_samples_per_s / now.throughput_samples_per_s / (1 + one.effect) -
                 1) < 0.01);
    CHECK_FALSE(named(other, one.key));
    const Result said = answer(text, {set_of(one, one.value)});
    CHECK_FALSE(named(said, one.key));
    CHECK(std::abs(said.throughput_samples_per_s / now.throughput_samples_per_s - 1) < 0.01);
  }
}

}  // namespace

TEST_CASE("loader workers that nobody counted are named where they hold the GPU back") {
  const std::string slow = decoding("8 ms");
  const Result result = answer(slow);
  REQUIRE(result.bottleneck.resource == fact<LimiterCode::loader_workers>());
  const DecidingDefault* const workers = named(result, "loader.workers_per_gpu");
  REQUIRE(workers);
  CHECK(workers->value == "8");
  CHECK(workers->alternative == "16");
  CHECK(workers->effect > 0.8);  // twice as many, and the cores are there
  CHECK(workers->effect < 1.05);
  check_all(slow);
}

TEST_CASE("they are not where half as many would do") {
  const Result result = answer(decoding("50 us"));
  CHECK(result.accelerator_utilization > 0.9);
  CHECK_FALSE(named(result, "loader.workers_per_gpu"));
}

TEST_CASE("nor where they were counted, be it as by default") {
  CHECK_FALSE(
      named(answer(decoding("8 ms", "[loader]\nworkers_per_gpu = 8\n")), "loader.workers_per_gpu"));
}

TEST_CASE("of a decoder the settings of its kernels are named that decide its step") {
  const Result result = answer(kExperts);
  const DecidingDefault* const fused = named(result, "workload.fused_experts");
  REQUIRE(fused);
  CHECK(fused->value == "false");
  CHECK(fused->alternative == "true");
  CHECK(fused->effect > 0.1);
  check_all(kExperts);
  const auto& all = result.deciding_defaults;
  CHECK(std::ranges::is_sorted(all, std::ranges::greater{},
                               [](const DecidingDefault& one) { return std::abs(one.effect); }));
  for (const DecidingDefault& one : all) CHECK(std::abs(one.effect) > 0.1);
}

TEST_CASE("a sweep's points and whoever asks for the headline alone try no other values") {
  Scenario scenario = parse_scenario(decoding("8 ms"), "test.toml", own_catalog());
  scenario.run.headline();
  CHECK(simulate(scenario).deciding_defaults.empty());
}

TEST_CASE("the effects of all defaults are those of scenarios that say otherwise") {
  const std::string slow = decoding("8 ms");
  const auto effects = effects_of_defaults(parse_scenario(slow, "test.toml", own_catalog()));
  REQUIRE(effects.size() > 3);
  CHECK(effects.front().key == KeyPath("loader.workers_per_gpu"));
  const double now = answer(slow).throughput_samples_per_s;
  for (const DecidingDefault& one : effects) {
    INFO(gpufeed::text(one.key), " ", one.alternative);
    const Result other = answer(slow, {set_of(one, one.alternative)});
    CHECK(std::abs(other.throughput_samples_per_s / now / (1 + one.effect) - 1) < 0.01);
  }
}

TEST_CASE("a decoder's bottleneck names the largest part of its step, and what shortens it") {
  // 512 tokens compute for less time than a host takes to start their kernels
  const std::string few =
      decoder_text("nvidia-dgx-h100", "llama-3.2-1b",
                   "precision = \"bf16\"\nbatch_per_gpu = 1\nsequence = 512\ngpus = 1\n", "");
  const Result result = answer(few);
  REQUIRE(result.bottleneck.resource == fact<LimiterCode::gpu_compute>());
  const StepPartTime& largest = result.transformer->parts.front();
  const Evidence& first = result.bottleneck.evidence.front();
  CHECK(first == evidence_of<EvidenceCode::largest_of_step>(largest.part, largest.share));
  CHECK(largest.part == fact<LimiterCode::step_host>());
  const Evidence* const help = shown(result, EvidenceCode::helped_by);
  REQUIRE(help);
  const auto setting = std::get<std::string>(help->shows.arguments[0]);
  const double gain = std::get<double>(help->shows.arguments[1]);
  const Result helped = answer(few, {setting});
  CHECK(std::abs(result.transformer->step_s / helped.transformer->step_s / (1 + gain) - 1) < 1e-6);
}

TEST_CASE("data that GPUs wait for are not told as a part of their step") {
  const Result result =
      answer(kExperts, {"loader.workers_per_gpu=1", "loader.batch_overhead=20 s"});
  REQUIRE(result.bottleneck.resource != fact<LimiterCode::gpu_compute>());
  CHECK_FALSE(shown(result, EvidenceCode::largest_of_step));
}

TEST_CASE("a decoder on nodes that speak TCP names the sockets that nobody gave") {
  const std::string text = decoder_text(
      "nvidia-dgx-h100", "llama-3-8b", "precision = \"bf16\"\nbatch_per_gpu = 1\n",
      "nodes = 2\nparallel = { shard = \"parameters\" }\nfabric = { transport = \"tcp\" }\n");
  check_all(text);
  const Result now = answer(text);
  const DecidingDefault* const sockets = named(now, KeyPath("exchange.sockets"));
  REQUIRE(sockets);
  CHECK(sockets->effect > 1);
}

TEST_CASE("what a default does in a cluster is told of equal shares of its store") {
  const auto cluster = [](const std::string& more) {
    return "system = \"nvidia-dgx-a100\"\nnodes = 2\n[workload]\nmodel = \"resnet-50\"\n"
           "dataset = \"imagenet-1k\"\nbatch_per_gpu = 256\nprecision = \"fp16\"\n"
           "samples = 400000\n[loader]\ncache = \"none\"\n[data]\nat = \"nas\"\n[store.nas]\n"
           "model = \"pure-flashblade-15-blade\"\nprotocol = \"nfs-tcp-nconnect\"\n"
           "[run]\nrange_samples = 0\n" +
           more;
  };
  const auto effects = [&](const std::string& more) {
    return effects_of_defaults(parse_scenario(cluster(more), "test.toml", own_catalog()));
  };
  const auto drawn = effects("");
  const auto equal = effects(
      "[[own]]\nproduct = \"nfs-tcp-nconnect\"\nkey = \"share_deviation\"\nvalue = \"0 %\"\n");
  REQUIRE(drawn.size() > 1);
  REQUIRE(drawn.size() == equal.size());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    CAPTURE(text(drawn[i].key));
    CHECK(drawn[i].key == equal[i].key);
    CHECK(drawn[i].effect == equal[i].effect);
  }
}
