// SPDX-License-Identifier: Apache-2.0
// Checkpoints of models that GPUs hold in parts: every rank saves its own, by its own way; and what
// asynchronous ones cost.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "sim/load/load.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

constexpr double kState = 12 * 70'553'706'496.0;  ///< weights and both moments of 70 billion

/// Llama 3 70B on 32 H200.
Scenario saving_70b(const std::string& parallel, const std::string& checkpoint = "") {
  return parse_scenario(
      "title = \"t\"\nsystem = { chassis = \"nvidia-dgx-h200\" }\nnodes = 4\n[workload]\nmodel = "
      "\"llama-3-70b\"\nframework = \"pytorch\"\ndataset = \"llama-3-corpus\"\nprecision = "
      "\"bf16\"\nbatch_per_gpu = 1\noptimizer = \"adam\"\nrecompute = true\nsamples = 9600\n"
      "[loader]\ndecode = \"none\"\n[data]\nat = \"pfs\"\n[store.pfs]\nmodel = "
      "\"vast-ebox-11-nodes\"\nprotocol = \"nfs-rdma\"\nvia = [\"nic8\", \"nic9\"]\n[parallel]\n" +
          parallel + "[checkpoint]\ninterval_steps = 100\n" + checkpoint,
      "test.toml", own_catalog());
}

const std::string kFsdp = "shard = \"parameters\"\n";

}  // namespace

TEST_CASE("every rank saves its part where GPUs hold a model or its optimizer in parts") {
  for (const char* parallel :
       {"shard = \"parameters\"\n", "tensor = 8\nmicro_batch = 1\nshard = \"optimizer\"\n",
        "tensor = 8\npipeline = 4\nmicro_batch = 1\n"}) {
    CAPTURE(parallel);
    const Scenario scenario = saving_70b(parallel);
    CHECK(scenario.checkpoint->writers.value == CheckpointWriters::all);
    CHECK(std::ranges::count(scenario.defaults, DefaultValue{"checkpoint.writers", "\"all\""}) ==
          1);
    const Plan plan = make_plan(scenario);
    REQUIRE(plan.checkpoint->writers.size() == 32);
    std::set<RouteIndex> ways;
    for (const CheckpointWriter& writer : plan.checkpoint->writers) {
      CHECK(writer.size.value == approx(kState / 32));
      ways.insert(writer.copy);
    }
    CHECK(ways.size() == 32);
  }
}

TEST_CASE("a model that each GPU holds whole is saved by one of them") {
  const Scenario scenario = parse_scenario(
      "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\nprecision = \"fp16\"\nbatch_per_gpu = 64\n[checkpoint]\ninterval_steps = "
      "100\n",
      "test.toml", own_catalog());
  CHECK(scenario.checkpoint->writers.value == CheckpointWriters::one);
  CHECK(make_plan(scenario).checkpoint->writers.size() == 1);
}

TEST_CASE("a synchronous checkpoint of shards takes what its copies and the store take") {
  const Result result = simulate(saving_70b(kFsdp, "mode = \"synchronous\"\n"));
  // 26.5 GB of each GPU at the pace of PCIe 5.0 x16, then all of it at the store's 25 GB/s.
  const double write = kState / 25e9;
  CHECK(result.checkpoint->pause_s > write + kState / 32 / 63e9);
  CHECK(result.checkpoint->pause_s < write + kState / 32 / 40e9 + 0.5);
  CHECK(result.checkpoint->cost_s >= result.checkpoint->pause_s);
}

TEST_CASE("asynchronous checkpoints cost their copies to the host, however steps vary") {
  const Result result = simulate(saving_70b(kFsdp, "mode = \"asynchronous\"\n"));
  const CheckpointUse& use = *result.checkpoint;
  CHECK(use.pause_s > kState / 32 / 63e9);
  CHECK(use.pause_s < kState / 32 / 40e9);
  CHECK(use.cost_s >= use.pause_s);
  CHECK(use.share > 0);
}

TEST_CASE("what waits in host memory is not page cache, and must fit there") {
  const auto cache = [](const std::string& mode) {
    return memory_for_page_cache(saving_70b(kFsdp, "mode = \"" + mode + "\"\n")).value;
  };
  CHECK(cache("synchronous") - cache("asynchronous") == approx(kState / 4));
  const auto refused = [](const std::string& checkpoint) {
    return refusal_of([&] { saving_70b(kFsdp, "size = \"9 TB\"\n" + checkpoint); });
  };
  CHECK(refused("") == "accepted");
  CHECK(refused("mode = \"asynchronous\"\n")
            .find("checkpoint: asynchronous ones keep 2.25 TB in host memory until they are "
                  "written, and "
                  "nvidia-dgx-h200 has 2.2 TB; write them synchronously") != std::string::npos);
  CHECK(refused("writers = \"one\"\n")
            .find("checkpoint.writers: one GPU gathers 9 TB of all others in host memory, and "
                  "nvidia-dgx-h200 has 2.2 TB; set \"all\"") != std::string::npos);
}

TEST_CASE("samples that are shorter than the model's sequence are said, and tokens are theirs") {
  const auto of = [](const std::string& keys) {
    return simulate(parse_scenario(
        "title = \"t\"\nsystem = \"nvidia-dgx-h200\"\nrun = { max_steps = 60 }\n[workload]\nmodel "
        "= "
        "\"llama-3-8b\"\nframework = \"pytorch\"\ndataset = \"c4-tokens-2048\"\nprecision = "
        "\"bf16\"\nbatch_per_gpu = 1\noptimizer = \"adam\"\nsamples = 9600\n" +
            keys + "[loader]\ndecode = \"none\"\n[parallel]\nshard = \"parameters\"\n",
        "test.toml", own_catalog()));
  };
  using enum WarningCode;
  const auto warned = [](const Result& result, WarningCode code) {
    return std::ranges::count(result.warnings, code, &Warning::code) == 1;
  };
  const Result shorter = of(""), alike = of("sequence = 2048\n"), longer = of("sequence = 1024\n");
  CHECK(warned(shorter, samples_shorter_than_sequence));
  CHECK_FALSE(warned(alike, samples_shorter_than_sequence));
  CHECK_FALSE(warned(alike, samples_longer_than_sequence));
  CHECK(warned(longer, samples_longer_than_sequence));
  // Of 8192 at once 6144 are no data; of 2048 stored 1024 are left out.
  CHECK(*shorter.job_tokens_per_s == approx(2048 * shorter.job_samples_per_s));
  CHECK(*alike.job_tokens_per_s == approx(2048 * alike.job_samples_per_s));
  CHECK(*longer.job_tokens_per_s == approx(1024 * longer.job_samples_per_s));
}

TEST_CASE("a checkpoint holds what its form and the optimizer keep of each parameter") {
  const auto bytes = [](const std::string& workload, const std::string& checkpoint) {
    const Scenario scenario = parse_scenario(
        "title = \"t\"\nsystem = \"nvidia-dgx-h200\"\n[workload]\nmodel = \"llama-3.1-8b\"\n"
        "dataset = \"c4-tokens-2048\"\nprecision = \"bf16\"\nbatch_per_gpu = 1\nsamples = 9600\n" +
            workload +
            "[loader]\ndecode = \"none\"\n[parallel]\nshard = \"parameters\"\n"
            "[checkpoint]\ninterval_steps = 100\n" +
            checkpoint,
        "test.toml", own_catalog());
    return scenario.checkpoint->size->value;
  };
  constexpr double kParameters = 8'030'261'248;
  const std::string megatron = "form = \"megatron\"\n", weights = "form = \"safetensors\"\n";
  CHECK(bytes("", "") == 12 * kParameters);
  CHECK(bytes("optimizer = \"sgd\"\n", "") == 4 * kParameters);
  CHECK(bytes("optimizer = \"momentum\"\n", "") == 8 * kParameters);
  CHECK(bytes("optimizer = \"adam-8bit\"\n", "") == 6 * kParameters);
  // Muon keeps one number of matrices, two of both tables of 128,256 words.
  CHECK(bytes("optimizer = \"muon\"\n", "") == 8 * kParameters + 4 * 2 * 128256. * 4096);
  CHECK(bytes("master_weights = false\n", "") == 6 * kParameters);
  CHECK(bytes("", megatron) == 14 * kParameters);
  // MLPerf Storage's 8B: 15 GiB of weights and 90 of the optimizer.
  CHECK(bytes("", megatron) == approx(105 * 1073741824.).epsilon(0.01));
  CHECK(bytes("", weights) == 2 * kParameters);
  // PEFT prints 41,943,040 trainable parameters of all linear layers at rank 16.
  const std::string lora = "lora = true\n", wide = lora + "lora_precision = \"fp32\"\n";
  CHECK(bytes(lora, "") == (2 + 4) * 41'943'040.);
  CHECK(bytes(wide, "") == 12 * 41'943'040.);
  CHECK(bytes(wide, weights) == 4 * 41'943'040.);
  CHECK(refusal_of([&] {
          bytes("", megatron + "size = \"1 GB\"\n");
        }).find("checkpoint.form and checkpoint.size exclude each other; leave one out") !=
        std::string::npos);
}

TEST_CASE("a restart of LoRA also reads the weights that stay as they are") {
  const auto restart = [](const std::string& lora) {
    return *simulate(
                parse_scenario(
                    "title = \"t\"\nsystem = \"nvidia-dgx-h200\"\nrun = { max_steps = 60 "
                    "}\n[workload]\n"
                    "model = \"llama-3.1-8b\"\ndataset = \"c4-tokens-2048\"\nprecision = \"bf16\"\n"
                    "batch_per_gpu = 1\nsamples = 9600\n" +
                        lora +
                        "[loader]\ndecode = \"none\"\n[parallel]\n"
                        "shard = \"parameters\"\n[checkpoint]\ninterval_steps = 100\nat = "
                        "\"nas\"\n[data]\nat = "
                        "\"scratch\"\n"
                        "[store.nas]\nprotocol = \"nfs-rdma\"\nmodel = \"vast-ebox-11-nodes\"\n",
                    "test.toml", own_catalog()))
                .checkpoint;
  };
  const CheckpointUse all = restart(""), lora = restart("lora = true\n");
  CHECK(lora.size_B < 0.01 * all.size_B);
  const double read = 2 * 8'030'261'248. + lora.size_B;
  CHECK(lora.restart_s == approx(all.restart_s * read / all.size_B).epsilon(0.1));
}

TEST_CASE("a state that is divided is read by other numbers of GPUs in the time the store takes") {
  const auto restart = [](int nodes) {
    Scenario scenario = saving_70b(kFsdp);
    scenario.nodes = nodes;
    return simulate(scenario).checkpoint->restart_s;
  };
  // The store gives 37.4 GB/s... whatever the nodes, unless their cards give less.
  const double four = restart(4);
  CHECK(restart(8) == approx(four).epsilon(0.05));
  CHECK(restart(2) > four);
}
