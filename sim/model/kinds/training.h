// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/framework.h"
#include "sim/model/kinds/shared.h"

namespace gpufeed {

/// How weights follow from gradients, and what it keeps for each weight: nothing, one number or
/// two.
enum class Optimizer { sgd, momentum, adam };
template <>
struct EnumNames<Optimizer> {
  static constexpr std::array<std::string_view, 3> names{"sgd", "momentum", "adam"};
};

namespace kind {

/// GPUs train a model.
struct Training : ComputesModel, RunsEpochs {
  static constexpr std::string_view kName = "training";
  static constexpr std::array<std::string_view, 10> kTakes{
      "nodes",    "fabric",     "data",  "loader", "exchange",
      "parallel", "checkpoint", "store", "cost",   "run"};
  static constexpr std::array<std::string_view, 0> kLeaves{};

  std::optional<Ref<Framework>> framework;
  std::optional<std::int64_t> global_batch;
  std::int64_t accumulate = 1;
  Optimizer optimizer = Optimizer::momentum;
  bool recompute = false;
  Seconds step_overhead;
  Seconds contention_overhead;
  Defaulted<Ratio> step_jitter;
  /// GPUs that are equally fast in every step and wait for none fall into step all the same, and
  /// then exchange together for ever. Steps of real ones vary by a few percent: an estimate.
  static constexpr Ratio kAsynchronousJitter{0.05};
  std::vector<TargetRow> target;

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
    visit(key("optimizer", &Training::optimizer, "what it keeps takes memory of the GPU"));
    visit(key("recompute", &Training::recompute,
              "keeps what blocks pass on alone, and computes each again in the backward pass "
              "(activation checkpointing)"));
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
    visit(key("target", &Training::target,
              "samples to the wanted accuracy, by global batch; one table each"));
  }
};

}  // namespace kind
}  // namespace gpufeed
