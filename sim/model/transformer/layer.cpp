// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/layer.h"

#include <algorithm>
#include <cmath>

#include "sim/model/kernels/product.h"
#include "sim/model/transformer/adapters.h"
#include "sim/model/transformer/optimizer.h"
#include "sim/model/transformer/traffic.h"

namespace gpufeed {
namespace {

constexpr double kActivationBytes = 2;

std::int64_t whole(double size) { return std::max<std::int64_t>(1, std::llround(size)); }

struct BothWays {
  Seconds forward, backward;
};

/// Matrix products of a layer, and what they read and write.
class Products {
 public:
  explicit Products(const TransformerJob& job)
      : job_(job), format_(*product_format(job.gpu, job.training.precision)) {}

  /// Of `rows` tokens; backward both transposes, of frozen weights (LoRA) the inputs' alone.
  BothWays time_of(double rows, const MatrixSize& matrix, const ProductFormat& format) const {
    const auto m = whole(rows), n = whole(matrix.rows), k = whole(matrix.columns);
    const Seconds gradients = job_.training.lora ? Seconds{} : one(k, n, m, format);
    return {one(m, n, k, format), one(m, k, n, format) + gradients};
  }

  void add(double rows, const MatrixSize& matrix) {
    sum(time_of(rows, matrix, format_));
    note(rows, matrix, 1);
  }

  /// One product of all experts of a GPU, each of its rows filled up to tiles; at least reading
  /// their weights.
  void add_experts(double rows, double experts, const MatrixSize& matrix) {
    constexpr double kTile = 128;
    BothWays time = time_of(kTile * std::ceil(rows / kTile) * experts, matrix, format_);
    const Seconds weights = Bytes{format_.bytes * experts * matrix.weights()} / job_.memory_rate();
    time.forward = std::max(time.forward, weights);
    time.backward = std::max(time.backward, weights * (job_.training.lora ? 1 : 2));
    sum(time);
    note(rows * experts, matrix, experts);
  }

  /// In 16 bits, whatever the others are in.
  void add_router(double rows, const MatrixSize& matrix) {
    sum(time_of(rows, matrix, *product_format(job_.gpu, "bf16")));
  }

  /// Frozen weights of 4 bits to 16, before each use.
  Seconds dequantizing() const {
    return Bytes{(frozen_bytes(job_.training) + kActivationBytes) * weights_} / job_.memory_rate();
  }

  BothWays all() const { return all_; }
  Seconds last() const { return last_; }

  /// Activations and weights to 8 or 4 bits; backward activations again.
  BothWays quantizing() const {
    if (!format_.quantized()) return {};
    const double factor = job_.library().quantize_passes.value;
    const Bytes activations{kActivationBytes * numbers_ * factor};
    const Bytes weights{4 * weights_ * factor};
    return {(activations + weights) / job_.memory_rate(), activations / job_.memory_rate()};
  }

 private:
  Seconds one(std::int64_t m, std::int64_t n, std::int64_t k, const ProductFormat& format) const {
    return product_cost({m, n, k, {}}, job_.gpu, format.peak * job_.gpu.sustained_share.value,
                        format.bytes, false)
        .all();
  }
  void sum(const BothWays& time) {
    all_.forward += time.forward;
    all_.backward += time.backward;
    last_ = time.forward;
  }
  void note(double rows, const MatrixSize& matrix, double times) {
    numbers_ += rows * (matrix.rows + matrix.columns);
    weights_ += matrix.weights() * times;
  }

  const TransformerJob& job_;
  const ProductFormat format_;
  BothWays all_;
  Seconds last_;
  double numbers_ = 0, weights_ = 0;
};

Products products_of(const TransformerJob& job, bool with_experts) {
  const Architecture& own = job.architecture;
  const double tokens = job.tokens(), tensor = job.tensor();
  Products out(job);
  for (const MatrixSize& matrix : attention_sizes(own, tensor).matrices) out.add(tokens, matrix);
  if (!with_experts) {
    for (const MatrixSize& matrix : ffn_sizes(own, real(own.ffn), tensor)) out.add(tokens, matrix);
    return out;
  }
  const double experts = real(own.experts);
  out.add_router(tokens / tensor, {experts, real(own.hidden)});
  if (own.shared_ffn > 0)
    for (const MatrixSize& matrix : ffn_sizes(own, real(own.shared_ffn), tensor))
      out.add(tokens, matrix);
  const double rows = routed_tokens(job) * job.expert() / experts;
  for (const MatrixSize& matrix : ffn_sizes(own, real(own.expert_ffn)))
    out.add_experts(rows, experts / job.expert(), matrix);
  return out;
}

struct Scores {
  double count;  ///< all of the square
  double flop;   ///< of all
};

Scores scores_of(const TransformerJob& job) {
  const AttentionSizes sizes = attention_sizes(job.architecture);
  const double heads = real(job.architecture.heads) / job.tensor();
  const double count = job.tokens() * job.sequence * heads;
  return {count, 2 * count * (sizes.score_dim + sizes.value_dim)};
}

BothWays unfused_attention(const TransformerJob& job) {
  constexpr double kForwardBytes = 13, kBackwardBytes = 17;  // of a score
  constexpr double kTileHead = 8, kBesideTiles = 1.0 / 16;
  const TransformerLibrary& library = job.library();
  const Scores scores = scores_of(job);
  const Ratio share = job.gpu.matmul_share.value_or((*job.gpu.kernels)->share);
  double rate = product_format(job.gpu, "bf16")->peak.value * share.value *
                job.gpu.sustained_share.value * library.unfused_attention.value;
  if (std::fmod(attention_sizes(job.architecture).score_dim, kTileHead) != 0) rate *= kBesideTiles;
  const Seconds products{scores.flop / rate};
  return {products + Bytes{kForwardBytes * scores.count} / job.memory_rate(),
          products * 2 + Bytes{kBackwardBytes * scores.count} / job.memory_rate()};
}

/// Head size whose two products of a score, 2 FLOP each and size, take as long on the GPU's peak as
/// its exponential does.
double exponential_size(const Gpu& gpu, FlopRate peak) {
  constexpr double kFlop = 4, kUsualShare = 1.0 / 16;
  const FlopRate all =
      gpu.peak_exponentials.value_or(gpu.peak_fp32.value_or(FlopRate{}) * kUsualShare);
  return all.value > 0 ? peak.value / (kFlop * all.value) : 0;
}

/// Whether its kernels are made for products of warp groups, which GPUs have from Hopper on.
bool is_for_groups(const TransformerJob& job) {
  return job.training.attention == AttentionKernel::flash_3 && job.gpu.older_attention_share;
}

/// Share of the peak. Products and exponentials are done by different units: kernels for warp
/// groups overlap some of both, older ones do them in turn, their products by an older instruction.
double attention_share(const TransformerJob& job, FlopRate peak) {
  const TransformerLibrary& library = job.library();
  const double sustained = job.gpu.sustained_share.value;
  const double older = job.gpu.older_attention_share.value_or(Ratio{sustained}).value;
  if (job.training.attention == AttentionKernel::flash_1) return library.flash_1.value * older;
  const AttentionSizes sizes = attention_sizes(job.architecture);
  const double size = (sizes.score_dim + sizes.value_dim) / 2;
  const double exponential = exponential_size(job.gpu, peak);
  if (is_for_groups(job)) return library.attention.value * sustained * size / (size + exponential);
  return library.flash_2.value * size / (size / older + exponential);
}

BothWays fused_attention(const TransformerJob& job) {
  // Five products instead of two, and of them less of the peak (flash-attention 2 and 3, papers)
  constexpr double kBackward = 2.5 / 0.85;
  constexpr double kRowsOfGroups = 2;  // over those of older kernels
  const FlopRate peak = product_format(job.gpu, "bf16")->peak;
  const double ends =
      (is_for_groups(job) ? kRowsOfGroups : 1) * real(job.library().attention_tokens);
  const double share = attention_share(job, peak) * job.sequence / (job.sequence + ends);
  const double causal = scores_of(job).flop / 2 * window_share(job.architecture, job.sequence);
  const Seconds forward{causal / (peak.value * share)};
  return {forward, forward * kBackward};
}

BothWays attention_both(const TransformerJob& job) {
  return job.training.attention == AttentionKernel::unfused ? unfused_attention(job)
                                                            : fused_attention(job);
}

/// Kernels of a layer that a host starts, forward.
Seconds host_time(const TransformerJob& job, bool with_experts) {
  constexpr double kCompiled = 0.5, kUnfusedExperts = 3, kFusedExperts = 0.75;
  constexpr double kAfterGraph = 1;  // products, permutation and exchange, as a dense layer has
  const bool graphs = job.training.cuda_graphs;
  const bool all = job.training.cuda_graph_scope == GraphScope::all || !with_experts;
  if (graphs && all) return {};
  const Seconds launch =
      job.library().launch * (job.training.lora ? job.library().adapter_launches.value : 1);
  if (graphs) return launch * (job.training.fused_experts ? kFusedExperts : kAfterGraph);
  if (with_experts) return launch * (job.training.fused_experts ? kFusedExperts : kUnfusedExperts);
  // Modules of a tensor-parallel group are started one by one, compiled or not
  return job.training.compile && job.parallel.tensor == 1 ? launch * kCompiled : launch;
}

/// What of the forward pass the backward pass does again.
Seconds computed_again(const TransformerJob& job, Seconds forward, Seconds last, Seconds scores) {
  constexpr double kEveryOther = 0.5;
  switch (job.training.recompute) {
    case Recompute::none:
      return {};
    case Recompute::full:
      // PyTorch's stops once it has what it needs; Megatron's pipelines do it all
      return job.gathers_layers() ? forward - last : forward;
    case Recompute::selective:
      return scores;
    case Recompute::ops:
      return forward * kEveryOther;
  }
  return {};
}

/// A host that is slower than its GPU holds it up: (gpu^4 + host^4)^(1/4).
void add_host(StepParts& pass, Seconds host) {
  const double gpu = pass.all().value;
  pass[StepPart::host] = Seconds{std::pow(std::pow(gpu, 4) + std::pow(host.value, 4), 0.25) - gpu};
}

/// Of an exchange beside computing, for which this takes longer, what is waited for:
///   max(exchange, computing + contention x exchange) - computing
Seconds seen_beside(const TransformerJob& job, Seconds computing, Seconds exchange) {
  return std::max(exchange, computing + exchange * job.library().contention.value) - computing;
}

/// Tokens to their experts and back. Overlapped, those of one micro-batch travel while another's
/// backward pass computes, and the other way round.
void add_dispatch(const TransformerJob& job, LayerTime& layer) {
  const Seconds forward = dispatch_time(job) * 2;
  const Seconds backward = forward * (job.training.recompute == Recompute::full ? 2 : 1);
  const Seconds computing = layer.forward.all() + layer.backward.all();
  const Seconds both = forward + backward;
  const double seen = job.parallel.expert_overlap && both > Seconds{}
                          ? seen_beside(job, computing, both) / both
                          : 1.0;
  layer.forward[StepPart::experts] = forward * seen;
  layer.backward[StepPart::experts] = backward * seen;
}

void add_exchange(const TransformerJob& job, bool with_experts, LayerTime& layer) {
  if (with_experts && job.parallel.expert > 1) add_dispatch(job, layer);
  const bool again = job.training.recompute == Recompute::full;
  const auto both = [&](StepPart part, Seconds time, double backward) {
    layer.forward[part] = time;
    layer.backward[part] = time * backward;
  };
  const double hidden = real(job.architecture.hidden);
  if (job.parallel.tensor > 1) {
    const Bytes sums{kActivationBytes * job.tokens() * hidden};
    const double seen = job.parallel.tensor_overlap ? job.library().overlapped_tensor.value : 1.0;
    both(StepPart::tensor, sum_time(job.ways, {job.tensor()}, sums) * (2 * seen), again ? 2 : 1);
  }
  if (job.parallel.context > 1) {
    const double of_token = attention_sizes(job.architecture, job.tensor()).keys_values;
    const Bytes gathered{2 * kActivationBytes * of_token * job.micro_batch * job.sequence};
    constexpr double kSeen = 0.5;
    both(StepPart::context, gather_time(job.ways, {job.context(), job.tensor()}, gathered) * kSeen,
         2);
  }
}

/// Replicas that share parameters gather each layer on both ways and scatter its gradients, beside
/// computing.
void add_sharing(const TransformerJob& job, LayerTime& layer) {
  const Sharding shard = job.parallel.shard;
  if (shard != Sharding::parameters && shard != Sharding::gradients) return;
  const double group = std::min(job.sharing(), real(job.parallel.shard_group.value_or(job.gpus)));
  const RankGroup near{group, job.tensor()};
  const Bytes gradients{job.gradient_bytes * layer.parameters};
  Seconds gather =
      gather_time(job.ways, near, Bytes{frozen_bytes(job.training) * layer.parameters});
  Seconds scatter = gather_time(job.ways, near, gradients);
  if (group < job.sharing())
    scatter += sum_time(job.ways, {job.sharing() / group, group * job.tensor()}, gradients / group);
  if (!job.gathers_layers()) gather = gather / job.micro_batches;  // once a step
  const Seconds back = job.gathers_layers() ? gather + scatter : scatter;
  layer.forward[StepPart::parameters] = seen_beside(job, layer.forward.all(), gather);
  layer.backward[StepPart::parameters] = seen_beside(job, layer.backward.all(), back);
}

void count_parameters(const TransformerJob& job, bool with_experts, LayerTime& layer) {
  const Architecture& own = job.architecture;
  const auto sum = [](const std::vector<MatrixSize>& matrices) {
    double weights = 0;
    for (const MatrixSize& one : matrices) weights += one.weights();
    return weights;
  };
  layer.parameters = sum(attention_sizes(own).matrices) / job.tensor();
  if (!with_experts) {
    layer.parameters += sum(ffn_sizes(own, real(own.ffn))) / job.tensor();
    return;
  }
  layer.expert_parameters =
      real(own.experts) / job.expert() * sum(ffn_sizes(own, real(own.expert_ffn)));
  layer.parameters += sum(ffn_sizes(own, real(own.shared_ffn))) / job.tensor() +
                      real(own.hidden * own.experts) + layer.expert_parameters;
}

}  // namespace

Seconds attention_time(const TransformerJob& job) { return attention_both(job).forward; }

Seconds passes_time(const TransformerJob& job, bool with_experts) {
  const Architecture& own = job.architecture;
  const TransformerLibrary& library = job.library();
  const AttentionSizes sizes = attention_sizes(own, job.tensor());
  const double inner = real(with_experts ? own.shared_ffn : own.ffn) / job.tensor();
  const double hidden = real(own.hidden);
  const double numbers =
      job.tokens() * (10 * hidden / job.sequence_shares() +
                      2 * (sizes.queries + 2 * sizes.keys_values) + (own.gated ? 3 : 2) * inner);
  const double factor =
      library.passes.value * (job.training.compile ? 1 : library.eager_passes.value);
  double bytes = kActivationBytes * numbers * factor;
  if (with_experts)
    bytes += kActivationBytes * routed_tokens(job) * (4 * hidden + 3 * real(own.expert_ffn)) *
             (job.training.fused_experts ? 1 : library.unfused_experts.value);
  return Bytes{bytes} / job.memory_rate();
}

LayerTime layer_time(const TransformerJob& job, bool with_experts) {
  constexpr double kPassesBackward = 1.5;
  const Products products = products_of(job, with_experts);
  const BothWays attention = attention_both(job), quantizing = products.quantizing();
  const Seconds passes = passes_time(job, with_experts);
  const AdapterTime adapters = adapter_time(job, with_experts);
  LayerTime out;
  out.forward[StepPart::products] = products.all().forward;
  out.forward[StepPart::attention] = attention.forward;
  out.forward[StepPart::passes] = passes + adapters.forward;
  const bool frozen = job.training.frozen_weights == FrozenWeights::nf4;
  const Seconds dequantizing = frozen ? products.dequantizing() : Seconds{};
  out.forward[StepPart::quantizing] = quantizing.forward + dequantizing;
  out.backward[StepPart::products] = products.all().backward;
  out.backward[StepPart::attention] = attention.backward;
  out.backward[StepPart::passes] = passes * kPassesBackward + adapters.backward;
  out.backward[StepPart::quantizing] = quantizing.backward + dequantizing;
  out.backward[StepPart::recompute] =
      computed_again(job, out.forward.all(), products.last(), attention.forward);
  const Seconds host = host_time(job, with_experts);
  add_host(out.forward, host);
  add_host(out.backward, host * (job.training.recompute == Recompute::full ? 3 : 2));
  add_exchange(job, with_experts, out);
  count_parameters(job, with_experts, out);
  add_sharing(job, out);
  return out;
}

Seconds head_time(const TransformerJob& job) {
  constexpr double kLogitBytes = 24, kEager = 1.3, kChunked = 0.5;
  const double words = real(job.architecture.vocabulary) / job.tensor();
  const BothWays output = Products(job).time_of(
      job.tokens(), {words, real(job.architecture.hidden)}, *product_format(job.gpu, "bf16"));
  const double bytes = kLogitBytes * job.tokens() * words * (job.training.compile ? 1 : kEager) *
                       (job.training.chunked_loss ? kChunked : 1);
  return output.forward + output.backward + Bytes{bytes} / job.memory_rate();
}

}  // namespace gpufeed
