// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/nearest.h"
#include "sim/model/catalog/architecture.h"
#include "sim/model/exchange.h"
#include "sim/model/kinds/training.h"

namespace gpufeed {

/// Programs whose files of a training are read. nemo: also Megatron-Bridge.
enum class TrainingFormat { torchtitan, megatron, nemo, accelerate, deepspeed };
template <>
struct EnumNames<TrainingFormat> {
  static constexpr std::array<std::string_view, 5> names{"torchtitan", "megatron", "nemo",
                                                         "accelerate", "deepspeed"};
};

/// What such a file says of the training of a language model, in gpufeed's terms.
struct TrainingFile {
  std::string file;  ///< its name, without folders
  TrainingFormat format = TrainingFormat::torchtitan;
  std::string model;                         ///< as the catalog calls it; empty: not said
  std::optional<Architecture> architecture;  ///< where the file gives its sizes
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> sequence;      ///< tokens of a sample
  std::optional<std::int64_t> micro_batch;   ///< samples of a GPU at once
  std::optional<std::int64_t> accumulate;    ///< micro-batches of a step
  std::optional<std::int64_t> global_batch;  ///< samples of a step of all
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> checkpoint_steps;
  Parallel parallel;
  Optimizer optimizer = Optimizer::adam;
  bool offload_optimizer = false;
  Recompute recompute = Recompute::none;
  std::string precision = "bf16";
  bool compile = false;
  Names not_taken;  ///< keys that ask for something, sorted
};

/// Tells the format by what the file holds: TOML of torchtitan (.toml), arguments of Megatron-LM
/// in a script, YAML of NeMo or Megatron-Bridge and of accelerate, JSON of DeepSpeed.
/// \throws InputError  with every problem found, each with its place
TrainingFile parse_training_file(std::string_view text, const std::string& name);
TrainingFile load_training_file(const std::filesystem::path& file);

/// What such a file does not say.
struct TrainingTarget {
  std::string system;
  std::int64_t gpus = 1;  ///< of a node
  std::optional<std::int64_t> nodes;
  std::optional<std::string> model;  ///< instead of the file's
  std::optional<std::string> at;
};

/// A scenario as TOML, and where its model is given by sizes, these within it.
/// \throws InputError  where neither names a model
std::string training_scenario(const TrainingFile& file, const TrainingTarget& target);

}  // namespace gpufeed
