// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sim/model/checkpoint.h"
#include "sim/model/workload.h"

namespace gpufeed {

struct Scenario;

/// Bytes of one number of a format: fp64 8, fp16 and bf16 2, fp8 and int8 1, int4 1/2,
/// any other 4.
double bytes_per_number(std::string_view precision);

/// Bytes of one number of a gradient as it travels: as `exchange.hook` leaves it, else of
/// `exchange.dtype`, else of the precision; of decoders in fp32, where all is in 16 bits in these.
double gradient_bytes(const Scenario& scenario);

/// What one block passes on for one sample in a format; nothing where the model does not say.
Bytes block_output(const Model& model, std::string_view precision);

/// What training holds in the memory of a GPU.
struct GpuMemory {
  Bytes weights;      ///< parameters
  Bytes copies;       ///< of parameters, in fp32 where they are narrower (mixed)
  Bytes gradients;    ///< one number each
  Bytes optimizer;    ///< one number of each parameter for momentum, two for adam; fp32 or wider
  Bytes activations;  ///< of one sample; 0 where the model does not say

  Bytes fixed() const { return weights + copies + gradients + optimizer; }
  Bytes at(std::int64_t batch) const { return fixed() + activations * static_cast<double>(batch); }
};

/// Leaves out what depends on the framework: its own memory, work space of kernels, fragments,
/// input batches.
GpuMemory gpu_memory(const Model& model, std::string_view precision, Optimizer optimizer);

/// Of one GPU of a training job: those that hold a model together hold equal parts; replicas divide
/// what `parallel.shard` says (copies with the optimizer); of a batch in micro-batches as many are
/// under way at once as there are stages; with `workload.recompute` activations are those between
/// blocks, and of one block.
GpuMemory gpu_memory(const Scenario& scenario);

/// What a checkpoint of a training holds where nobody says its size, and what a restart reads
/// besides: of LoRA the frozen weights, in 16 bits, which are not saved.
///   torch        w + o of a parameter: as the optimizer keeps it (fp32; in 16 bits where
///                workload.master_weights is false), and its numbers
///   megatron     2 more where w is 4 beside 16 bits that are computed with: with Adam 14
///   safetensors  the latter alone
/// of all parameters, or with LoRA of adapters of `kAdapterRank` beside each matrix of attention
/// and of layers without experts. \source  Megatron: MLPerf Storage's 8 B model, 15 + 90 GiB
struct TrainingState {
  Bytes saved;
  Bytes read_besides;
};
TrainingState training_state(const kind::Training& training, CheckpointForm form);

/// Rank of adapters: an estimate. PEFT's own default is 8, torchtune's recipes take 8 to 64.
inline constexpr double kAdapterRank = 16;

}  // namespace gpufeed
