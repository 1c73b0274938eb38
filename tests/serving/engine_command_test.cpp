// SPDX-License-Identifier: Apache-2.0
#include "sim/import/engine_command.h"

#include <doctest/doctest.h>

#include "tests/serving/engine.h"

namespace gpufeed::serving {
namespace {

const Names kModels{"llama-2-7b", "llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b"};

Document imported(const std::string& line) {
  const EngineCommand command = parse_engine_command({line});
  return engine_of(
      serving_text(command, catalog_model_of(command, kModels), "nvidia-h100-sxm5-80gb"));
}

std::string told(const std::string& line) {
  try {
    imported(line);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a command line of vllm serve becomes a scenario that loads") {
  const Document one = imported(
      "CUDA_VISIBLE_DEVICES=0,1 vllm serve meta-llama/Llama-3.1-70B-Instruct -tp 4 "
      "--max-num-batched-tokens=4096 --max_num_seqs 128 --gpu-memory-utilization 0.85 "
      "--no-enable-prefix-caching --kv-cache-dtype fp8 --port 8000 --trust-remote-code");
  CHECK(one.workload.model.name == "llama-3.1-70b");
  CHECK(one.workload.precision == "bf16");
  CHECK(one.serving.tensor == 4);
  CHECK(one.serving.token_budget == 4096);
  CHECK(one.serving.sequences == 128);
  CHECK(one.serving.memory_share == 0.85);
  CHECK_FALSE(one.serving.prefix_cache);
  CHECK(one.serving.kv_fp8);
  const auto command = parse_engine_command({"vllm serve x --port 8000 --trust-remote-code"});
  CHECK(command.not_modeled == Names{"--port 8000", "--trust-remote-code"});
}

TEST_CASE("words of SGLang are understood, and memory for KV caches becomes a tier") {
  const Document one = imported(
      "python -m sglang.launch_server --model-path meta-llama/Meta-Llama-3.1-8B --tp 2 "
      "--chunked-prefill-size 2048 --max-running-requests 64 --mem-fraction-static 0.8 "
      "--disable-overlap-schedule --hicache-size 200 --dtype half");
  CHECK(one.serving.tensor == 2);
  CHECK(one.serving.token_budget == 2048);
  CHECK(one.serving.sequences == 64);
  CHECK_FALSE(one.serving.async);
  CHECK(one.workload.precision == "fp16");
  REQUIRE(one.serving.tiers.size() == 1);
  CHECK(one.serving.tiers.front().capacity->value == 400e9);  // of each of two
}

TEST_CASE("what a command line lacks is told at once") {
  CHECK(says(told("vllm serve --tensor-parallel-size two"), "names no model"));
  CHECK(says(told("vllm serve --tensor-parallel-size two"), "two, which is no number"));
  CHECK(says(told("vllm serve x --max-num-seqs"), "without its value"));
  CHECK(says(told("vllm serve meta-llama/Llama-3.1-9B"), "no model of the catalog"));
  CHECK(says(told("vllm serve meta-llama/Llama-3.1-9B"), "llama-3.1-8b"));
  CHECK(says(told(""), "names no model"));
}

}  // namespace gpufeed::serving
