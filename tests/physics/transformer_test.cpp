// SPDX-License-Identifier: Apache-2.0
// Jobs of decoders: their step in the simulation, batches of few samples, memory that is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/decoders.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

Scenario job(const std::string& system, const std::string& model, const std::string& workload,
             const std::string& tables) {
  return parse_scenario(decoder_text(system, model, workload, tables), "test.toml", own_catalog());
}

const std::string kSharded = "parallel = { shard = \"parameters\" }";

}  // namespace

TEST_CASE("a decoder's job trains the tokens of its step, of the slowest of its GPUs") {
  const Result result = simulate(
      job("nvidia-dgx-h100", "llama-3-8b", "precision = \"bf16\"\nbatch_per_gpu = 1\n", kSharded));
  REQUIRE(result.transformer.has_value());
  const TransformerSummary& own = *result.transformer;
  REQUIRE(result.tokens_per_s.has_value());
  const double slowest = 1 + 0.01 * 1.4342;  // of eight of a spread of 1 % (Blom)
  CHECK(*result.tokens_per_s * slowest == approx(8 * own.tokens_per_gpu_s).epsilon(0.01));
  const double parts =
      std::accumulate(own.parts.begin(), own.parts.end(), 0.0,
                      [](double sum, const StepPartTime& part) { return sum + part.time_s; });
  CHECK(parts == approx(own.step_s));
  CHECK(own.model_flop_utilization * 989e12 ==
        approx(51.47e9 * own.tokens_per_gpu_s).epsilon(0.001));
  CHECK(!result.exchange.has_value());
}

TEST_CASE("replicas of many GPUs take fewer samples in a step than there are GPUs") {
  const Scenario scenario =
      job("nvidia-dgx-h200", "llama-3.1-405b", "precision = \"bf16\"\nglobal_batch = 64\n",
          "nodes = 16\nparallel = { tensor = 8, pipeline = 2, micro_batch = 1, shard = "
          "\"parameters\" }");
  const auto job = transformer_job(scenario);
  REQUIRE(job.has_value());
  CHECK(job->replicas() == 8);
  CHECK(job->micro_batches == 8);
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s == approx(64 / result.transformer->step_s).epsilon(0.05));
}

TEST_CASE("what holds more than a GPU has is refused, with what would fit") {
  const std::string message = refusal_of([] {
    job("nvidia-dgx-h100", "llama-3-70b", "precision = \"bf16\"\nbatch_per_gpu = 1\n",
        "parallel = { tensor = 8 }");
  });
  CHECK(message.find("workload.model: training llama-3-70b in bf16 takes ") != std::string::npos);
  CHECK(message.find(" would fit") == std::string::npos);  // one node never holds 70 B
  const std::string two = refusal_of([] {
    job("nvidia-dgx-h100", "llama-3-8b",
        "precision = \"bf16\"\nbatch_per_gpu = 1\ncompile = true\n", "");
  });
  CHECK(two.find("; parallel.shard = \"parameters\" would fit") != std::string::npos);
}

TEST_CASE("a decoder trains with Adam where no optimizer is named, and that is said") {
  const auto of = [](const std::string& model) {
    std::string text = decoder_text("nvidia-dgx-h100", model,
                                    "precision = \"bf16\"\nbatch_per_gpu = 1\n", kSharded);
    const std::string named = "optimizer = \"adam\"\n";
    text.erase(text.find(named), named.size());
    return parse_scenario(text, "test.toml", own_catalog());
  };
  const Scenario decoder = of("llama-3-8b");
  CHECK(decoder.workload.get<kind::Training>().optimizer.value == Optimizer::adam);
  CHECK(std::ranges::count(decoder.defaults, DefaultValue{"workload.optimizer", "\"adam\""}) == 1);
  const Scenario other = of("bert-large");
  CHECK(other.workload.get<kind::Training>().optimizer.value == Optimizer::momentum);
}

TEST_CASE("what is said of experts is refused of a model that has none") {
  const auto refusal = [](const std::string& workload, const std::string& tables) {
    return refusal_of([&] {
      job("nvidia-dgx-h100", "llama-3.2-1b", "precision = \"bf16\"\nbatch_per_gpu = 1\n" + workload,
          tables);
    });
  };
  const std::string why = " has no effect: the model has no experts";
  CHECK(refusal("", "parallel.expert = 2\n").find("parallel.expert" + why) != std::string::npos);
  CHECK(refusal("", "parallel.expert_overlap = true\n").find("parallel.expert_overlap" + why) !=
        std::string::npos);
  CHECK(refusal("expert_capacity = \"150 %\"\n", "").find("workload.expert_capacity" + why) !=
        std::string::npos);
  CHECK(refusal("", "parallel.dispatcher = \"alltoall\"\n").find("parallel.dispatcher" + why) !=
        std::string::npos);
  CHECK(refusal("fused_experts = true\n", "").find("workload.fused_experts" + why) !=
        std::string::npos);
}

TEST_CASE("what is wrong with a decoder's job is told at its key") {
  const auto refusal = [](const std::string& workload, const std::string& tables) {
    return refusal_of([&] {
      job("nvidia-dgx-h100", "llama-3.2-1b", "precision = \"bf16\"\nbatch_per_gpu = 1\n" + workload,
          tables);
    });
  };
  CHECK(refusal("", "[parallel]\nshard = \"none\"\nexpert = 2\n")
            .starts_with("test.toml:6:1: error: parallel.expert has no effect"));
  CHECK(refusal("", "[parallel]\nvirtual = 2\n")
            .starts_with("test.toml:5:1: error: parallel.virtual divides stages"));
  CHECK(refusal("fused_experts = true\n", "")
            .starts_with("test.toml:10:1: error: workload.fused_experts has no effect"));
}

TEST_CASE("4 bits of weights are refused where none are frozen") {
  const std::string message = refusal_of([] {
    job("nvidia-dgx-h100", "llama-3.2-1b",
        "precision = \"bf16\"\nbatch_per_gpu = 1\nfrozen_weights = \"nf4\"\n", "");
  });
  CHECK(message.find("workload.frozen_weights has no effect") != std::string::npos);
}

TEST_CASE("dropout is refused where it changes nothing") {
  const auto refusal = [](const std::string& workload) {
    return refusal_of([&] {
      job("nvidia-dgx-h100", "llama-3.2-1b",
          "precision = \"bf16\"\nbatch_per_gpu = 1\nsequence = 2048\ndropout = true\n" + workload,
          "");
    });
  };
  const std::string idle = "workload.dropout has no effect";
  CHECK(refusal("").find(idle) != std::string::npos);
  CHECK(refusal("attention = \"unfused\"\nrecompute = \"selective\"\n").find(idle) !=
        std::string::npos);
  CHECK(refusal("attention = \"unfused\"\n").find(idle) == std::string::npos);
}

TEST_CASE("the precision of adapters is refused of a job that trains none") {
  const auto refusal = [](const std::string& workload) {
    return refusal_of([&] {
      job("nvidia-dgx-h100", "llama-3.2-1b", "precision = \"bf16\"\nbatch_per_gpu = 1\n" + workload,
          "");
    });
  };
  CHECK(refusal("lora_precision = \"fp32\"\n")
            .find("workload.lora_precision has no effect: there are no adapters without "
                  "workload.lora") != std::string::npos);
  CHECK(refusal("lora = true\nlora_precision = \"fp32\"\n").find("lora_precision") ==
        std::string::npos);
}

TEST_CASE("what an optimizer on the hosts moves loads their memory and the GPUs' links") {
  constexpr double kAll = 8030261248;
  for (const char* system : {"nvidia-dgx-a100", "nvidia-dgx-h100", "nvidia-dgx-b200"}) {
    CAPTURE(system);
    const std::string workload = "precision = \"bf16\"\nbatch_per_gpu = 1\n";
    const std::string shard = "parallel = { shard = \"gradients\" }";
    const Result own = simulate(job(system, "llama-3-8b", workload, shard));
    const Result offloaded =
        simulate(job(system, "llama-3-8b", workload + "offload_optimizer = true\n", shard));
    const double steps_per_s = offloaded.throughput_samples_per_s / 8;
    double memory = 0;
    bool to_gpus = false, from_gpus = false;
    for (const ResourceUse& use : offloaded.resources) {
      CAPTURE(use.id);
      CHECK(use.utilization <= 1);
      if (use.kind == "memory") memory += use.utilization * use.capacity;
      const double link = use.utilization * use.capacity;
      if (use.kind != "bus") continue;
      // Of as many GPUs as are behind it
      const double gpus = link / (2 * kAll / 8 * steps_per_s);
      if (gpus < 0.9) continue;  // of the drives
      CHECK(gpus == approx(std::round(gpus)).epsilon(0.01));
      (use.id.ends_with("gpu0") ? to_gpus : from_gpus) |= use.id.find("gpu0") != std::string::npos;
    }
    CHECK(to_gpus);
    CHECK(from_gpus);
    CHECK(memory == approx(36 * kAll * steps_per_s).epsilon(0.01));
    for (const ResourceUse& use : own.resources)
      if (use.kind == "memory") CHECK(use.utilization < 1e-3);
  }
}
