// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/nearest.h"
#include "sim/model/catalog/architecture.h"

namespace gpufeed {

/// What config.json of Hugging Face's transformers says of a decoder.
struct ModelConfig {
  std::string file;         ///< its name, without folders
  std::string type;         ///< model_type
  std::string name;         ///< _name_or_path; empty where it has none
  Architecture of;          ///< `other_parameters` among it, so that all are counted
  std::int64_t tokens = 0;  ///< max_position_embeddings; 0: not said
  Names not_modeled;        ///< what of it has no key here
};

/// Kinds of decoders (model_type) that can be read, sorted.
Names model_types();

/// Reads config.json. Keys that are left out have the defaults of their class in transformers.
/// \throws InputError  with every problem found; of other model types, which there are
ModelConfig parse_model_config(std::string_view text, const std::string& name);
ModelConfig load_model_config(const std::filesystem::path& file);

/// The model as an entry of a catalog, TOML, for samples of so many tokens.
std::string model_entry(const ModelConfig& config, std::int64_t tokens);

}  // namespace gpufeed
