// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/model/catalog/layers.h"
#include "sim/model/catalog/network_class.h"

namespace gpufeed {

/// What config.json leaves open of a sample; default: what the network was made for.
struct SampleSize {
  std::optional<std::int64_t> image;    ///< side of a square, in pixels
  std::optional<std::int64_t> tokens;   ///< of its text
  std::optional<std::int64_t> seconds;  ///< of speech
};

/// Which of them a network leaves open.
struct SampleKeys {
  bool image = false, tokens = false, seconds = false;
};

/// What config.json says of a network that is no decoder alone: of Hugging Face's transformers
/// (model_type) or diffusers (_class_name).
struct NetworkConfig {
  std::string file;    ///< its name, without folders
  std::string type;    ///< model_type or _class_name
  std::string name;    ///< _name_or_path; empty where it has none
  std::string sample;  ///< "512 x 512 pixels"
  Content takes = Content::images;
  std::int64_t input_numbers = 0;  ///< of a sample, as copied to the GPU
  std::vector<Layer> layers;
  std::int64_t blocks = 0;   ///< alike, in a row; 0: they are not
  double block_numbers = 0;  ///< that one of them passes on
  SampleKeys open;           ///< what of SampleSize it goes by
};

/// Types that can be read, sorted.
Names network_types();

/// Reads config.json. Keys that are left out have the defaults of their class.
/// \return nothing where it is a decoder, or says no type: `parse_model_config` reads it, or says
/// so \throws InputError  with every problem found; of a type that neither knows, which there are
std::optional<NetworkConfig> parse_network_config(std::string_view text, const std::string& name,
                                                  const SampleSize& size);

/// The network as an entry of a catalog, TOML, by what its layers sum to.
std::string network_entry(const NetworkConfig& config);

}  // namespace gpufeed
