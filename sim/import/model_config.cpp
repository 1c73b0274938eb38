// SPDX-License-Identifier: Apache-2.0
#include "sim/import/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "sim/base/files/read_file.h"
#include "sim/base/printable.h"
#include "sim/base/units.h"
#include "sim/import/model_family.h"
#include "sim/import/yaml_reader.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

constexpr std::int64_t kLargest = 1000000000;

class ConfigReader {
 public:
  ConfigReader(const YamlNode& file, const std::string& name, Diagnostics& out)
      : map_(&file), reader_(name, out), out_(out) {
    result_.file = std::filesystem::path(name).filename().string();
  }

  ModelConfig read() {
    if (map_->kind != YamlNode::Kind::map) {
      reader_.refuse(*map_, "config.json", "a map of keys such as hidden_size");
      return result_;
    }
    if (const YamlNode* name = find({"_name_or_path"}); name && !name->text.empty())
      result_.name = printable(name->text);
    enter_text_config();
    if (!read_type()) return result_;
    read_sizes();
    read_experts();
    read_latent_attention();
    read_window();
    refuse_variants();
    check_parts();
    out_.throw_if_any();
    result_.of.other_parameters = other_parameters();
    return std::move(result_);
  }

 private:
  using Keys = std::initializer_list<const char*>;

  /// The first of these that says something.
  const YamlNode* find(Keys names) const {
    for (const char* const name : names)
      if (const YamlNode* node = map_->find(name); node && node->kind != YamlNode::Kind::null)
        return node;
    return nullptr;
  }
  std::optional<std::int64_t> whole(Keys names, std::int64_t least = 1) {
    const YamlNode* const node = find(names);
    if (!node) return {};
    return reader_.whole(*map_, node->key, least, kLargest);
  }
  std::int64_t needed(Keys names) {
    if (!find(names)) reader_.missing(*map_, *names.begin(), "a whole number above 0");
    return whole(names).value_or(1);
  }
  bool truth(Keys names, bool usual) {
    const YamlNode* const node = find(names);
    return node ? reader_.truth(*map_, node->key).value_or(usual) : usual;
  }
  bool is(std::string_view type) const { return result_.type == type; }

  /// Of models that see or hear, the decoder is a map of its own.
  void enter_text_config() {
    for (const char* const part : {"vision_config", "audio_config"})
      if (find({part})) result_.not_modeled.emplace_back(part);
    const YamlNode* const text = find({"text_config"});
    if (text && text->kind == YamlNode::Kind::map) map_ = text;
  }

  bool read_type() {
    const auto type = find({"model_type"}) ? reader_.word(*map_, "model_type") : std::nullopt;
    if (!type) {
      reader_.missing(*map_, "model_type", "the kind of model, such as \"llama\"");
      return false;
    }
    result_.type = printable(*type);
    const auto found = std::ranges::find(kModelFamilies, result_.type, &ModelFamily::type);
    if (found == kModelFamilies.end()) {
      out_.error(ProblemCode::unknown_entry, reader_.at(*map_->find("model_type")),
                 "model_type is \"{}\", which is no decoder that can be read; {}", result_.type,
                 suggestion(result_.type, model_types()));
      return false;
    }
    family_ = *found;
    return true;
  }

  void read_sizes() {
    Architecture& of = result_.of;
    of.hidden = needed({"hidden_size", "n_embd", "d_model"});
    of.layers = needed({"num_hidden_layers", "n_layer", "n_layers"});
    of.heads = needed({"num_attention_heads", "n_head", "n_heads"});
    of.vocabulary = needed({"vocab_size"});
    of.kv_heads = key_value_heads();
    if (const auto dim = whole({"head_dim"})) of.head_dim = dim;
    of.gated = family_.gated;
    of.tied = truth({"tie_word_embeddings"}, family_.tied);
    of.ffn = ffn();
    if (is("gpt2")) of.positions = whole({"n_positions"}).value_or(1024);
    constexpr std::int64_t kOffset = 2;  // of OPT's table of positions
    if (is("opt")) of.positions = needed({"max_position_embeddings"}) + kOffset;
    result_.tokens =
        whole({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length"}).value_or(0);
  }

  std::optional<std::int64_t> key_value_heads() {
    if (is("falcon") && !truth({"new_decoder_architecture"}, false)) {
      if (truth({"multi_query"}, true)) return 1;
      return {};
    }
    if (is("mpt"))
      if (const YamlNode* own = map_->find("attn_config"); own && own->find("kv_n_heads"))
        return reader_.whole(*own, "attn_config.kv_n_heads", 1, kLargest);
    return whole({"num_key_value_heads", "num_kv_heads"});
  }

  std::int64_t ffn() {
    constexpr std::int64_t kUsual = 4;
    const std::int64_t hidden = result_.of.hidden;
    if (is("mpt")) return hidden * whole({"expansion_ratio"}).value_or(kUsual);
    const auto own = whole({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"});
    if (own) return *own;
    if (is("gpt2") || is("bloom") || is("falcon")) return hidden * kUsual;
    return needed({"intermediate_size"});
  }

  void read_experts() {
    Architecture& of = result_.of;
    of.experts = whole({"num_local_experts", "num_experts", "n_routed_experts"}, 0).value_or(0);
    if (of.experts == 0) return;
    of.experts_per_token = needed({"num_experts_per_tok", "experts_per_token"});
    of.expert_ffn = whole({"moe_intermediate_size"}).value_or(of.ffn);
    of.shared_ffn = whole({"shared_expert_intermediate_size"}, 0)
                        .value_or(whole({"n_shared_experts"}, 0).value_or(0) * of.expert_ffn);
    of.dense_layers = whole({"first_k_dense_replace"}, 0).value_or(0);
    of.predicted_tokens = whole({"num_nextn_predict_layers"}, 0).value_or(0);
  }

  void read_latent_attention() {
    Architecture& of = result_.of;
    of.kv_rank = whole({"kv_lora_rank"}, 0).value_or(0);
    if (of.kv_rank == 0) return;
    of.query_rank = whole({"q_lora_rank"}, 0).value_or(0);
    of.nope_dim = needed({"qk_nope_head_dim"});
    of.rope_dim = needed({"qk_rope_head_dim"});
    of.value_dim = needed({"v_head_dim"});
    of.kv_heads.reset();
    of.head_dim.reset();
  }

  void read_window() {
    const auto window = whole({"sliding_window"});
    if (!window || !truth({"use_sliding_window"}, true)) return;
    if (is("gpt_oss") || is("gemma2"))
      result_.of.window = *window;  // of every other layer
    else
      result_.not_modeled.emplace_back("sliding_window");
  }

  void check_parts() {
    const Architecture& of = result_.of;
    const auto must_be = [&](bool good, Keys names, const std::string& what) {
      const YamlNode* const node = find(names);
      if (!good && node) reader_.refuse(*node, node->key, what);
    };
    must_be(of.head_dim || of.kv_rank > 0 || of.hidden % of.heads == 0,
            {"num_attention_heads", "n_head", "n_heads"},
            fmt::format("a divisor of hidden_size, {}, where head_dim is not given", of.hidden));
    must_be(of.heads % of.kv_heads.value_or(of.heads) == 0, {"num_key_value_heads", "num_kv_heads"},
            fmt::format("a divisor of the {} heads", of.heads));
    must_be(of.experts == 0 || of.experts_per_token <= of.experts,
            {"num_experts_per_tok", "experts_per_token"},
            fmt::format("at most {}, the number of experts", of.experts));
    must_be(of.dense_layers <= of.layers, {"first_k_dense_replace"},
            fmt::format("at most {}, the number of layers", of.layers));
  }

  /// Of families whose members are not all built alike.
  void refuse_variants() {
    if (!is("opt")) return;
    const auto words = whole({"word_embed_proj_dim"});
    const YamlNode* const first = find({"do_layer_norm_before"});
    if (words && *words != result_.of.hidden)
      reader_.refuse(*map_->find("word_embed_proj_dim"), "word_embed_proj_dim",
                     fmt::format("hidden_size, {}", result_.of.hidden));
    if (first && !truth({"do_layer_norm_before"}, true))
      reader_.refuse(*first, "do_layer_norm_before", "true");
  }

  /// Biases, and norms beyond two a layer and one at the end, of which `count_architecture` counts
  /// the weights.
  std::int64_t other_parameters() {
    const Architecture& of = result_.of;
    const std::int64_t hidden = of.hidden;
    const std::int64_t norm = family_.norm_bias ? 2 : 1;  // numbers for each hidden one
    const std::int64_t moe_layers = of.experts > 0 ? of.layers - of.dense_layers : 0;
    std::int64_t sum = of.layers * (norms() * norm - 2) * hidden + (norm - 1) * hidden;
    sum += of.layers * (attention_biases() + query_norms());
    if (truth({"mlp_bias", "use_bias", "bias"}, family_.ffn_bias)) {
      const std::int64_t in = of.gated ? 2 : 1;
      sum += (of.layers - moe_layers) * (in * of.ffn + hidden);
      sum += moe_layers * of.experts * (in * of.expert_ffn + hidden + 1);
    }
    if (is("gpt_oss")) sum += of.layers * of.heads;   // sinks
    if (is("bloom")) sum += 2 * hidden;               // a norm of the words
    if (is("phi")) sum += of.vocabulary;              // a bias of the output
    if (is("qwen2_moe")) sum += moe_layers * hidden;  // a gate of the shared expert
    const bool corrects = is("deepseek_v3") || is("kimi_k2");
    if (corrects) sum += moe_layers * of.experts;  // a bias of the router
    return sum;
  }

  std::int64_t norms() {
    if (!is("falcon")) return family_.norms;
    if (const auto own = whole({"num_ln_in_parallel_attn"})) return *own;
    if (truth({"new_decoder_architecture"}, false)) return 2;
    return truth({"parallel_attn"}, true) ? 1 : 2;
  }

  std::int64_t attention_biases() {
    const Architecture& of = result_.of;
    if (of.kv_rank > 0) return of.query_rank + of.kv_rank;  // norms of the latent queries and keys
    const AttentionSizes sizes = attention_sizes(of);
    const auto inputs = static_cast<std::int64_t>(sizes.queries + 2 * sizes.keys_values);
    const bool usual = family_.attention == AttentionBias::all;
    if (truth({"attention_bias", "use_bias", "bias"}, usual)) return inputs + of.hidden;
    return family_.attention == AttentionBias::inputs ? inputs : 0;
  }

  std::int64_t query_norms() const {
    const Architecture& of = result_.of;
    const AttentionSizes sizes = attention_sizes(of);
    switch (family_.query_norm) {
      case QueryNorm::none:
        return 0;
      case QueryNorm::head:
        return static_cast<std::int64_t>(2 * sizes.score_dim);
      case QueryNorm::whole:
        return static_cast<std::int64_t>(sizes.queries + sizes.keys_values);
    }
    return 0;
  }

  const YamlNode* map_;
  YamlReader reader_;
  Diagnostics& out_;
  ModelFamily family_;
  ModelConfig result_;
};

}  // namespace

Names model_types() {
  Names out;
  for (const ModelFamily& family : kModelFamilies) out.emplace_back(family.type);
  return out;
}

ModelConfig parse_model_config(std::string_view text, const std::string& name) {
  Diagnostics out;
  const auto file = parse_yaml(text, name, out);
  out.throw_if_any();
  ModelConfig config = ConfigReader(*file, name, out).read();
  out.throw_if_any();
  return config;
}

ModelConfig load_model_config(const std::filesystem::path& file) {
  constexpr std::size_t kMostBytes = 4194304;
  Diagnostics out;
  const auto text = read_text_file(file, kMostBytes, out);
  out.throw_if_any();
  return parse_model_config(*text, file.string());
}

std::string model_entry(const ModelConfig& config, std::int64_t tokens) {
  const Architecture usual;
  const std::string name = config.name.empty() ? config.type : config.name;
  const double parameters = count_architecture(config.of, static_cast<double>(tokens)).parameters;
  std::string out = fmt::format(
      "# {} parameters, by gpufeed import model.\ntitle = {}\nsource = {}\nbasis = \"datasheet\"\n"
      "class = \"attention\"\ntokens = {}\ntakes = \"text\"\n\n[architecture]\n",
      text_number(parameters, 15),
      toml_string(fmt::format("{}, {} billion parameters", name, text_number(parameters / 1e9, 3))),
      toml_string(printable(config.file) + " of " + name), tokens);
  Architecture::fields([&]<class M>(const Field<Architecture, M>& field) {
    const M& value = config.of.*field.member;
    if (value == usual.*field.member) return;
    if constexpr (std::same_as<M, std::int64_t> || std::same_as<M, bool>)
      out += fmt::format("{} = {}\n", field.name, value);
    else if constexpr (std::same_as<M, Architecture::Count>)
      out += fmt::format("{} = {}\n", field.name, *value);
  });
  return out;
}

}  // namespace gpufeed
