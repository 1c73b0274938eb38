// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace gpufeed {

/// Which projections of attention have a bias.
enum class AttentionBias { none, inputs, all };
/// Norms of queries and keys: none, one of a head's numbers, one of all heads' numbers.
enum class QueryNorm { none, head, whole };

/// What a model_type of transformers is like where its config.json does not say it.
struct ModelFamily {
  std::string_view type;
  bool gated = true;
  bool tied = false;
  bool norm_bias = false;
  int norms = 2;  ///< of a layer
  AttentionBias attention = AttentionBias::none;
  bool ffn_bias = false;
  QueryNorm query_norm = QueryNorm::none;
};

/// \source  modeling_*.py and configuration_*.py of Hugging Face's transformers 4.57
inline constexpr std::array kModelFamilies = [] {
  using enum AttentionBias;
  const ModelFamily llama{.type = "llama"};
  const auto like = [](ModelFamily family, std::string_view type) {
    family.type = type;
    return family;
  };
  const ModelFamily qwen2{.type = "qwen2", .attention = inputs};
  const ModelFamily qwen3{.type = "qwen3", .query_norm = QueryNorm::head};
  const ModelFamily gemma2{.type = "gemma2", .tied = true, .norms = 4};
  const ModelFamily olmo2{.type = "olmo2", .query_norm = QueryNorm::whole};
  const ModelFamily gpt2{.type = "gpt2",
                         .gated = false,
                         .tied = true,
                         .norm_bias = true,
                         .attention = all,
                         .ffn_bias = true};
  ModelFamily gemma3 = like(gemma2, "gemma3_text");
  gemma3.query_norm = QueryNorm::head;
  ModelFamily neox = like(gpt2, "gpt_neox");
  neox.tied = false;
  ModelFamily phi = like(neox, "phi");
  phi.norms = 1;
  ModelFamily gpt_oss = like(llama, "gpt_oss");
  gpt_oss.attention = all;
  gpt_oss.ffn_bias = true;
  const ModelFamily falcon{.type = "falcon", .gated = false, .tied = true, .norm_bias = true};
  const ModelFamily mpt{.type = "mpt", .gated = false, .tied = true};
  const ModelFamily nemotron{.type = "nemotron", .gated = false, .norm_bias = true};
  const ModelFamily gemma{.type = "gemma", .tied = true};
  return std::array{like(gpt2, "bloom"),
                    like(llama, "deepseek_v2"),
                    like(llama, "deepseek_v3"),
                    falcon,
                    gemma,
                    gemma2,
                    gemma3,
                    gpt2,
                    neox,
                    gpt_oss,
                    like(llama, "granite"),
                    like(llama, "kimi_k2"),
                    llama,
                    like(llama, "mistral"),
                    like(llama, "mixtral"),
                    mpt,
                    nemotron,
                    olmo2,
                    like(olmo2, "olmoe"),
                    like(gpt2, "opt"),
                    phi,
                    like(llama, "phi3"),
                    qwen2,
                    like(qwen2, "qwen2_moe"),
                    qwen3,
                    like(qwen3, "qwen3_moe"),
                    like(llama, "smollm3"),
                    like(gpt2, "starcoder2")};
}();

}  // namespace gpufeed
