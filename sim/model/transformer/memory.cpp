// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sim/model/transformer/adapters.h"
#include "sim/model/transformer/optimizer.h"
#include "sim/model/transformer/step.h"

namespace gpufeed {
namespace {

double divided(const TransformerJob& job, Sharding from, double group) {
  return job.parallel.shard >= from ? group : 1;
}

void add_states(const TransformerJob& job, const HeldParameters& held, TransformerMemory& out) {
  const kind::Training& training = job.training;
  const double gradient = training.master_weights ? kSingle : kHalf;
  // FSDP divides weights in fp32 and gathers them in 16 bits
  const double weight = job.gathers_layers() && training.master_weights ? 0 : kHalf;
  const auto group_of = [&](double ranks) {
    return std::min(ranks, real(job.parallel.shard_group.value_or(job.gpus)));
  };
  if (training.frozen_weights == FrozenWeights::nf4) {  // tables stay in 16 bits
    const double bytes = frozen_bytes(training) * (held.all() - held.tables) + kHalf * held.tables;
    out.weights += Bytes{bytes / divided(job, Sharding::parameters, group_of(job.sharing()))};
    return;
  }
  const ParameterBytes states = state_bytes(training);
  const bool gradients_leave =
      training.offload_optimizer && job.parallel.shard >= Sharding::gradients;
  const auto add = [&](double parameters, double ranks, double of_states) {
    const double group = group_of(ranks);
    out.weights += Bytes{weight * parameters / divided(job, Sharding::parameters, group)};
    if (training.lora) return;
    if (!gradients_leave)
      out.gradients += Bytes{gradient * parameters / divided(job, Sharding::gradients, group)};
    if (!training.offload_optimizer)
      out.optimizer += Bytes{of_states * parameters / divided(job, Sharding::optimizer, group)};
  };
  add(held.shared - held.tables, job.sharing(), states.matrices);
  add(held.tables, job.sharing(), states.tables);
  add(held.experts, std::max(1.0, real(job.gpus) / (job.pipeline() * job.expert() * job.tensor())),
      states.matrices);
  if (training.lora && weight == 0) out.weights += Bytes{kSingle * held.all() / job.sharing()};
}

/// Two layers, and tables with their gradients; with stages a stage's weights and gradients.
Bytes gathered_by(const TransformerJob& job, const HeldParameters& held) {
  if (!job.gathers_layers() || job.sharing() <= 1) return {};
  constexpr double kWithGradients = 2 * kHalf, kOfStage = 6;
  if (job.parallel.pipeline > 1) return Bytes{kOfStage * held.all()};
  return Bytes{2 * kHalf * held.layer + kWithGradients * held.tables};
}

/// Of one micro-batch in the layers of a stage.
Bytes of_layers(const TransformerJob& job, double layers) {
  const Architecture& own = job.architecture;
  const double tokens = job.tokens();
  const double with_experts = own.experts > 0 ? 1 - real(own.dense_layers) / real(own.layers) : 0;
  const auto all = [&](const TransformerJob& as) {
    Bytes sum;
    if (with_experts > 0) sum += token_activations(as, true) * with_experts;
    if (with_experts < 1) sum += token_activations(as, false) * (1 - with_experts);
    return sum * (tokens * layers);
  };
  switch (job.training.recompute) {
    case Recompute::none:
    case Recompute::full:
      return all(job);
    case Recompute::selective: {
      TransformerJob fused = job;
      fused.training.attention = AttentionKernel::flash_2;
      return all(fused);
    }
    case Recompute::ops:
      return all(job) * 0.5;
  }
  return {};
}

Bytes activations_of(const TransformerJob& job) {
  const double layers = std::ceil(real(job.architecture.layers) / job.pipeline());
  const double stages = job.pipeline(), v = real(job.parallel.virtual_stages);
  double under_way = std::min(stages, job.micro_batches);
  if (v > 1) under_way *= 1 + (stages - 1) / (stages * v);
  if (job.training.recompute != Recompute::full) return of_layers(job, layers) * under_way;
  const double between = kHalf * real(job.architecture.hidden) / job.sequence_shares();
  return Bytes{between * job.tokens() * layers} * under_way + of_layers(job, 1);
}

Bytes logits_of(const TransformerJob& job) {
  // In 16 bits and fp32, and gradients of both; one by one also those of the loss itself
  constexpr double kMixed = 10, kOneByOne = 16, kPure = 6, kChunks = 8;
  const double words = real(job.architecture.vocabulary) / job.tensor();
  const bool fused = job.training.compile || job.training.chunked_loss;
  const double bytes = !job.training.master_weights ? kPure : fused ? kMixed : kOneByOne;
  return Bytes{bytes * job.tokens() * words / (job.training.chunked_loss ? kChunks : 1)};
}

/// A key that could be other, and what it takes to be so.
struct Change {
  Setting setting;
  std::function<bool(TransformerJob&)> apply;  ///< false: it is so already, or cannot be
};

Change recompute_to(Recompute what) {
  return {{"workload.recompute", fmt::format("\"{}\"", name_of(what))},
          [what](TransformerJob& job) {
            const Recompute now = job.training.recompute;
            job.training.recompute = what;
            return now == Recompute::none || (now != what && what == Recompute::full);
          }};
}

Change shard_to(Sharding what) {
  return {{"parallel.shard", fmt::format("\"{}\"", name_of(what))}, [what](TransformerJob& job) {
            const bool more = job.parallel.shard < what && job.sharing() > 1;
            job.parallel.shard = what;
            return more;
          }};
}

Change split_to(std::int64_t Parallel::*key, const char* path, std::int64_t parts) {
  return {{path, fmt::to_string(parts)}, [key, parts](TransformerJob& job) {
            const std::int64_t now = job.parallel.*key;
            if (now >= parts || job.gpus % (parts / std::gcd(now, parts)) != 0 ||
                job.replicas() * real(now) < real(parts))
              return false;
            job.parallel.*key = parts;
            return true;
          }};
}

std::vector<Change> changes_of(const TransformerJob& job) {
  std::vector<Change> out{recompute_to(Recompute::ops), recompute_to(Recompute::full)};
  out.push_back({{"parallel.micro_batch", "1"}, [](TransformerJob& own) {
                   const bool larger = own.micro_batch > 1;
                   own.micro_batches *= own.micro_batch;
                   own.micro_batch = 1;
                   return larger;
                 }});
  out.push_back(shard_to(Sharding::optimizer));
  out.push_back(shard_to(Sharding::parameters));
  for (std::int64_t parts = 2; parts <= job.ways.node_gpus; parts *= 2)
    out.push_back(split_to(&Parallel::tensor, "parallel.tensor", parts));
  for (std::int64_t parts = 2; parts <= job.architecture.layers; parts *= 2)
    out.push_back(split_to(&Parallel::pipeline, "parallel.pipeline", parts));
  out.push_back({{"workload.optimizer", "\"adam-8bit\""}, [](TransformerJob& own) {
                   const bool wide = own.training.optimizer.value == Optimizer::adam;
                   own.training.optimizer = Optimizer::adam_8bit;
                   return wide;
                 }});
  out.push_back({{"workload.offload_optimizer", "true"}, [](TransformerJob& own) {
                   own.training.offload_optimizer = true;
                   return can_offload(own);
                 }});
  return out;
}

bool fits(const TransformerJob& job) { return transformer_memory(job).typical() <= job.gpu.memory; }

}  // namespace

Bytes TransformerMemory::typical() const { return floor() * allocator.value + own; }

Bytes token_activations(const TransformerJob& job, bool with_experts) {
  const Architecture& own = job.architecture;
  const double narrow = product_format(job.gpu, job.training.precision)->quantized() ? 1 : kHalf;
  const AttentionSizes sizes = attention_sizes(own, job.tensor());
  const double hidden = real(own.hidden);
  const double inner = (with_experts ? real(own.experts_per_token * own.expert_ffn + own.shared_ffn)
                                     : real(own.ffn)) /
                       job.tensor();
  double bytes = (4 * hidden + 2 * narrow * hidden) / job.sequence_shares() +
                 kHalf * (sizes.queries + 2 * sizes.keys_values) + narrow * sizes.queries +
                 ((own.gated ? 4 : 2) + narrow) * inner;
  if (with_experts) bytes += 2 * real(own.experts_per_token) * hidden / job.tensor();
  if (job.training.attention == AttentionKernel::unfused)
    bytes += (job.training.dropout ? 5 : 2) * real(own.heads) * job.sequence / job.tensor();
  bytes += adapter_activation_bytes(job, with_experts);
  return Bytes{bytes};
}

TransformerMemory transformer_memory(const TransformerJob& job) {
  const HeldParameters held = held_parameters(job);
  TransformerMemory out;
  out.allocator = job.library().allocator;
  out.own = job.library().own_memory;
  add_states(job, held, out);
  out.gathered = gathered_by(job, held);
  const Bytes first = activations_of(job);
  const Bytes logits = logits_of(job);
  if (job.parallel.pipeline == 1) {
    out.activations = first;
    out.logits = logits;
    return out;
  }
  TransformerJob last = job;
  last.micro_batches = 1;
  const Bytes at_last = activations_of(last);
  const bool last_is_fuller = at_last + logits > first;
  out.activations = last_is_fuller ? at_last : first;
  out.logits = last_is_fuller ? logits : Bytes{};
  return out;
}

Bytes offloaded_of_host(const TransformerJob& job) {
  const double gpus = std::min(real(job.ways.node_gpus), real(job.gpus));
  return Bytes{kOffloadedBytes * held_parameters(job).all() / states_shared_by(job) * gpus};
}

bool can_offload(const TransformerJob& job) {
  const kind::Training& training = job.training;
  return training.optimizer.value == Optimizer::adam && training.master_weights && !training.lora &&
         job.ways.host > Bandwidth{} && offloaded_of_host(job) <= job.ways.host_room;
}

std::vector<Setting> what_would_fit(const TransformerJob& job) {
  const auto changes = changes_of(job);
  std::vector<TransformerJob> changed;
  std::vector<const Change*> made;
  for (const Change& change : changes) {
    TransformerJob other = job;
    if (!change.apply(other)) continue;
    if (fits(other)) return {change.setting};
    changed.push_back(std::move(other));
    made.push_back(&change);
  }
  for (std::size_t i = 0; i < changed.size(); ++i)
    for (const Change& change : changes) {
      TransformerJob other = changed[i];
      if (&change > made[i] && change.apply(other) && fits(other))
        return {made[i]->setting, change.setting};
    }
  return {};
}

std::string text(const std::vector<Setting>& settings) {
  std::string out;
  for (const Setting& one : settings)
    out += fmt::format("{}{} = {}", out.empty() ? "" : " with ", text(one.key), one.value);
  return out;
}

}  // namespace gpufeed
