// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/base/key_path.h"
#include "sim/model/transformer/job.h"

namespace gpufeed {

/// What the fullest GPU of a job holds.
struct TransformerMemory {
  Bytes weights;
  Bytes gradients;
  Bytes optimizer;  ///< its numbers, and weights in fp32
  Bytes gathered;   ///< parameters of others, while they are computed with
  Bytes activations;
  Bytes logits;
  Ratio allocator{1.0};  ///< what it takes over what tensors need
  Bytes own;             ///< of the context and the buffers of collectives

  /// What cannot be less.
  Bytes floor() const { return weights + gradients + optimizer + gathered + activations + logits; }
  /// With what the allocator and NCCL take beside it.
  Bytes typical() const;
};

/// Numbers that a token leaves in a layer for its backward pass, in bytes: c = 2 of a number, of 8
/// bits 1:
///   4 h + 2 c h (/t with sequence parallelism) + [2 (q + 2 kv) + c q + (4|2) f + c f] / t,
///   of experts also 2 k h / t; unfused 2 heads s / t, with dropout 5
/// \source  Korthikanti et al., Reducing Activation Recomputation (2022)
Bytes token_activations(const TransformerJob& job, bool with_experts);

/// Stage 0 holds min(stages, micro-batches) of them at once, interleaved 1 + (p - 1) / (p v) times
/// as many; the last the logits. full: 2 h a layer, and one whole layer; ops: half.
TransformerMemory transformer_memory(const TransformerJob& job);

/// Of what its optimizer keeps with workload.offload_optimizer, in the memory of one host.
Bytes offloaded_of_host(const TransformerJob& job);
/// That the hosts' memory has room for it, and Adam with copies in fp32 trains all of the model.
bool can_offload(const TransformerJob& job);

/// A key of the scenario and its value as TOML writes it.
struct Setting {
  KeyPath key;
  std::string value;
};

/// Which one key, or which two, would make it fit into what the GPU has. Empty where none of those
/// that are known to does.
std::vector<Setting> what_would_fit(const TransformerJob& job);
/// "workload.recompute = \"full\" with parallel.tensor = 2".
std::string text(const std::vector<Setting>& settings);

}  // namespace gpufeed
