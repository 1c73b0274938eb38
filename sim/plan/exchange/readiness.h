// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/catalog/products.h"

namespace gpufeed {

/// Gradients that travel one after the other without a pause but for the wire.
struct GradientWave {
  double share = 1;  ///< of all gradients
  double ready = 0;  ///< the share of the backward pass after which its first may leave

  bool operator==(const GradientWave&) const = default;
};

/// How gradients are sent: each by itself, or in buckets.
struct Bucketing {
  Bytes gradients;
  std::optional<Bytes> bucket;
  std::optional<Bytes> first;  ///< a smaller one, before the others
};

/// When gradients may leave. A bucket may when the last of its gradients is there, one without
/// buckets when its part of the network begins. Of buckets k with s_k sent before and ready at r_k
/// the last ends at max over k of r_k + (1 - s_k) T, whatever the time T of all: only those on the
/// upper hull of (s_k, r_k) can be that, and each begins a wave.
/// \param model  its parts in the order of the backward pass (`backward`, or its layers, each as
///               long as its multiply-adds); without them an even pace. Embeddings, and
///               `late_parameters`, come at the end and take no time
std::vector<GradientWave> gradient_waves(const Model& model, const Bucketing& bucketing);

}  // namespace gpufeed
