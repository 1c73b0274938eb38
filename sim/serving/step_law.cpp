// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/step_law.h"

#include <algorithm>
#include <cmath>

#include "sim/serving/case.h"

namespace gpufeed::serving {
namespace {

constexpr double kSharpness = 4;    // reading weights and multiplying hide one another, nearly
constexpr double kSums = 2;         // over GPUs, of each layer
constexpr double kWidth = 2;        // bytes of a number that is summed
constexpr double kMultiplyAdd = 2;  // operations

double count(const std::optional<std::int64_t>& own, std::int64_t otherwise) {
  return static_cast<double>(own.value_or(otherwise));
}

double all(const std::vector<MatrixSize>& matrices) {
  double sum = 0;
  for (const MatrixSize& one : matrices) sum += one.weights();
  return sum;
}

}  // namespace

double StepLaw::seconds(double tokens, double sequences, double context, double chunks) const {
  double read = dense_read;
  if (expert_read > 0) read += expert_read * (1 - std::pow(idle_expert, tokens));
  const double multiply = product * tokens;
  const double a = read * read;
  const double b = multiply * multiply;
  const double products = std::sqrt(std::sqrt(a * a + b * b));
  static_assert(kSharpness == 4, "written out, for it is asked every step");
  return slower *
         (products + context * kv_read + chunks + fixed + sequence * sequences + exchange * tokens);
}

double StepLaw::prefill(double x, double y, double budget) const {
  double sum = 0;
  while (x > 0) {
    const double one = std::min(x, budget);
    sum += seconds(one, 1, 0, chunk(one, y));
    x -= one;
    y += one;
  }
  return sum;
}

Sizes sizes_of(const Architecture& own, double weight_bytes, double kv_width, double tensor) {
  Sizes out;
  const ArchitectureCount counted = count_architecture(own, 1);
  const double layers = static_cast<double>(own.layers);
  const double experts = static_cast<double>(own.experts);
  out.weight_bytes = weight_bytes;
  out.parameters = counted.parameters;
  out.weights_read = counted.parameters - (own.tied ? 0 : counted.table);
  out.experts =
      counted.expert_layers * experts * all(ffn_sizes(own, static_cast<double>(own.expert_ffn)));
  out.active = out.weights_read;
  if (experts > 0)
    out.active += out.experts * (static_cast<double>(own.experts_per_token) / experts - 1);
  if (own.kv_rank > 0) {
    out.kv_bytes = static_cast<double>(own.kv_rank + own.rope_dim) * layers * kv_width * tensor;
  } else {
    const double heads = std::max(count(own.kv_heads, own.heads), tensor);  // each GPU has one
    out.kv_bytes = 2 * layers * heads * count(own.head_dim, own.hidden / own.heads) * kv_width;
  }
  return out;
}

StepLaw law_of(const Architecture& own, const Sizes& sizes, double peak, double bandwidth,
               double tensor, const ServingEngine& engine) {
  StepLaw law;
  const double layers = static_cast<double>(own.layers);
  const double read = tensor * bandwidth * engine.memory.value;
  law.dense_read = (sizes.weights_read - sizes.experts) * sizes.weight_bytes / read;
  law.expert_read = sizes.experts * sizes.weight_bytes / read;
  if (own.experts > 0)
    law.idle_expert =
        1 - static_cast<double>(own.experts_per_token) / static_cast<double>(own.experts);
  law.product = kMultiplyAdd * sizes.active / (tensor * peak * engine.product.value);
  law.kv_read = sizes.kv_bytes / read;
  const AttentionSizes heads = attention_sizes(own);
  law.attention = kMultiplyAdd * layers * static_cast<double>(own.heads) *
                  (heads.score_dim + heads.value_dim) / (tensor * peak * engine.attention.value);
  law.attention_tokens = static_cast<double>(engine.attention_tokens);
  law.fixed = engine.host.value + engine.layer.value * layers;
  law.sequence = engine.sequence.value;
  if (tensor > 1) {
    law.fixed += kSums * layers * engine.reduce.value;
    law.exchange = kSums * layers * 2 * (tensor - 1) / tensor * static_cast<double>(own.hidden) *
                   kWidth / engine.ring.value;
  }
  return law;
}

std::int64_t pool_blocks(const Sizes& sizes, double memory, double memory_share, double tensor,
                         const ServingEngine& engine) {
  const double room =
      (memory_share * memory * engine.usable_memory.value - engine.reserved.value) * tensor -
      sizes.parameters * sizes.weight_bytes;
  const double blocks = room / sizes.kv_bytes / static_cast<double>(kBlock);
  return static_cast<std::int64_t>(std::floor(blocks));
}

}  // namespace gpufeed::serving
