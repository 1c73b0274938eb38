// SPDX-License-Identifier: Apache-2.0
// config.json of public models: parameters to the last one, as their safetensors files count them.
#include "sim/import/model_config.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

struct Public {
  const char* name;
  std::int64_t parameters;
  const char* type;
  const char* keys;
};

// clang-format off
const Public kPublic[] = {
    {"llama-2-7b", 6738415616, "llama",
     R"("hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, )"
     R"("vocab_size": 32000, "intermediate_size": 11008)"},
    {"llama-2-13b", 13015864320, "llama",
     R"("hidden_size": 5120, "num_hidden_layers": 40, "num_attention_heads": 40, )"
     R"("vocab_size": 32000, "intermediate_size": 13824)"},
    {"llama-2-70b", 68976648192, "llama",
     R"("hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64, )"
     R"("vocab_size": 32000, "intermediate_size": 28672, "num_key_value_heads": 8)"},
    {"llama-3-8b", 8030261248, "llama",
     R"("hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, )"
     R"("vocab_size": 128256, "intermediate_size": 14336, "num_key_value_heads": 8)"},
    {"llama-3-70b", 70553706496, "llama",
     R"("hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64, )"
     R"("vocab_size": 128256, "intermediate_size": 28672, "num_key_value_heads": 8)"},
    {"llama-3.1-405b", 405853388800, "llama",
     R"("hidden_size": 16384, "num_hidden_layers": 126, "num_attention_heads": 128, )"
     R"("vocab_size": 128256, "intermediate_size": 53248, "num_key_value_heads": 8)"},
    {"llama-3.2-1b", 1235814400, "llama",
     R"("hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32, )"
     R"("vocab_size": 128256, "intermediate_size": 8192, "num_key_value_heads": 8, )"
     R"("head_dim": 64, "tie_word_embeddings": true)"},
    {"llama-3.2-3b", 3212749824, "llama",
     R"("hidden_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 24, )"
     R"("vocab_size": 128256, "intermediate_size": 8192, "num_key_value_heads": 8, )"
     R"("head_dim": 128, "tie_word_embeddings": true)"},
    {"tinyllama", 1100048384, "llama",
     R"("hidden_size": 2048, "num_hidden_layers": 22, "num_attention_heads": 32, )"
     R"("vocab_size": 32000, "intermediate_size": 5632, "num_key_value_heads": 4)"},
    {"smollm2-135m", 134515008, "llama",
     R"("hidden_size": 576, "num_hidden_layers": 30, "num_attention_heads": 9, )"
     R"("vocab_size": 49152, "intermediate_size": 1536, "num_key_value_heads": 3, )"
     R"("tie_word_embeddings": true)"},
    {"mistral-7b", 7241732096, "mistral",
     R"("hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, )"
     R"("vocab_size": 32000, "intermediate_size": 14336, "num_key_value_heads": 8)"},
    {"mixtral-8x7b", 46702792704, "mixtral",
     R"("hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, )"
     R"("vocab_size": 32000, "intermediate_size": 14336, "num_key_value_heads": 8, )"
     R"("num_local_experts": 8, "num_experts_per_tok": 2)"},
    {"mixtral-8x22b", 140620634112, "mixtral",
     R"("hidden_size": 6144, "num_hidden_layers": 56, "num_attention_heads": 48, )"
     R"("vocab_size": 32000, "intermediate_size": 16384, "num_key_value_heads": 8, )"
     R"("num_local_experts": 8, "num_experts_per_tok": 2)"},
    {"qwen2.5-0.5b", 494032768, "qwen2",
     R"("hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14, )"
     R"("vocab_size": 151936, "intermediate_size": 4864, "num_key_value_heads": 2, )"
     R"("tie_word_embeddings": true, "use_sliding_window": false)"},
    {"qwen2.5-1.5b", 1543714304, "qwen2",
     R"("hidden_size": 1536, "num_hidden_layers": 28, "num_attention_heads": 12, )"
     R"("vocab_size": 151936, "intermediate_size": 8960, "num_key_value_heads": 2, )"
     R"("tie_word_embeddings": true, "use_sliding_window": false)"},
    {"qwen2.5-3b", 3085938688, "qwen2",
     R"("hidden_size": 2048, "num_hidden_layers": 36, "num_attention_heads": 16, )"
     R"("vocab_size": 151936, "intermediate_size": 11008, "num_key_value_heads": 2, )"
     R"("tie_word_embeddings": true, "use_sliding_window": false)"},
    {"qwen2.5-7b", 7615616512, "qwen2",
     R"("hidden_size": 3584, "num_hidden_layers": 28, "num_attention_heads": 28, )"
     R"("vocab_size": 152064, "intermediate_size": 18944, "num_key_value_heads": 4, )"
     R"("use_sliding_window": false)"},
    {"qwen2.5-14b", 14770033664, "qwen2",
     R"("hidden_size": 5120, "num_hidden_layers": 48, "num_attention_heads": 40, )"
     R"("vocab_size": 152064, "intermediate_size": 13824, "num_key_value_heads": 8, )"
     R"("use_sliding_window": false)"},
    {"qwen2.5-32b", 32763876352, "qwen2",
     R"("hidden_size": 5120, "num_hidden_layers": 64, "num_attention_heads": 40, )"
     R"("vocab_size": 152064, "intermediate_size": 27648, "num_key_value_heads": 8, )"
     R"("use_sliding_window": false)"},
    {"qwen2.5-72b", 72706203648, "qwen2",
     R"("hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64, )"
     R"("vocab_size": 152064, "intermediate_size": 29568, "num_key_value_heads": 8, )"
     R"("use_sliding_window": false)"},
    {"qwen3-0.6b", 596049920, "qwen3",
     R"("hidden_size": 1024, "num_hidden_layers": 28, "num_attention_heads": 16, )"
     R"("vocab_size": 151936, "intermediate_size": 3072, "num_key_value_heads": 8, )"
     R"("head_dim": 128, "tie_word_embeddings": true, "use_sliding_window": false)"},
    {"qwen3-4b", 4022468096, "qwen3",
     R"("hidden_size": 2560, "num_hidden_layers": 36, "num_attention_heads": 32, )"
     R"("vocab_size": 151936, "intermediate_size": 9728, "num_key_value_heads": 8, )"
     R"("head_dim": 128, "tie_word_embeddings": true, "use_sliding_window": false)"},
    {"qwen3-8b", 8190735360, "qwen3",
     R"("hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32, )"
     R"("vocab_size": 151936, "intermediate_size": 12288, "num_key_value_heads": 8, )"
     R"("head_dim": 128, "use_sliding_window": false)"},
    {"qwen3-32b", 32762123264, "qwen3",
     R"("hidden_size": 5120, "num_hidden_layers": 64, "num_attention_heads": 64, )"
     R"("vocab_size": 151936, "intermediate_size": 25600, "num_key_value_heads": 8, )"
     R"("head_dim": 128, "use_sliding_window": false)"},
    {"qwen3-30b-a3b", 30532122624, "qwen3_moe",
     R"("hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 32, )"
     R"("vocab_size": 151936, "intermediate_size": 6144, "num_key_value_heads": 4, )"
     R"("head_dim": 128, "num_experts": 128, "num_experts_per_tok": 8, )"
     R"("moe_intermediate_size": 768)"},
    {"qwen3-235b", 235093634560, "qwen3_moe",
     R"("hidden_size": 4096, "num_hidden_layers": 94, "num_attention_heads": 64, )"
     R"("vocab_size": 151936, "intermediate_size": 12288, "num_key_value_heads": 4, )"
     R"("head_dim": 128, "num_experts": 128, "num_experts_per_tok": 8, )"
     R"("moe_intermediate_size": 1536)"},
    {"gemma-2b", 2506172416, "gemma",
     R"("hidden_size": 2048, "num_hidden_layers": 18, "num_attention_heads": 8, )"
     R"("vocab_size": 256000, "intermediate_size": 16384, "num_key_value_heads": 1, )"
     R"("head_dim": 256)"},
    {"gemma-7b", 8537680896, "gemma",
     R"("hidden_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16, )"
     R"("vocab_size": 256000, "intermediate_size": 24576, "num_key_value_heads": 16, )"
     R"("head_dim": 256)"},
    {"gemma-2-2b", 2614341888, "gemma2",
     R"("hidden_size": 2304, "num_hidden_layers": 26, "num_attention_heads": 8, )"
     R"("vocab_size": 256000, "intermediate_size": 9216, "num_key_value_heads": 4, )"
     R"("head_dim": 256)"},
    {"gemma-2-9b", 9241705984, "gemma2",
     R"("hidden_size": 3584, "num_hidden_layers": 42, "num_attention_heads": 16, )"
     R"("vocab_size": 256000, "intermediate_size": 14336, "num_key_value_heads": 8, )"
     R"("head_dim": 256)"},
    {"gemma-2-27b", 27227128320, "gemma2",
     R"("hidden_size": 4608, "num_hidden_layers": 46, "num_attention_heads": 32, )"
     R"("vocab_size": 256000, "intermediate_size": 36864, "num_key_value_heads": 16, )"
     R"("head_dim": 128)"},
    {"phi-2", 2779683840, "phi",
     R"("hidden_size": 2560, "num_hidden_layers": 32, "num_attention_heads": 32, )"
     R"("vocab_size": 51200, "intermediate_size": 10240)"},
    {"phi-3-mini", 3821079552, "phi3",
     R"("hidden_size": 3072, "num_hidden_layers": 32, "num_attention_heads": 32, )"
     R"("vocab_size": 32064, "intermediate_size": 8192)"},
    {"phi-4", 14659507200, "phi3",
     R"("hidden_size": 5120, "num_hidden_layers": 40, "num_attention_heads": 40, )"
     R"("vocab_size": 100352, "intermediate_size": 17920, "num_key_value_heads": 10)"},
    {"gpt2", 124439808, "gpt2",
     R"("n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257, )"
     R"("n_positions": 1024, "n_inner": null)"},
    {"gpt2-medium", 354823168, "gpt2",
     R"("n_embd": 1024, "n_layer": 24, "n_head": 16, "vocab_size": 50257, )"
     R"("n_positions": 1024, "n_inner": null)"},
    {"gpt2-large", 774030080, "gpt2",
     R"("n_embd": 1280, "n_layer": 36, "n_head": 20, "vocab_size": 50257, )"
     R"("n_positions": 1024, "n_inner": null)"},
    {"gpt2-xl", 1557611200, "gpt2",
     R"("n_embd": 1600, "n_layer": 48, "n_head": 25, "vocab_size": 50257, )"
     R"("n_positions": 1024, "n_inner": null)"},
    {"pythia-6.9b", 6857302016, "gpt_neox",
     R"("hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, )"
     R"("vocab_size": 50432, "intermediate_size": 16384)"},
    {"pythia-12b", 11846072320, "gpt_neox",
     R"("hidden_size": 5120, "num_hidden_layers": 36, "num_attention_heads": 40, )"
     R"("vocab_size": 50688, "intermediate_size": 20480)"},
    {"gpt-neox-20b", 20554567680, "gpt_neox",
     R"("hidden_size": 6144, "num_hidden_layers": 44, "num_attention_heads": 64, )"
     R"("vocab_size": 50432, "intermediate_size": 24576)"},
    {"opt-125m", 125239296, "opt",
     R"("hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, )"
     R"("vocab_size": 50272, "ffn_dim": 3072, "max_position_embeddings": 2048, )"
     R"("word_embed_proj_dim": 768, "do_layer_norm_before": true)"},
    {"opt-1.3b", 1315758080, "opt",
     R"("hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32, )"
     R"("vocab_size": 50272, "ffn_dim": 8192, "max_position_embeddings": 2048, )"
     R"("word_embed_proj_dim": 2048, "do_layer_norm_before": true)"},
    {"opt-6.7b", 6658473984, "opt",
     R"("hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, )"
     R"("vocab_size": 50272, "ffn_dim": 16384, "max_position_embeddings": 2048, )"
     R"("word_embed_proj_dim": 4096, "do_layer_norm_before": true)"},
    {"bloom-560m", 559214592, "bloom",
     R"("hidden_size": 1024, "n_layer": 24, "n_head": 16, "vocab_size": 250880)"},
    {"bloom-7b1", 7069016064, "bloom",
     R"("hidden_size": 4096, "n_layer": 30, "n_head": 32, "vocab_size": 250880)"},
    {"bloom", 176247271424, "bloom",
     R"("hidden_size": 14336, "n_layer": 70, "n_head": 112, "vocab_size": 250880)"},
    {"falcon-7b", 6921720704, "falcon",
     R"("hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71, )"
     R"("vocab_size": 65024, "parallel_attn": true, "bias": false, "multi_query": true, )"
     R"("new_decoder_architecture": false)"},
    {"falcon-40b", 41303293952, "falcon",
     R"("hidden_size": 8192, "num_hidden_layers": 60, "num_attention_heads": 128, )"
     R"("vocab_size": 65024, "parallel_attn": true, "bias": false, "multi_query": true, )"
     R"("new_decoder_architecture": true, "num_kv_heads": 8)"},
    {"mpt-7b", 6649286656, "mpt",
     R"("d_model": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": 50432, )"
     R"("expansion_ratio": 4, "max_seq_len": 2048)"},
    {"starcoder2-3b", 3030371328, "starcoder2",
     R"("hidden_size": 3072, "num_hidden_layers": 30, "num_attention_heads": 24, )"
     R"("vocab_size": 49152, "intermediate_size": 12288, "num_key_value_heads": 2, )"
     R"("use_bias": true)"},
    {"starcoder2-7b", 7173923840, "starcoder2",
     R"("hidden_size": 4608, "num_hidden_layers": 32, "num_attention_heads": 36, )"
     R"("vocab_size": 49152, "intermediate_size": 18432, "num_key_value_heads": 4, )"
     R"("use_bias": true)"},
    {"starcoder2-15b", 15957889024, "starcoder2",
     R"("hidden_size": 6144, "num_hidden_layers": 40, "num_attention_heads": 48, )"
     R"("vocab_size": 49152, "intermediate_size": 24576, "num_key_value_heads": 4, )"
     R"("tie_word_embeddings": false, "use_bias": true)"},
    {"olmo-2-7b", 7298617344, "olmo2",
     R"("hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, )"
     R"("vocab_size": 100352, "intermediate_size": 11008)"},
    {"olmo-2-13b", 13716198400, "olmo2",
     R"("hidden_size": 5120, "num_hidden_layers": 40, "num_attention_heads": 40, )"
     R"("vocab_size": 100352, "intermediate_size": 13824)"},
    {"olmoe", 6919161856, "olmoe",
     R"("hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 16, )"
     R"("vocab_size": 50304, "intermediate_size": 1024, "num_experts": 64, )"
     R"("num_experts_per_tok": 8)"},
    {"gpt-oss-20b", 20914757184, "gpt_oss",
     R"("hidden_size": 2880, "num_hidden_layers": 24, "num_attention_heads": 64, )"
     R"("vocab_size": 201088, "intermediate_size": 2880, "num_key_value_heads": 8, )"
     R"("head_dim": 64, "num_local_experts": 32, "num_experts_per_tok": 4, )"
     R"("attention_bias": true, "sliding_window": 128)"},
    {"gpt-oss-120b", 116829156672, "gpt_oss",
     R"("hidden_size": 2880, "num_hidden_layers": 36, "num_attention_heads": 64, )"
     R"("vocab_size": 201088, "intermediate_size": 2880, "num_key_value_heads": 8, )"
     R"("head_dim": 64, "num_local_experts": 128, "num_experts_per_tok": 4, )"
     R"("attention_bias": true, "sliding_window": 128)"},
    {"deepseek-v2-lite", 15706484224, "deepseek_v2",
     R"("hidden_size": 2048, "num_hidden_layers": 27, "num_attention_heads": 16, )"
     R"("vocab_size": 102400, "intermediate_size": 10944, "n_routed_experts": 64, )"
     R"("num_experts_per_tok": 6, "moe_intermediate_size": 1408, "n_shared_experts": 2, )"
     R"("first_k_dense_replace": 1, "kv_lora_rank": 512, "q_lora_rank": null, )"
     R"("qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128)"},
    {"deepseek-v2", 235741434880, "deepseek_v2",
     R"("hidden_size": 5120, "num_hidden_layers": 60, "num_attention_heads": 128, )"
     R"("vocab_size": 102400, "intermediate_size": 12288, "n_routed_experts": 160, )"
     R"("num_experts_per_tok": 6, "moe_intermediate_size": 1536, "n_shared_experts": 2, )"
     R"("first_k_dense_replace": 1, "kv_lora_rank": 512, "q_lora_rank": 1536, )"
     R"("qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128)"},
    {"deepseek-v3", 671026419200, "deepseek_v3",
     R"("hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128, )"
     R"("vocab_size": 129280, "intermediate_size": 18432, "n_routed_experts": 256, )"
     R"("num_experts_per_tok": 8, "moe_intermediate_size": 2048, "n_shared_experts": 1, )"
     R"("first_k_dense_replace": 3, "kv_lora_rank": 512, "q_lora_rank": 1536, )"
     R"("qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128)"},
};
// clang-format on

ModelConfig config_of(const Public& one) {
  return parse_model_config(fmt::format("{{\"model_type\": \"{}\", {}}}", one.type, one.keys),
                            "config.json");
}

std::string refused(const std::string& text) {
  return refusal_of([&] { parse_model_config(text, "config.json"); });
}

const std::string kSizes =
    "\"hidden_size\": 4096, \"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
    "\"vocab_size\": 32000, \"intermediate_size\": 11008";
const std::string kLlama = "{\"model_type\": \"llama\", " + kSizes;

}  // namespace

TEST_CASE("public models have as many parameters as they say") {
  for (const Public& one : kPublic) {
    CAPTURE(one.name);
    const ArchitectureCount count = count_architecture(config_of(one).of, 1);
    CHECK(static_cast<std::int64_t>(count.parameters) == one.parameters);
  }
}

TEST_CASE("what is written is a model that scenarios take") {
  const TemporaryFolder folder;
  constexpr std::int64_t kOnOneGpu = 3'000'000'000;
  for (const Public& one : kPublic) {
    if (one.parameters > kOnOneGpu) continue;
    CAPTURE(one.name);
    const std::string model = std::string(one.name) + ".toml";
    folder.write(model, model_entry(config_of(one), 512));
    const auto file = folder.write(
        "s.toml",
        "system = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"" + model +
            "\"\nprecision = \"bf16\"\n"
            "batch_per_gpu = 1\n[workload.dataset]\ntitle = \"d\"\nsource = \"t\"\nbasis = "
            "\"estimate\"\nsamples = 100000\nsample_size = \"2 kB\"\ndecode_time = \"0 s\"\n");
    const Scenario scenario = load_scenario(file, own_catalog());
    CHECK(scenario.workload.model()->parameters == one.parameters);
    CHECK(scenario.workload.model()->tokens == 512);
  }
}

TEST_CASE("a decoder within a model that sees is read, and the rest is named") {
  const ModelConfig config = parse_model_config(
      "{\"model_type\": \"llava\", \"vision_config\": {\"hidden_size\": 1024}, "
      "\"text_config\": " +
          kLlama + "}}",
      "config.json");
  CHECK(config.of.hidden == 4096);
  CHECK(config.not_modeled == Names{"vision_config"});
}

TEST_CASE("windows of every other layer are read, those of all layers are named") {
  const auto of = [](const std::string& type) {
    return parse_model_config(
        "{\"model_type\": \"" + type + "\", \"sliding_window\": 4096, " + kSizes + "}",
        "config.json");
  };
  CHECK(of("mistral").of.window == 0);
  CHECK(of("mistral").not_modeled == Names{"sliding_window"});
  CHECK(of("gemma2").of.window == 4096);
  CHECK(of("gemma2").not_modeled.empty());
}

TEST_CASE("what is missing, wrong or no decoder is refused by its place") {
  CHECK(refused("{}").find("config.json:1:1: error: model_type is missing") != std::string::npos);
  CHECK(refused("[]").find("must be a map of keys") != std::string::npos);
  CHECK(refused("{\"model_type\": \"lama\"}").find("did you mean \"llama\"") != std::string::npos);
  const std::string several = refused("{\"model_type\": \"llama\", \"hidden_size\": \"wide\"}");
  CHECK(several.find("hidden_size must be a whole number") != std::string::npos);
  CHECK(several.find("num_hidden_layers is missing") != std::string::npos);
  CHECK(several.find("vocab_size is missing") != std::string::npos);
  CHECK(refused(kLlama + ", \"num_key_value_heads\": 5}")
            .find("num_key_value_heads must be a divisor of the 32 heads") != std::string::npos);
  CHECK(refused(kLlama + ", \"num_local_experts\": 4, \"num_experts_per_tok\": 8}")
            .find("num_experts_per_tok must be at most 4") != std::string::npos);
  CHECK_FALSE(refused("{\"model_type\": \"llama\", ").empty());
}
