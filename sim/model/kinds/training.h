// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/framework.h"
#include "sim/model/kinds/shared.h"

namespace gpufeed {

/// How weights follow from gradients, and what it keeps for each weight: nothing, one number or
/// two; adam-8bit: two of a byte; adafactor: a number of each row and column; muon: one number, of
/// tables and norms as adam.
enum class Optimizer { sgd, momentum, adam, adam_8bit, adafactor, muon };
template <>
struct EnumNames<Optimizer> {
  static constexpr std::array<std::string_view, 6> names{"sgd",       "momentum",  "adam",
                                                         "adam-8bit", "adafactor", "muon"};
};

/// What a backward pass computes again instead of keeping it. selective: the scores of attention
/// (Megatron); ops: every other matrix product (torchtitan).
enum class Recompute { none, full, selective, ops };
template <>
struct EnumNames<Recompute> {
  static constexpr std::array<std::string_view, 4> names{"none", "full", "selective", "ops"};
  /// A plain yes or no.
  static constexpr Recompute of_bool(bool yes) { return yes ? Recompute::full : Recompute::none; }
};

/// The kernels of attention. unfused: scores are kept in memory. flash-3: also those of cuDNN that
/// are made for the tensor cores of Hopper and Blackwell.
enum class AttentionKernel { unfused, flash_1, flash_2, flash_3 };
template <>
struct EnumNames<AttentionKernel> {
  static constexpr std::array<std::string_view, 4> names{"unfused", "flash-1", "flash-2",
                                                         "flash-3"};
};

/// What the small matrices beside frozen weights are kept and computed in.
enum class AdapterPrecision { bf16, fp32 };
template <>
struct EnumNames<AdapterPrecision> {
  static constexpr std::array<std::string_view, 2> names{"bf16", "fp32"};
};

/// What weights that stay as they are (LoRA) are kept in: 16 bits, or 4 of the normal distribution
/// with a scale for each 64, itself in 8 bits (QLoRA, bitsandbytes' load_in_4bit).
enum class FrozenWeights { bf16, nf4 };
template <>
struct EnumNames<FrozenWeights> {
  static constexpr std::array<std::string_view, 2> names{"bf16", "nf4"};
};

/// Which kernels are recorded: all, or what comes before experts, whose sizes change
/// (Megatron's cuda_graph_scope: attn, moe_router, moe_preprocess).
enum class GraphScope { all, attention };
template <>
struct EnumNames<GraphScope> {
  static constexpr std::array<std::string_view, 2> names{"all", "attention"};
};

namespace kind {

/// GPUs train a model.
struct Training : ComputesModel, RunsEpochs {
  static constexpr std::string_view kName = "training";
  static constexpr std::array<std::string_view, 11> kTakes{
      "nodes",      "fabric",   "data",  "loader", "exchange", "parallel",
      "checkpoint", "failures", "store", "cost",   "run"};
  static constexpr std::array<std::string_view, 0> kLeaves{};

  std::optional<Ref<Framework>> framework;
  std::vector<std::int64_t> placement;
  std::optional<std::int64_t> global_batch;
  std::int64_t accumulate = 1;
  Defaulted<Optimizer> optimizer{Optimizer::momentum};
  Recompute recompute = Recompute::none;
  std::optional<std::int64_t> sequence;
  bool packing = false;
  AttentionKernel attention = AttentionKernel::flash_3;
  bool compile = false;
  bool cuda_graphs = false;
  bool offload_optimizer = false;
  GraphScope cuda_graph_scope = GraphScope::all;
  bool fused_experts = false;
  bool chunked_loss = false;
  bool dropout = false;
  bool master_weights = true;
  bool lora = false;
  AdapterPrecision lora_precision = AdapterPrecision::bf16;
  FrozenWeights frozen_weights = FrozenWeights::bf16;
  std::optional<Ratio> expert_capacity;
  Seconds step_overhead;
  Seconds contention_overhead;
  Defaulted<Ratio> step_jitter;
  Defaulted<Seconds> step_jitter_time;
  /// GPUs that are equally fast in every step and wait for none fall into step all the same, and
  /// then exchange together for ever. Steps of real ones vary by a few percent: an estimate.
  static constexpr Ratio kAsynchronousJitter{0.05};
  std::vector<TargetRow> target;
  std::int64_t steps_together = 1;  ///< the loader's: in which each GPU takes whole samples

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    input_fields(visit);
    visit(
        key("framework", &Training::framework,
            "what trains it: pytorch, horovod, mxnet, tensorflow-1, a path or a table; default: a "
            "step's fixed part is PyTorch's, all else as the keys say, so that gradients leave "
            "when all have computed"));
    gpu_fields(visit);
    visit(key("placement", &Training::placement,
              "instead of gpus, where nodes have unlike numbers: how many GPUs of each node take "
              "part, node by node, such as [1, 3]; they train replicas of the whole model in step, "
              "by rings or trees"));
    batch_field(visit);
    visit(key("global_batch", &Training::global_batch,
              "instead of batch_per_gpu: samples of one step of all GPUs together (strong "
              "scaling)")
              .between(1, 1000000000));
    visit(key("accumulate", &Training::accumulate,
              "batches that a GPU computes in a step, one after the other, summing their gradients "
              "before they are exchanged once (gradient accumulation)")
              .between(1, 1000000));
    length_fields(visit);
    precision_field(visit);
    visit(key("optimizer", &Training::optimizer, "what it keeps takes memory of the GPU")
              .except("a model given by its architecture: adam")
              .or_else(Optimizer::adam_8bit));
    visit(key("offload_optimizer", &Training::offload_optimizer,
              "whether what it keeps lies in the hosts' memory, where CPUs take its steps "
              "(DeepSpeed's offload_optimizer); of a model given by its architecture"));
    visit(key("recompute", &Training::recompute,
              "what the backward pass computes again instead of keeping it (activation "
              "checkpointing); true: full, all but what blocks pass on")
              .or_else(Recompute::full));
    visit(key("packing", &Training::packing,
              "whether the data's samples are joined and cut anew into those of so many tokens; "
              "false: shorter ones are filled up, of longer ones the rest is left out")
              .or_else(true));
    visit(key("sequence", &Training::sequence,
              "tokens of a sample; default: as the model says; of a model given by its "
              "architecture, as the keys to lora")
              .between(1, 100000000));
    visit(key("attention", &Training::attention,
              "its kernels; flash-3: also those of cuDNN, which PyTorch takes on Hopper and newer")
              .or_else(AttentionKernel::flash_2));
    visit(key("compile", &Training::compile,
              "whether passes over activations are compiled or fused (torch.compile, Transformer "
              "Engine)")
              .or_else(true));
    visit(key("cuda_graphs", &Training::cuda_graphs,
              "whether kernels are started as recorded, which takes no host")
              .or_else(true));
    visit(key("cuda_graph_scope", &Training::cuda_graph_scope,
              "which of them: all, or attention and what else comes before experts"));
    visit(key("fused_experts", &Training::fused_experts,
              "whether tokens are sorted to experts by fused kernels")
              .or_else(true));
    visit(key("chunked_loss", &Training::chunked_loss,
              "whether the loss is computed in parts of a batch, of which each keeps its logits")
              .or_else(true));
    visit(key("dropout", &Training::dropout,
              "whether scores of attention are dropped at random, as GPT-2 and GPT-3 do; takes "
              "memory where they are kept (unfused)")
              .or_else(true));
    visit(key("master_weights", &Training::master_weights,
              "whether weights are also kept in fp32 (mixed precision); false: all is in 16 bits, "
              "gradients too")
              .or_else(false));
    visit(key("lora", &Training::lora,
              "whether small matrices beside frozen weights are trained alone (LoRA)"));
    visit(key("lora_precision", &Training::lora_precision,
              "what these are kept and computed in; fp32: as PEFT does beside weights in 16 bits, "
              "unless autocast_adapter_dtype is False")
              .or_else(AdapterPrecision::fp32));
    visit(key("frozen_weights", &Training::frozen_weights,
              "what the weights beside these are kept in; nf4: 4 bits (QLoRA, load_in_4bit)"));
    visit(key("expert_capacity", &Training::expert_capacity,
              "tokens that an expert takes, over its even share: others are dropped, what is "
              "missing is filled up (moe_expert_capacity_factor); default: what comes, evenly")
              .between(10_percent, 10000_percent));
    compute_field(visit);
    visit(key("step_overhead", &Training::step_overhead,
              "host work of every step, during which a GPU stands still")
              .between(0_s, 1_h));
    visit(key("contention_overhead", &Training::contention_overhead,
              "more of it per step, for every GPU that a core of the node has to serve")
              .between(0_s, 1_h)
              .with_alias("crowding_overhead")
              .deprecated_since("0.1.0"));
    visit(key("step_jitter", &Training::step_jitter,
              "standard deviation of a GPU's time for a step, as its share; at the barrier "
              "all wait for the slowest")
              .between(0_percent, 100_percent)
              .except("asynchronous: 5 %; else as the framework says"));
    visit(key("step_jitter_time", &Training::step_jitter_time,
              "more of it, which does not grow with the step: sqrt(share^2 + time^2)")
              .between(0_s, 1_h)
              .except("as the framework says"));
    visit(key("target", &Training::target,
              "samples to the wanted accuracy, by global batch; one table each"));
  }
};

}  // namespace kind
}  // namespace gpufeed
