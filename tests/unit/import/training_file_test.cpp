// SPDX-License-Identifier: Apache-2.0
// Training files of frameworks, in the form of their public examples.
#include "sim/import/training/file.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

const char* const kTitan8b = R"([job]
dump_folder = "./outputs"
[model]
name = "llama3"
flavor = "8B"
converters = ["quantize.linear.float8"]
[optimizer]
name = "AdamW"
lr = 3e-4
[training]
local_batch_size = 1
seq_len = 8192
steps = 1000
dataset = "c4"
[parallelism]
data_parallel_replicate_degree = 1
data_parallel_shard_degree = -1
tensor_parallel_degree = 1
pipeline_parallel_degree = 1
context_parallel_degree = 1
[checkpoint]
enable = true
interval = 500
[activation_checkpoint]
mode = "selective"
[compile]
enable = true
)";

const char* const kTitan405b = R"([model]
name = "llama3"
flavor = "405B"
[training]
local_batch_size = 2
seq_len = 8192
steps = 3000
[parallelism]
data_parallel_shard_degree = -1
tensor_parallel_degree = 8
[activation_checkpoint]
mode = "full"
)";

const char* const kMegatron = R"(#!/bin/bash
# 345 M, on one node
MODEL_ARGS=(
  --num-layers 24
  --hidden-size 1024
  --num-attention-heads 16
  --seq-length 1024
)
torchrun $DISTRIBUTED pretrain_gpt.py "${MODEL_ARGS[@]}" \
  --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --sequence-parallel \
  --micro-batch-size 4 --global-batch-size=64 --train-iters 500 --lr 0.00015 \
  --recompute-granularity full --use-distributed-optimizer --bf16 --save-interval 250 \
  --data-path $DATA
)";

const char* const kMegatronLlama = R"(--num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336
--num-attention-heads 32 --group-query-attention --num-query-groups 8 --swiglu
--untie-embeddings-and-output-weights --vocab-size 128256 --seq-length 8192 --fp8-format hybrid
--micro-batch-size 1 --global-batch-size 128 --tensor-model-parallel-size 1
--context-parallel-size 2 --overlap-grad-reduce --train-iters 100
)";

const char* const kNemo = R"(trainer:
  num_nodes: 2
  devices: 8
  precision: bf16
  max_steps: 100
model:
  micro_batch_size: 1
  global_batch_size: 128
  tensor_model_parallel_size: 4
  pipeline_model_parallel_size: 2
  virtual_pipeline_model_parallel_size: 4
  sequence_parallel: true
  encoder_seq_length: 4096
  activations_checkpoint_granularity: selective
  optim:
    name: distributed_fused_adam
    lr: 1e-4
)";

const char* const kBridge = R"(model:
  tensor_model_parallel_size: 2
  seq_length: 8192
train:
  micro_batch_size: 1
  global_batch_size: 64
  train_iters: 50
ddp:
  use_distributed_optimizer: true
  overlap_grad_reduce: true
mixed_precision: bf16_mixed
checkpoint:
  save_interval: 25
)";

const char* const kAccelerateFsdp = R"(compute_environment: LOCAL_MACHINE
distributed_type: FSDP
fsdp_config:
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_offload_params: true
  fsdp_activation_checkpointing: true
mixed_precision: bf16
num_machines: 2
num_processes: 16
)";

const char* const kAccelerateZero = R"(compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
deepspeed_config:
  gradient_accumulation_steps: 4
  zero_stage: 2
mixed_precision: fp16
num_machines: 1
)";

const char* const kDeepSpeed = R"({
  "train_batch_size": 64,
  "train_micro_batch_size_per_gpu": 2,
  "zero_optimization": { "stage": 3, "overlap_comm": true, "offload_optimizer": { "device": "cpu" } },
  "bf16": { "enabled": true },
  "optimizer": { "type": "AdamW", "params": { "lr": 1e-5 } }
})";

const char* const kDeepSpeedZero = R"({
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 2,
  "zero_optimization": { "stage": 0 },
  "fp16": { "enabled": true }
})";

/// The scenario that it becomes on eight H100 a node, loaded.
Scenario scenario_from(const char* text, const std::string& name,
                       const std::optional<std::string>& model = {}) {
  TrainingTarget target;
  target.system = "nvidia-dgx-h100";
  target.gpus = 8;
  target.model = model;
  return parse_scenario(training_scenario(parse_training_file(text, name), target), "s.toml",
                        own_catalog());
}

}  // namespace

TEST_CASE("files of torchtitan become scenarios") {
  const TrainingFile small = parse_training_file(kTitan8b, "llama3_8b.toml");
  CHECK(small.not_taken == Names{"checkpoint.enable", "job", "optimizer.lr",
                                 "parallelism.data_parallel_replicate_degree", "training.dataset"});
  const Scenario one = scenario_from(kTitan8b, "llama3_8b.toml");
  const auto& training = one.workload.get<kind::Training>();
  CHECK(training.model.name == "llama-3.1-8b");
  CHECK(training.precision == "fp8");
  CHECK(training.recompute == Recompute::ops);
  CHECK(training.compile);
  CHECK(*training.global_batch == 8);
  CHECK(*training.samples == 8000);
  CHECK(one.parallel->shard == Sharding::parameters);
  CHECK(one.checkpoint->interval_steps == 500);
  const TrainingFile large = parse_training_file(kTitan405b, "llama3_405b.toml");
  CHECK(large.model == "llama-3.1-405b");
  CHECK(large.parallel.tensor == 8);
  CHECK(large.parallel.sequence);
  CHECK(large.recompute == Recompute::full);
}

TEST_CASE("arguments of Megatron-LM become scenarios, with the model's sizes") {
  const Scenario one = scenario_from(kMegatron, "train.sh");
  const auto& training = one.workload.get<kind::Training>();
  CHECK(training.model->architecture->layers == 24);
  CHECK(training.model->architecture->ffn == 4096);
  CHECK_FALSE(training.model->architecture->gated);
  CHECK(one.parallel->tensor == 2);
  CHECK(one.parallel->sequence);
  CHECK(one.parallel->shard == Sharding::optimizer);
  CHECK(*one.parallel->micro_batch == 4);
  CHECK(training.recompute == Recompute::full);
  const TrainingFile llama = parse_training_file(kMegatronLlama, "args.txt");
  CHECK(llama.precision == "fp8");
  CHECK(count_architecture(*llama.architecture, 8192).parameters == 8030261248);
  CHECK(llama.parallel.context == 2);
  CHECK(llama.parallel.gradient_overlap);
}

TEST_CASE("files of NeMo and Megatron-Bridge become scenarios") {
  const Scenario one = scenario_from(kNemo, "config.yaml", "llama-3.1-8b");
  CHECK(one.nodes == 2);
  CHECK(one.parallel->virtual_stages == 4);
  CHECK(one.parallel->shard == Sharding::optimizer);
  CHECK(one.workload.get<kind::Training>().recompute == Recompute::selective);
  const Scenario bridge = scenario_from(kBridge, "bridge.yaml", "llama-3.1-8b");
  CHECK(bridge.parallel->tensor == 2);
  CHECK(bridge.parallel->gradient_overlap);
  CHECK(*bridge.workload.get<kind::Training>().samples == 64 * 50);
}

TEST_CASE("files of accelerate and DeepSpeed become scenarios of a model that is named") {
  const Scenario fsdp = scenario_from(kAccelerateFsdp, "fsdp.yaml", "llama-3.1-8b");
  CHECK(fsdp.nodes == 2);
  CHECK(fsdp.parallel->shard == Sharding::parameters);
  CHECK(fsdp.workload.get<kind::Training>().recompute == Recompute::full);
  CHECK(parse_training_file(kAccelerateFsdp, "fsdp.yaml").not_taken ==
        Names{"fsdp_config.fsdp_offload_params", "num_processes"});
  const TrainingFile two = parse_training_file(kAccelerateZero, "zero.yaml");
  CHECK(two.parallel.shard == Sharding::gradients);
  CHECK(two.precision == "fp16");
  CHECK(*two.accumulate == 4);
  const TrainingFile three = parse_training_file(kDeepSpeed, "ds.json");
  CHECK(three.parallel.shard == Sharding::parameters);
  CHECK(three.not_taken == Names{"optimizer.params"});
  CHECK(scenario_from(kDeepSpeed, "ds.json", "llama-3.1-8b")
            .workload.get<kind::Training>()
            .offload_optimizer);
  const Scenario plain = scenario_from(kDeepSpeedZero, "ds.json", "llama-3.2-1b");
  CHECK(plain.parallel->shard == Sharding::none);
  CHECK(*plain.workload.get<kind::Training>().global_batch == 8 * 4 * 2);
}

TEST_CASE("the optimizer of a training file is taken, and one that is not known is said") {
  const auto read = [](const std::string& text, const char* name) {
    return parse_training_file(text, name);
  };
  std::string titan = kTitan8b;
  const auto with = [&](const std::string& name) {
    std::string other = titan;
    return other.replace(other.find("AdamW"), 5, name);
  };
  CHECK(read(with("Muon"), "a.toml").optimizer == Optimizer::muon);
  CHECK(read(with("Adafactor"), "a.toml").optimizer == Optimizer::adafactor);
  CHECK(read(with("AdamW8bit"), "a.toml").optimizer == Optimizer::adam_8bit);
  CHECK(read(with("AdamW"), "a.toml").optimizer == Optimizer::adam);
  const auto has = [](const TrainingFile& file, const std::string& key) {
    return std::ranges::count(file.not_taken, key) == 1;
  };
  CHECK_FALSE(has(read(titan, "a.toml"), "optimizer.name"));
  CHECK(has(read(with("Lion"), "a.toml"), "optimizer.name"));
}

TEST_CASE("damaged training files are refused with the place") {
  const auto refused = [](const std::string& text, const std::string& name) {
    return refusal_of([&] { parse_training_file(text, name); });
  };
  CHECK(refused("[training]\nseq_len = \"long\"\n", "t.toml")
            .starts_with("t.toml:2:11: error: training.seq_len must be a whole number"));
  CHECK(refused("[training\n", "t.toml").starts_with("t.toml:1:"));
  CHECK(refused("pretrain --micro-batch-size $MBS --lr 1", "a.sh") ==
        "a.sh:1:10: error: --micro_batch_size is $MBS, which only the shell knows; put its value "
        "there\n");
  CHECK(refused("train_micro_batch_size_per_gpu: 0\n", "ds.json")
            .starts_with("ds.json:1:33: error: train_micro_batch_size_per_gpu must be a whole"));
  CHECK(refused("trainer:\n  num_nodes: many\n", "n.yaml").starts_with("n.yaml:2:14: error:"));
  CHECK(refused("distributed_type: FSDP\nnum_machines: -2\n", "a.yaml")
            .starts_with("a.yaml:2:15: error:"));
  CHECK(refused("a: 1\n", "b.yaml").find("no training file that can be read") != std::string::npos);
  CHECK(refusal_of([] {
          training_scenario(parse_training_file(kDeepSpeed, "ds.json"), TrainingTarget{});
        }).find("names no model; give --model") != std::string::npos);
}
