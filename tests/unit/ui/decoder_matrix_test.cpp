// SPDX-License-Identifier: Apache-2.0
// Twelve language models on eight machines: a job that loads, or what would do and why.
#include <doctest/doctest.h>

#include <array>

#include "sim/model/scenario.h"
#include "sim/model/transformer/memory.h"
#include "tests/support/catalog.h"
#include "ui/jobs/decoder_job.h"

using namespace gpufeed;

namespace {

constexpr std::array kMachines{
    "[system]\nchassis = \"nvidia-dgx-h100\"\n",
    "nodes = 16\n[system]\nchassis = \"nvidia-dgx-h200\"\n",
    "[system]\nchassis = \"nvidia-dgx-b200\"\n",
    "[system]\nchassis = \"nvidia-dgx-b300\"\n",
    "[system]\nchassis = \"nvidia-dgx-a100\"\n",
    "[system]\nchassis = \"nvidia-dgx1-v100\"\n",
    "[system]\nchassis = \"amd-mi300x-8-gpus\"\n",
    "[system]\nchassis = \"workstation-trx50\"\ncpu = \"1 x amd-threadripper-7960x\"\nmemory = "
    "\"256 GB\"\ngpu = \"2 x "
    "nvidia-rtx-pro-6000-workstation\"\ndrives = \"1 x samsung-990-pro-2tb\"\n"};

constexpr std::array kModels{"llama-3.2-1b",  "llama-3.2-3b", "llama-3.1-8b",  "mistral-7b",
                             "qwen2.5-14b",   "qwen2.5-32b",  "llama-3.1-70b", "mixtral-8x7b",
                             "qwen3-30b-a3b", "gpt-oss-120b", "deepseek-v3",   "llama-3.1-405b"};

std::int64_t nodes_of(const std::string& machine) { return machine.starts_with("nodes") ? 16 : 1; }

}  // namespace

TEST_CASE("twelve language models on eight machines fit, or are told what would do") {
  int written = 0;
  for (const char* const machine : kMachines)
    for (const char* const model : kModels)
      for (const bool lora : {false, true}) {
        CAPTURE(machine);
        CAPTURE(model);
        CAPTURE(lora);
        DecoderAsk ask{model, {}};
        ask.lora = lora;
        ask.nodes = nodes_of(machine);
        ask.saves = false;
        const std::string rest = std::string(machine) + "\n[data]\nat = \"scratch\"\n";
        const auto job = decoder_job(ask, rest, "m.toml", own_catalog(), {});
        REQUIRE(job);
        if (job->text.empty()) {
          CHECK((job->untimed.empty() || job->too_small.empty()));
          CHECK((!job->untimed.empty() || !job->would_do.empty()));
          continue;
        }
        ++written;
        const auto fits =
            transformer_job(parse_scenario(rest + job->text, "m.toml", own_catalog()));
        REQUIRE(fits);
        CHECK(transformer_memory(*fits).typical() <= fits->gpu.memory);
      }
  CHECK(written > 80);
}

TEST_CASE("more machines are named where they would do, and adapters where these would") {
  DecoderAsk ask{"llama-3.1-70b", {}};
  const std::string machine = std::string(kMachines[0]) + "\n[data]\nat = \"scratch\"\n";
  const auto job = decoder_job(ask, machine, "m.toml", own_catalog(), {});
  REQUIRE(job);
  CHECK(job->would_do == "--nodes 4, or --method lora");
  ask.nodes = 4;
  const auto more = decoder_job(ask, "nodes = 4\n" + machine, "m.toml", own_catalog(), {});
  REQUIRE(more);
  CHECK(!more->text.empty());
}

TEST_CASE("a workstation with one GPU tunes 8B by adapters, and is too small for all weights") {
  DecoderAsk ask{"llama-3.1-8b", {}};
  const std::string machine =
      "[system]\nchassis = \"workstation-trx50\"\ncpu = \"1 x amd-threadripper-7960x\"\nmemory = "
      "\"256 GB\"\ngpu = \"1 x nvidia-rtx-pro-6000-workstation\"\ndrives = \"1 x "
      "samsung-990-pro-2tb\"\n\n[data]\nat = \"scratch\"\n";
  const auto all = decoder_job(ask, machine, "m.toml", own_catalog(), {});
  REQUIRE(all);
  CHECK(all->would_do.find("--method lora") != std::string::npos);
  ask.lora = true;
  const auto job = decoder_job(ask, machine, "m.toml", own_catalog(), {});
  REQUIRE(job);
  CHECK(transformer_job(parse_scenario(machine + job->text, "m.toml", own_catalog())));
  ask.model = "llama-3.1-405b";
  const auto large = decoder_job(ask, machine, "m.toml", own_catalog(), {});
  REQUIRE(large);
  CHECK(large->too_small.starts_with("even with adapters"));
}
