// SPDX-License-Identifier: Apache-2.0
#include "sim/import/networks/network_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "sim/base/printable.h"
#include "sim/base/units.h"
#include "sim/import/model_config.h"
#include "sim/import/networks/families.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

struct NetworkFamily {
  std::string_view type;
  void (*read)(const networks::Reading& reading);
  SampleKeys open;
};

constexpr SampleKeys kFixed, kPictures{true, false, false}, kPicturesAndText{true, true, false},
    kText{false, true, false}, kSpeech{false, false, true};

constexpr std::array kNetworkFamilies{
    NetworkFamily{"FluxTransformer2DModel", networks::read_flux, kPicturesAndText},
    NetworkFamily{"PixArtTransformer2DModel", networks::read_pixart, kPicturesAndText},
    NetworkFamily{"SD3Transformer2DModel", networks::read_sd3, kPicturesAndText},
    NetworkFamily{"UNet2DConditionModel", networks::read_unet, kPicturesAndText},
    NetworkFamily{"clip", networks::read_clip, kFixed},
    NetworkFamily{"dinov2", networks::read_dinov2, kPictures},
    NetworkFamily{"hubert", networks::read_wav2vec2, kSpeech},
    NetworkFamily{"vit", networks::read_vit, kFixed},
    NetworkFamily{"wav2vec2", networks::read_wav2vec2, kSpeech},
    NetworkFamily{"whisper", networks::read_whisper, kText}};

/// Of diffusers its class, of transformers its model_type.
const YamlNode* type_in(const YamlNode& map) {
  for (const char* const key : {"_class_name", "model_type"})
    if (const YamlNode* const node = map.find(key); node && node->kind == YamlNode::Kind::scalar)
      return node;
  return nullptr;
}

bool may_be_decoder(const YamlNode& map, const std::string& type) {
  return map.find("text_config") || std::ranges::count(model_types(), type) > 0;
}

std::string is_unknown(const std::string& type) {
  Names all = network_types();
  const Names decoders = model_types();
  const Names networks = all;
  all.insert(all.end(), decoders.begin(), decoders.end());
  if (const auto near = nearest(type, all))
    return fmt::format("\"{}\" is no network that can be read; did you mean \"{}\"?", type, *near);
  return fmt::format("\"{}\" is no network that can be read; known: {}, and decoders: {}", type,
                     fmt::join(networks, ", "), fmt::join(decoders, ", "));
}

}  // namespace

Names network_types() {
  Names out;
  for (const NetworkFamily& family : kNetworkFamilies) out.emplace_back(family.type);
  return out;
}

std::optional<NetworkConfig> parse_network_config(std::string_view text, const std::string& name,
                                                  const SampleSize& size) {
  Diagnostics out;
  const auto file = parse_yaml(text, name, out);
  out.throw_if_any();
  if (file->kind != YamlNode::Kind::map) return {};
  NetworkConfig config;
  const YamlNode* const type = type_in(*file);
  if (!type) return {};
  config.type = printable(type->text);
  const auto* const family = std::ranges::find(kNetworkFamilies, config.type, &NetworkFamily::type);
  if (family == kNetworkFamilies.end()) {
    if (may_be_decoder(*file, config.type)) return {};
    out.error(ProblemCode::unknown_entry, {name, type->line, type->column}, "{}",
              is_unknown(config.type));
    out.throw_if_any();
  }
  config.open = family->open;
  config.file = std::filesystem::path(name).filename().string();
  if (const YamlNode* const path = file->find("_name_or_path")) config.name = printable(path->text);
  ConfigKeys keys(*file, name, out);
  family->read({keys, size, config});
  out.throw_if_any();
  return config;
}

std::string network_entry(const NetworkConfig& config) {
  constexpr double kBytes = 4;  // fp32
  const LayerCount count = count_layers(config.layers);
  const auto number = [](double value) { return fmt::format("{:.0f}", value); };
  const std::string name = config.name.empty() ? config.type : config.name;
  std::string out = fmt::format(
      "# {} parameters, by gpufeed import model.\ntitle = {}\nsource = {}\nbasis = \"datasheet\"\n"
      "parameters = {}\ninput_size = \"{} B\"\nclass = \"attention\"\ntakes = \"{}\"\n"
      "multiply_adds = {}\nactivation_size = \"{} B\"\n",
      text_number(count.parameters, 15), toml_string(fmt::format("{}, {}", name, config.sample)),
      toml_string(printable(config.file) + " of " + name), number(count.parameters),
      number(static_cast<double>(config.input_numbers) * kBytes), name_of(config.takes),
      number(count.multiply_adds), number(count.activations * kBytes));
  if (config.blocks > 0)
    out += fmt::format("blocks = {}\nblock_output = \"{} B\"\n", config.blocks,
                       number(config.block_numbers * kBytes));
  return out;
}

}  // namespace gpufeed
