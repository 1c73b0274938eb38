// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"

namespace gpufeed {

/// What a command line says that starts an engine which serves a language model: `vllm serve`, or
/// SGLang's launch_server.
struct EngineCommand {
  std::string model;      ///< as it is said, such as meta-llama/Llama-3.1-8B-Instruct
  std::string precision;  ///< bf16 where nothing is said
  std::vector<std::pair<std::string, std::string>> serving;  ///< keys of [serving] and TOML values
  std::string memory;  ///< of the host, for KV caches; empty: none
  Names not_modeled;   ///< options that have no key here
};

/// \param words  of the command line; one word with spaces is taken apart
/// \throws InputError  with every problem: no model, an option whose value is missing or no number
EngineCommand parse_engine_command(const std::vector<std::string>& words);

/// The model of the catalog that it is, by its name without its maker and what it was tuned for:
/// llama-3.1-8b. \throws InputError  where none of `known` is it, with the nearest
std::string catalog_model_of(const EngineCommand& command, const Names& known);

/// A file of kind "serving" that says the same; what is asked is for the user to fill in.
/// \param model  in the catalog \param gpu  likewise
std::string serving_text(const EngineCommand& command, const std::string& model,
                         const std::string& gpu);

}  // namespace gpufeed
