// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// A decoder of transformer blocks, as its config.json says it; the loader counts the rest.
struct Architecture {
  using Count = std::optional<std::int64_t>;

  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  Count kv_heads, head_dim;
  std::int64_t ffn = 0;
  bool gated = true;
  std::int64_t vocabulary = 0;
  bool tied = false;
  std::int64_t positions = 0;
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 1;
  std::int64_t expert_ffn = 0;
  std::int64_t shared_ffn = 0;
  std::int64_t dense_layers = 0;
  std::int64_t query_rank = 0;
  std::int64_t kv_rank = 0;
  std::int64_t nope_dim = 0;
  std::int64_t rope_dim = 0;
  Count value_dim;
  std::int64_t window = 0;
  std::int64_t predicted_tokens = 0;
  std::int64_t other_parameters = 0;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    const auto count = [](std::string_view name, auto member, std::string_view help) {
      return key<Architecture>(name, member, help).between(0, 1000000000);
    };
    const auto size = [](std::string_view name, auto member, std::string_view help) {
      return key<Architecture>(name, member, help).between(1, 1000000000);
    };
    visit(size("layers", &Architecture::layers, "num_hidden_layers").needed());
    visit(size("hidden", &Architecture::hidden, "hidden_size").needed());
    visit(size("heads", &Architecture::heads, "num_attention_heads").needed());
    visit(size("kv_heads", &Architecture::kv_heads,
               "num_key_value_heads, of grouped queries; default: as heads"));
    visit(size("head_dim", &Architecture::head_dim, "default: hidden / heads"));
    visit(size("ffn", &Architecture::ffn, "intermediate_size, of layers without experts").needed());
    visit(key("gated", &Architecture::gated,
              "whether a second matrix gates the first (SwiGLU, GeGLU)"));
    visit(size("vocabulary", &Architecture::vocabulary, "vocab_size").needed());
    visit(key("tied", &Architecture::tied,
              "tie_word_embeddings: the output shares the table of the input"));
    visit(count("positions", &Architecture::positions,
                "learned positions (GPT-2, MPT); 0: rotary or none"));
    visit(count("experts", &Architecture::experts,
                "num_experts, num_local_experts, n_routed_experts; 0: none"));
    visit(size("experts_per_token", &Architecture::experts_per_token, "num_experts_per_tok"));
    visit(count("expert_ffn", &Architecture::expert_ffn, "moe_intermediate_size"));
    visit(count("shared_ffn", &Architecture::shared_ffn,
                "of all shared experts together: n_shared_experts x moe_intermediate_size"));
    visit(count("dense_layers", &Architecture::dense_layers,
                "first_k_dense_replace: layers without experts"));
    visit(count("query_rank", &Architecture::query_rank,
                "q_lora_rank, of latent attention; 0: queries are projected whole"));
    visit(count("kv_rank", &Architecture::kv_rank, "kv_lora_rank; 0: no latent attention"));
    visit(count("nope_dim", &Architecture::nope_dim, "qk_nope_head_dim"));
    visit(count("rope_dim", &Architecture::rope_dim, "qk_rope_head_dim"));
    visit(size("value_dim", &Architecture::value_dim, "v_head_dim; default: as head_dim"));
    visit(count("window", &Architecture::window,
                "sliding_window of every other layer; 0: all see all tokens before"));
    visit(count("predicted_tokens", &Architecture::predicted_tokens,
                "num_nextn_predict_layers: layers that predict one more token each, with a head "
                "of its own"));
    visit(count("other_parameters", &Architecture::other_parameters,
                "biases, and norms beyond two a layer and one at the end"));
  }
};

/// A weight matrix: `rows` results of `columns` terms each.
struct MatrixSize {
  double rows = 0;
  double columns = 0;

  double weights() const { return rows * columns; }
};

/// The attention of one layer; `share` GPUs hold equal parts of its heads (tensor parallelism).
struct AttentionSizes {
  std::vector<MatrixSize> matrices;
  double queries = 0;      ///< numbers of a token's queries
  double keys_values = 0;  ///< of its keys, and of its values
  double score_dim = 0;    ///< numbers of a head that a score sums
  double value_dim = 0;    ///< numbers of a head's values
};

AttentionSizes attention_sizes(const Architecture& architecture, double share = 1);

/// Matrices of a network of so many inner numbers.
std::vector<MatrixSize> ffn_sizes(const Architecture& architecture, double inner, double share = 1);

/// What a decoder amounts to. In double, as hostile numbers may be large.
struct ArchitectureCount {
  double parameters = 0;
  double layer_parameters = 0;         ///< of a layer without experts
  double expert_layer_parameters = 0;  ///< of one with all of its experts
  double expert_layers = 0;
  double table = 0;          ///< of words
  double multiply_adds = 0;  ///< of one token, forward; causal: half of all scores count
  double activations = 0;    ///< numbers of one token kept for the backward pass
};

/// \param sequence  tokens of one sample
/// \source  sums over the matrices of config.json; of layers that predict further tokens none are
///          counted, as model cards do not
ArchitectureCount count_architecture(const Architecture& architecture, double sequence);

/// Share of all scores before a token that count, of a causal attention whose every other layer
/// sees a window alone.
double window_share(const Architecture& architecture, double sequence);

}  // namespace gpufeed
