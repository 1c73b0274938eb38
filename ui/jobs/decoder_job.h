// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/load/load.h"

namespace gpufeed {

/// What is to be trained of a language model.
struct DecoderAsk {
  std::string model;
  std::optional<std::string> dataset;  ///< nothing: `tokens` of its own
  double tokens = 1e9;
  bool lora = false;  ///< small matrices beside weights that stay as they are; else all weights
  bool nf4 = false;   ///< and these in 4 bits (QLoRA)
  std::int64_t nodes = 1;
  bool saves = true;  ///< checkpoints, where the data lie
};

/// Sections `[workload]`, `[parallel]`, `[checkpoint]` and `[loader]`, or why there is none.
struct DecoderJob {
  std::string text;
  std::string too_small;  ///< a sentence without its end, to say behind it what would help
  std::string would_do;   ///< with it: "--nodes 4, or --method lora"
  std::string untimed;    ///< why no step is known on these GPUs, in a sentence; else empty
};

/// The job of a language model given by its architecture: bf16, AdamW and the layout that a person
/// would begin with on these GPUs, each choice with its reason; nothing for other models, and where
/// the machine cannot be built.
/// \param machine  the rest of the scenario, as TOML
/// \throws InputError  where the job itself is refused
std::optional<DecoderJob> decoder_job(const DecoderAsk& ask, const std::string& machine,
                                      const std::string& place, const Catalog& catalog,
                                      const std::vector<Override>& overrides);

}  // namespace gpufeed
