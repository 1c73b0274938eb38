// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/scenario.h"

namespace gpufeed {

/// Over what the GPUs of a job reach one another.
struct GpuWays {
  std::int64_t node_gpus = 1;
  Bandwidth local;     ///< of a GPU to others of its node, as collectives move it
  Seconds local_step;  ///< from one to the next
  Bandwidth network;   ///< of a GPU's share of its node's cards, as collectives move it
  Seconds network_step;
  Bandwidth host;                       ///< of a GPU's share of its plug, from and to its host
  Bandwidth host_memory;                ///< of a GPU's share of its host's memory
  Bytes host_room;                      ///< that a host's memory has for what is offloaded
  std::optional<Bandwidth> connection;  ///< most of one group's way from one node to the next
};

/// A decoder that is trained, and all that its step depends on, as numbers.
struct TransformerJob {
  Architecture architecture;
  Gpu gpu;  ///< with `transformers`, `kernels`, `sms`, `memory_bandwidth` and the peak
  kind::Training training;
  Parallel parallel;
  GpuWays ways;
  std::int64_t gpus = 1;
  double gradient_bytes = 4;  ///< of a number, as it travels; 0: adapters, of which nothing counts
  double sequence = 1;        ///< tokens of a sample
  double micro_batch = 1;     ///< samples
  double micro_batches = 1;   ///< that a replica takes in a step, one after the other

  double tensor() const { return static_cast<double>(parallel.tensor); }
  double pipeline() const { return static_cast<double>(parallel.pipeline); }
  double context() const { return static_cast<double>(parallel.context); }
  double expert() const { return static_cast<double>(parallel.expert); }
  /// GPUs that compute other samples with the same weights.
  double replicas() const {
    return static_cast<double>(gpus) / (tensor() * pipeline() * context());
  }
  /// That hold the same weights, and share gradients, optimizer or parameters as `shard` says.
  double sharing() const { return replicas() * context(); }
  /// Tokens of a micro-batch on a GPU.
  double tokens() const { return micro_batch * sequence / context(); }
  /// GPUs that share norms and sums of a token.
  double sequence_shares() const { return parallel.sequence ? tensor() : 1; }
  bool gathers_layers() const { return parallel.shard == Sharding::parameters; }
  const TransformerLibrary& library() const { return **gpu.transformers; }
  /// Rate at which passes move memory.
  Bandwidth memory_rate() const { return *gpu.memory_bandwidth * library().memory_share.value; }
};

/// Of the GPUs of a scenario. Where a GPU names no `transformers`, cards carry all of their rate.
GpuWays ways_of(const Scenario& scenario, const Gpu& gpu);

inline double real(std::int64_t count) { return static_cast<double>(count); }

/// How products of weights are computed.
struct ProductFormat {
  FlopRate peak;
  double bytes = 2;  ///< of a number
  bool quantized() const { return bytes < 2; }
};

/// bf16, fp16; fp8, mxfp8; nvfp4, of which libraries attain four fifths; nothing where the GPU does
/// not say its peak in it.
std::optional<ProductFormat> product_format(const Gpu& gpu, std::string_view precision);

/// Nothing where the workload trains no model given by its architecture, the GPU names no
/// `transformers` or no peak, or rates of the model on it are known.
std::optional<TransformerJob> transformer_job(const Scenario& scenario);

}  // namespace gpufeed
