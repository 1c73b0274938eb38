// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/transformer/job.h"

namespace gpufeed {

/// What small matrices beside frozen ones (LoRA) add to a layer, in each direction.
struct AdapterTime {
  Seconds forward, backward;
};

/// Of every matrix of k inputs and n outputs, for each token: two products of few columns, bound by
/// what they read and write, a scaling, a sum with what the frozen matrix gives, and backward the
/// same with the sum of both gradients of the input. In 16 bits 2 k + 12 n and 10 k + 8 n bytes; in
/// fp32, which also converts both ways, 10 k + 28 n and 20 k + 22 n. Zero without LoRA; experts
/// have none.
AdapterTime adapter_time(const TransformerJob& job, bool with_experts);

/// Bytes of a token and layer that adapters keep for the backward pass: inputs in fp32, where they
/// are; in 16 bits the layer has them.
double adapter_activation_bytes(const TransformerJob& job, bool with_experts);

}  // namespace gpufeed
