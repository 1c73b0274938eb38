// SPDX-License-Identifier: Apache-2.0
// config.json of public networks that see, hear or draw: parameters to the last one, as their files
// of weights count them, but for tables that are not trained (positions of SD3).
#include "sim/import/networks/network_config.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "sim/load/read/reader.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

struct PublicNetwork {
  const char* name;
  std::int64_t parameters;
  const char* keys;
};

// clang-format off
const PublicNetwork kPublicNetworks[] = {
    {"vit-base-patch16-224-in21k", 86389248,
     R"("model_type": "vit", "architectures": ["ViTModel"], "hidden_size": 768, )"
     R"("num_hidden_layers": 12, "intermediate_size": 3072, "image_size": 224, "patch_size": 16)"},
    {"vit-base-patch32-384", 88297192,
     R"("model_type": "vit", "architectures": ["ViTForImageClassification"], "num_labels": 1000, )"
     R"("hidden_size": 768, "num_hidden_layers": 12, "intermediate_size": 3072, )"
     R"("image_size": 384, "patch_size": 32)"},
    {"vit-large-patch16-224", 304326632,
     R"("model_type": "vit", "architectures": ["ViTForImageClassification"], "num_labels": 1000, )"
     R"("hidden_size": 1024, "num_hidden_layers": 24, "intermediate_size": 4096)"},
    {"vit-huge-patch14-224", 632045800,
     R"("model_type": "vit", "architectures": ["ViTForImageClassification"], "num_labels": 1000, )"
     R"("hidden_size": 1280, "num_hidden_layers": 32, "intermediate_size": 5120, "patch_size": 14)"},
    {"deit-tiny-patch16-224", 5717416,
     R"("model_type": "vit", "architectures": ["ViTForImageClassification"], "num_labels": 1000, )"
     R"("hidden_size": 192, "num_hidden_layers": 12, "intermediate_size": 768)"},
    {"deit-small-patch16-224", 22050664,
     R"("model_type": "vit", "architectures": ["ViTForImageClassification"], "num_labels": 1000, )"
     R"("hidden_size": 384, "num_hidden_layers": 12, "intermediate_size": 1536)"},
    {"dinov2-small", 22056576,
     R"("model_type": "dinov2", "hidden_size": 384, "num_hidden_layers": 12, "image_size": 518)"},
    {"dinov2-base", 86580480,
     R"("model_type": "dinov2", "hidden_size": 768, "num_hidden_layers": 12, "image_size": 518)"},
    {"dinov2-large", 304368640,
     R"("model_type": "dinov2", "hidden_size": 1024, "num_hidden_layers": 24, "image_size": 518)"},
    {"dinov2-giant", 1136480768,
     R"("model_type": "dinov2", "hidden_size": 1536, "num_hidden_layers": 40, "image_size": 518, )"
     R"("use_swiglu_ffn": true)"},
    {"clip-vit-base-patch32", 151277313,
     R"("model_type": "clip", "projection_dim": 512, "text_config": {"hidden_size": 512}, )"
     R"("vision_config": {"hidden_size": 768, "patch_size": 32})"},
    {"clip-vit-base-patch16", 149620737,
     R"("model_type": "clip", "projection_dim": 512, "vision_config": {"patch_size": 16})"},
    {"clip-vit-large-patch14", 427616513,
     R"("model_type": "clip", "projection_dim": 768, "text_config": {"hidden_size": 768, )"
     R"("intermediate_size": 3072, "num_hidden_layers": 12}, "vision_config": {"hidden_size": )"
     R"(1024, "intermediate_size": 4096, "num_hidden_layers": 24, "patch_size": 14})"},
    {"stable-diffusion-v1-5", 859520964,
     R"("_class_name": "UNet2DConditionModel", "cross_attention_dim": 768, "sample_size": 64, )"
     R"("attention_head_dim": 8, "block_out_channels": [320, 640, 1280, 1280], )"
     R"("down_block_types": ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D", )"
     R"("CrossAttnDownBlock2D", "DownBlock2D"], "up_block_types": ["UpBlock2D", )"
     R"("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"])"},
    {"stable-diffusion-inpainting", 859535364,
     R"("_class_name": "UNet2DConditionModel", "cross_attention_dim": 768, "in_channels": 9, )"
     R"("down_block_types": ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D", )"
     R"("CrossAttnDownBlock2D", "DownBlock2D"], "up_block_types": ["UpBlock2D", )"
     R"("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"])"},
    {"stable-diffusion-2-base", 865910724,
     R"("_class_name": "UNet2DConditionModel", "cross_attention_dim": 1024, "sample_size": 64, )"
     R"("attention_head_dim": [5, 10, 20, 20], "use_linear_projection": true, )"
     R"("down_block_types": ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D", )"
     R"("CrossAttnDownBlock2D", "DownBlock2D"], "up_block_types": ["UpBlock2D", )"
     R"("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"])"},
    {"stable-diffusion-xl-base-1.0", 2567463684,
     R"("_class_name": "UNet2DConditionModel", "cross_attention_dim": 2048, "sample_size": 128, )"
     R"("block_out_channels": [320, 640, 1280], "transformer_layers_per_block": [1, 2, 10], )"
     R"("addition_embed_type": "text_time", "projection_class_embeddings_input_dim": 2816, )"
     R"("down_block_types": ["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"], )"
     R"("up_block_types": ["CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"])"},
    {"FLUX.1-dev", 11901408320,
     R"("_class_name": "FluxTransformer2DModel", "guidance_embeds": true, "num_layers": 19, )"
     R"("num_single_layers": 38, "num_attention_heads": 24, "attention_head_dim": 128)"},
    {"FLUX.1-schnell", 11891178560,
     R"("_class_name": "FluxTransformer2DModel", "guidance_embeds": false, "num_layers": 19, )"
     R"("num_single_layers": 38, "num_attention_heads": 24, "attention_head_dim": 128)"},
    {"stable-diffusion-3-medium", 2084951104 - 192 * 192 * 1536,
     R"("_class_name": "SD3Transformer2DModel", "num_layers": 24, "num_attention_heads": 24, )"
     R"("caption_projection_dim": 1536, "pos_embed_max_size": 192)"},
    {"stable-diffusion-3.5-large", 8146280768 - 192 * 192 * 2432,
     R"("_class_name": "SD3Transformer2DModel", "num_layers": 38, "num_attention_heads": 38, )"
     R"("caption_projection_dim": 2432, "qk_norm": "rms_norm", "dual_attention_layers": [])"},
    {"PixArt-XL-2-512x512", 610856096,
     R"("_class_name": "PixArtTransformer2DModel", "caption_channels": 4096, "sample_size": 64, )"
     R"("num_layers": 28, "num_attention_heads": 16, "attention_head_dim": 72)"},
    {"whisper-tiny", 37760640,
     R"("model_type": "whisper", "d_model": 384, "encoder_layers": 4, "decoder_layers": 4, )"
     R"("encoder_ffn_dim": 1536, "decoder_ffn_dim": 1536, "vocab_size": 51865)"},
    {"whisper-base", 72593920,
     R"("model_type": "whisper", "d_model": 512, "encoder_layers": 6, "decoder_layers": 6, )"
     R"("encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "vocab_size": 51865)"},
    {"whisper-small", 241734912,
     R"("model_type": "whisper", "d_model": 768, "encoder_layers": 12, "decoder_layers": 12, )"
     R"("encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072, "vocab_size": 51865)"},
    {"whisper-medium", 763857920,
     R"("model_type": "whisper", "d_model": 1024, "encoder_layers": 24, "decoder_layers": 24, )"
     R"("encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096, "vocab_size": 51865)"},
    {"whisper-large-v2", 1543304960,
     R"("model_type": "whisper", "d_model": 1280, "encoder_layers": 32, "decoder_layers": 32, )"
     R"("encoder_ffn_dim": 5120, "decoder_ffn_dim": 5120, "vocab_size": 51865)"},
    {"whisper-large-v3", 1543490560,
     R"("model_type": "whisper", "d_model": 1280, "encoder_layers": 32, "decoder_layers": 32, )"
     R"("encoder_ffn_dim": 5120, "decoder_ffn_dim": 5120, "vocab_size": 51866, "num_mel_bins": 128)"},
    {"whisper-large-v3-turbo", 808878080,
     R"("model_type": "whisper", "d_model": 1280, "encoder_layers": 32, "decoder_layers": 4, )"
     R"("encoder_ffn_dim": 5120, "decoder_ffn_dim": 5120, "vocab_size": 51866, "num_mel_bins": 128)"},
    {"wav2vec2-base", 94371712, R"("model_type": "wav2vec2")"},
    {"wav2vec2-base-960h", 94396320,
     R"("model_type": "wav2vec2", "architectures": ["Wav2Vec2ForCTC"])"},
    {"wav2vec2-large-960h-lv60-self", 315471520,
     R"("model_type": "wav2vec2", "architectures": ["Wav2Vec2ForCTC"], "hidden_size": 1024, )"
     R"("num_hidden_layers": 24, "intermediate_size": 4096, "conv_bias": true, )"
     R"("feat_extract_norm": "layer", "do_stable_layer_norm": true)"},
    {"hubert-base-ls960", 94371712, R"("model_type": "hubert")"},
};
// clang-format on

NetworkConfig network_of(const PublicNetwork& one, const SampleSize& size = {}) {
  return parse_network_config(fmt::format("{{{}}}", one.keys), "config.json", size).value();
}

const PublicNetwork& public_network(std::string_view name) {
  for (const PublicNetwork& one : kPublicNetworks)
    if (one.name == name) return one;
  FAIL("no such network");
  return kPublicNetworks[0];
}

SampleSize pictures_of(std::int64_t image) {
  SampleSize size;
  size.image = image;
  return size;
}
SampleSize words_of(std::int64_t tokens) {
  SampleSize size;
  size.tokens = tokens;
  return size;
}
SampleSize speech_of(std::int64_t seconds) {
  SampleSize size;
  size.seconds = seconds;
  return size;
}

Model catalog_model(const char* name) {
  Diagnostics problems;
  const Catalog& catalog = own_catalog();
  return *Reader(catalog, "", problems).entry_of<Model>(*catalog.find(Model::kKind, name));
}

std::string network_refused(const std::string& text) {
  return refusal_of([&] { parse_network_config(text, "config.json", {}); });
}

}  // namespace

TEST_CASE("public networks that see, hear or draw have as many parameters as they say") {
  for (const PublicNetwork& one : kPublicNetworks) {
    CAPTURE(one.name);
    CHECK(static_cast<std::int64_t>(count_layers(network_of(one).layers).parameters) ==
          one.parameters);
  }
}

TEST_CASE("the catalog's networks are those of their config.json") {
  const auto same = [](const char* entry, const char* name, const SampleSize& size) {
    CAPTURE(entry);
    const Model model = catalog_model(entry);
    const LayerCount count = count_layers(network_of(public_network(name), size).layers);
    CHECK(static_cast<double>(model.parameters) == count.parameters);
    CHECK(static_cast<double>(*model.multiply_adds) == count.multiply_adds);
    CHECK(model.activation_size->value == 4 * count.activations);
  };
  same("stable-diffusion-unet", "stable-diffusion-v1-5", {});
  same("stable-diffusion-2-unet", "stable-diffusion-2-base", {});
  same("stable-diffusion-2-unet-256", "stable-diffusion-2-base", pictures_of(256));
  same("stable-diffusion-xl-unet", "stable-diffusion-xl-base-1.0", {});
  same("stable-diffusion-3-medium", "stable-diffusion-3-medium", {});
  same("stable-diffusion-3.5-large", "stable-diffusion-3.5-large", {});
  same("flux-1-dev", "FLUX.1-dev", {});
  same("pixart-xl-2", "PixArt-XL-2-512x512", {});
  same("whisper-small", "whisper-small", words_of(128));
  same("whisper-large", "whisper-large-v2", words_of(128));
}

TEST_CASE("what is written of a network is a model that scenarios take") {
  const TemporaryFolder folder;
  constexpr std::int64_t kSmall = 3'000'000'000;  // fits one GPU
  for (const PublicNetwork& one : kPublicNetworks) {
    if (one.parameters > kSmall) continue;
    CAPTURE(one.name);
    const std::string model = std::string(one.name) + ".toml";
    folder.write(model, network_entry(network_of(one)));
    const auto file = folder.write(
        "s.toml",
        "system = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"" + model +
            "\"\nprecision = \"fp16\"\n"
            "batch_per_gpu = 1\n[workload.dataset]\ntitle = \"d\"\nsource = \"t\"\nbasis = "
            "\"estimate\"\nsamples = 100000\nsample_size = \"2 kB\"\ndecode_time = \"0 s\"\n");
    const Scenario scenario = load_scenario(file, own_catalog());
    CHECK(scenario.workload.model()->parameters == one.parameters);
    CHECK(scenario.workload.get<ComputesModel>().step_lines.size() == 1);
  }
}

TEST_CASE("products grow with what a sample holds") {
  const auto products = [](const char* name, const SampleSize& size) {
    return count_layers(network_of(public_network(name), size).layers).multiply_adds;
  };
  CHECK(products("stable-diffusion-xl-base-1.0", pictures_of(1024)) >
        4 * products("stable-diffusion-xl-base-1.0", pictures_of(512)));
  CHECK(products("FLUX.1-dev", pictures_of(1024)) > 2 * products("FLUX.1-dev", pictures_of(512)));
  CHECK(products("whisper-small", words_of(448)) > products("whisper-small", words_of(64)));
  CHECK(products("wav2vec2-base", speech_of(30)) > 2 * products("wav2vec2-base", speech_of(15)));
}

TEST_CASE("a network says what of a sample it leaves open") {
  const auto open = [](const char* name) { return network_of(public_network(name)).open; };
  CHECK(open("FLUX.1-dev").image);
  CHECK(open("FLUX.1-dev").tokens);
  CHECK_FALSE(open("FLUX.1-dev").seconds);
  CHECK_FALSE(open("vit-large-patch16-224").image);
  CHECK(open("wav2vec2-base").seconds);
  CHECK(open("whisper-tiny").tokens);
}

TEST_CASE("networks that cannot be taken are refused by what they are") {
  CHECK(network_refused("{\"model_type\": \"whispr\"}").find("did you mean \"whisper\"") !=
        std::string::npos);
  CHECK(network_refused("{\"_class_name\": \"AutoencoderKL\"}").find("known: Flux") !=
        std::string::npos);
  CHECK(network_refused("{\"_class_name\": \"UNet2DConditionModel\"}")
            .find("down_block_types is missing") != std::string::npos);
  CHECK(network_refused("{\"_class_name\": \"UNet2DConditionModel\", \"down_block_types\": "
                        "[\"AttnDownBlock2D\"], \"block_out_channels\": [320]}")
            .find("down_block_types must be one of CrossAttnDownBlock2D and DownBlock2D") !=
        std::string::npos);
  CHECK(network_refused("{\"model_type\": \"whisper\", \"d_model\": \"wide\"}")
            .find("d_model must be a whole number") != std::string::npos);
  CHECK(network_refused("{\"model_type\": \"wav2vec2\", \"conv_kernel\": [10, 3]}")
            .find("conv_kernel must be as many as conv_dim") != std::string::npos);
  CHECK_FALSE(parse_network_config("{\"model_type\": \"llama\"}", "config.json", {}));
  CHECK_FALSE(parse_network_config("{}", "config.json", {}));
}
