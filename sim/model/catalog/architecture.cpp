// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/architecture.h"

#include <algorithm>
#include <numeric>

namespace gpufeed {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

double weights(const std::vector<MatrixSize>& matrices) {
  return std::accumulate(matrices.begin(), matrices.end(), 0.0,
                         [](double sum, const MatrixSize& one) { return sum + one.weights(); });
}

double head_dim(const Architecture& own) {
  return number(own.head_dim.value_or(own.hidden / own.heads));
}

/// Queries and keys through matrices of low rank (multi-head latent attention, DeepSeek-V2).
AttentionSizes latent_sizes(const Architecture& own, double share) {
  const double hidden = number(own.hidden), heads = number(own.heads) / share;
  const double query = number(own.nope_dim + own.rope_dim);
  const double value = number(own.value_dim.value_or(own.nope_dim));
  const double rank = number(own.query_rank), latent = number(own.kv_rank + own.rope_dim);
  AttentionSizes out;
  out.matrices = {{rank + latent, hidden},
                  {heads * query, rank > 0 ? rank : hidden},
                  {heads * (number(own.nope_dim) + value), number(own.kv_rank)},
                  {hidden, heads * value}};
  out.queries = heads * query;
  out.keys_values = out.queries;
  out.score_dim = query;
  out.value_dim = value;
  return out;
}

}  // namespace

AttentionSizes attention_sizes(const Architecture& own, double share) {
  if (own.kv_rank > 0) return latent_sizes(own, share);
  const double hidden = number(own.hidden), dim = head_dim(own);
  AttentionSizes out;
  out.queries = number(own.heads) * dim / share;
  out.keys_values = number(own.kv_heads.value_or(own.heads)) * dim / share;
  out.matrices = {{out.queries + 2 * out.keys_values, hidden}, {hidden, out.queries}};
  out.score_dim = out.value_dim = dim;
  return out;
}

std::vector<MatrixSize> ffn_sizes(const Architecture& own, double inner, double share) {
  const double hidden = number(own.hidden);
  return {{(own.gated ? 2 : 1) * inner / share, hidden}, {hidden, inner / share}};
}

double window_share(const Architecture& own, double sequence) {
  if (own.window == 0) return 1;
  return std::min(1.0, 0.5 + number(own.window) / sequence);
}

ArchitectureCount count_architecture(const Architecture& own, double sequence) {
  constexpr double kNorms = 2;  // of a layer, a number for each hidden one
  const double hidden = number(own.hidden);
  const AttentionSizes attention = attention_sizes(own);
  const double projections = weights(attention.matrices);
  const double scores =
      number(own.heads) * (attention.score_dim + attention.value_dim) * sequence / 2;
  const double shared = weights(ffn_sizes(own, number(own.shared_ffn)));
  const double expert = weights(ffn_sizes(own, number(own.expert_ffn)));
  const double router = hidden * number(own.experts);
  ArchitectureCount out;
  out.expert_layers = own.experts > 0 ? number(own.layers - own.dense_layers) : 0;
  const double dense_layers = number(own.layers) - out.expert_layers;
  const double dense = projections + weights(ffn_sizes(own, number(own.ffn)));
  const double common = projections + shared + router;
  out.table = number(own.vocabulary) * hidden;
  out.layer_parameters = dense + kNorms * hidden;
  out.expert_layer_parameters = common + number(own.experts) * expert + kNorms * hidden;
  out.parameters = dense_layers * out.layer_parameters +
                   out.expert_layers * out.expert_layer_parameters +
                   out.table * (own.tied ? 1 : 2) + number(own.positions) * hidden + hidden +
                   number(own.other_parameters);
  out.multiply_adds = dense_layers * dense +
                      out.expert_layers * (common + number(own.experts_per_token) * expert) +
                      number(own.layers) * scores * window_share(own, sequence) + out.table;
  const double inner =
      number(own.experts > 0 ? own.experts_per_token * own.expert_ffn + own.shared_ffn : own.ffn);
  out.activations = number(own.layers) * (4 * hidden + 2 * attention.queries +
                                          2 * attention.keys_values + (own.gated ? 3 : 2) * inner);
  return out;
}

}  // namespace gpufeed
