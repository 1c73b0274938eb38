// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/step.h"

#include <algorithm>
#include <cmath>

#include "sim/model/transformer/layer.h"
#include "sim/model/transformer/optimizer.h"
#include "sim/model/transformer/traffic.h"

namespace gpufeed {
namespace {

double expert_layers(const Architecture& own) {
  return own.experts > 0 ? real(own.layers - own.dense_layers) : 0;
}

/// Of the model, and of the further tokens that it predicts.
double all_layers(const Architecture& own) { return real(own.layers + own.predicted_tokens); }

/// Layers of the largest stage of a pipeline, and of the last, which has the output beside them.
/// What does not divide evenly is laid out by hand: the last stage takes what the others leave.
struct StageLayers {
  double largest, last;
};

StageLayers stage_layers(const TransformerJob& job) {
  const double all = all_layers(job.architecture);
  const double largest = std::ceil(all / job.pipeline());
  return {largest, std::max(0.0, all - largest * (job.pipeline() - 1))};
}

/// One micro-batch through all layers, over their number.
StepParts mean_layer(const TransformerJob& job) {
  const Architecture& own = job.architecture;
  const double with = expert_layers(own), without = real(own.layers) - with;
  StepParts sum;
  const auto add = [&](bool with_experts, double times) {
    if (times == 0) return;
    const LayerTime layer = layer_time(job, with_experts);
    sum += layer.forward * times;
    sum += layer.backward * times;
  };
  const double further = real(own.predicted_tokens);
  add(true, with + (with > 0 ? further : 0));
  add(false, without + (with > 0 ? 0 : further));
  return sum * (1 / all_layers(own));
}

/// Of their own group each: those of experts and all others.
Seconds gradient_time(const TransformerJob& job, const HeldParameters& held) {
  const double bytes = job.gradient_bytes;
  constexpr double kWeightBytes = 2;
  const auto sum = [&](const RankGroup& group, double parameters) {
    return gather_time(job.ways, group, Bytes{bytes * parameters}) +
           gather_time(job.ways, group, Bytes{(bytes > 0 ? kWeightBytes : 0) * parameters});
  };
  const double expert_group = std::max(1.0, real(job.gpus) / (job.pipeline() * job.expert()));
  return sum({job.sharing(), job.tensor()}, held.shared) +
         sum({expert_group, job.expert()}, held.experts);
}

/// What of it is waited for after a backward pass that hides it.
Seconds seen(const TransformerJob& job, Seconds exchange, Seconds backward) {
  if (!job.parallel.gradient_overlap) return exchange;
  return std::max(Seconds{}, exchange - backward) + exchange * job.library().contention.value;
}

Seconds of_all_micro_batches(const TransformerJob& job, Seconds one) {
  return one * job.micro_batches;
}

/// Micro-batches through the stages; of `parts`, what the GPUs of all stages do on average.
StepParts pipelined(const TransformerJob& job, const StepParts& layer, Seconds head) {
  const double stages = job.pipeline();
  StepParts parts = layer * (all_layers(job.architecture) / stages * job.micro_batches);
  parts[StepPart::head] = of_all_micro_batches(job, head) / stages;
  if (job.parallel.pipeline == 1) return parts;
  const auto [largest, last] = stage_layers(job);
  const Seconds stage = layer.all() * largest;
  const Seconds slowest = std::max(stage, layer.all() * last + head);
  const double v = real(job.parallel.virtual_stages);
  const Seconds all = slowest * (job.micro_batches - 1) + stage * (1 + (stages - 1) / v);
  parts[StepPart::bubble] = all - parts.all();
  const double overlapped = job.library().overlapped_stages.value;
  parts[StepPart::stages] = of_all_micro_batches(job, pass_on_time(job)) *
                            (2 * v * (job.parallel.pipeline_overlap ? overlapped : 1));
  return parts;
}

}  // namespace

double pipeline_factor(double stages, double virtual_stages, double micro_batches) {
  return 1 + (stages - 1) / (virtual_stages * micro_batches);
}

double states_shared_by(const TransformerJob& job) {
  if (job.parallel.shard == Sharding::none) return 1;
  return std::min(job.sharing(), real(job.parallel.shard_group.value_or(job.gpus)));
}

HeldParameters held_parameters(const TransformerJob& job) {
  const Architecture& own = job.architecture;
  const double with = expert_layers(own), without = real(own.layers) - with;
  const LayerTime dense = without > 0 ? layer_time(job, false) : LayerTime{};
  const LayerTime expert = with > 0 ? layer_time(job, true) : LayerTime{};
  HeldParameters out;
  out.experts = with * expert.expert_parameters / job.pipeline();
  const double layers = without * dense.parameters + with * expert.parameters;
  const double table = real(own.vocabulary) * real(own.hidden) / job.tensor();
  out.tables = table * (job.parallel.pipeline > 1 || own.tied ? 1 : 2);
  out.shared = layers / job.pipeline() - out.experts + out.tables;
  out.layer = std::max(dense.parameters, expert.parameters);
  return out;
}

StepParts transformer_step(const TransformerJob& job) {
  constexpr double kAccumulated = 8;  // bytes of a parameter
  const HeldParameters held = held_parameters(job);
  const StepParts layer = mean_layer(job);
  const Seconds head = head_time(job) * (1 + real(job.architecture.predicted_tokens));
  StepParts parts = pipelined(job, layer, head);
  const Seconds backward = parts.all() * (0.6 / job.micro_batches);
  const bool divides_layers =
      job.parallel.shard == Sharding::parameters || job.parallel.shard == Sharding::gradients;
  const double own = own_parameters(job);
  const double accumulated = divides_layers || job.training.lora ? own : held.all();
  parts[StepPart::gradients] =
      Bytes{job.micro_batches * kAccumulated * accumulated} / job.memory_rate();
  if (!divides_layers && job.sharing() > 1)
    parts[StepPart::gradients] += seen(job, gradient_time(job, held), backward);
  parts[StepPart::optimizer] = optimizer_time(job, held, own, backward);
  return parts;
}

double own_parameters(const TransformerJob& job) {
  return job.training.lora ? 0 : held_parameters(job).all() / states_shared_by(job);
}

double tokens_per_gpu(const TransformerJob& job) {
  const double samples = job.micro_batch * job.micro_batches * job.replicas();
  return samples * job.sequence / static_cast<double>(job.gpus) / transformer_step(job).all().value;
}

Ratio model_flop_utilization(const TransformerJob& job) {
  constexpr double kPasses = 3, kFlopPerMultiplyAdd = 2;
  const auto of = [&](double sequence) {
    return count_architecture(job.architecture, sequence).multiply_adds;
  };
  const double frozen = job.training.lora ? of(0) : 0;  // products, without attention's scores
  const double flop = kFlopPerMultiplyAdd * (kPasses * of(job.sequence) - frozen);
  return {flop * tokens_per_gpu(job) / product_format(job.gpu, job.training.precision)->peak.value};
}

}  // namespace gpufeed
