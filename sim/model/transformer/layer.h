// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/transformer/job.h"
#include "sim/model/transformer/parts.h"

namespace gpufeed {

/// What a GPU takes for one micro-batch of a layer.
struct LayerTime {
  StepParts forward;
  StepParts backward;
  double parameters = 0;         ///< that the GPU holds, or would where replicas did not share them
  double expert_parameters = 0;  ///< of these, in experts
};

/// Causal attention of a layer, forward. FLOP = 2 T s heads (head + value) / t / 2, at
///   peak x attention x s / (s + attention_tokens) x sustained_share
/// of fused kernels; flash-attention 2 and older at older_attention_share of full clock instead
/// where the GPU says it; unfused: all scores, at unfused_attention of what products attain, a
/// sixteenth of it where heads are no multiples of 8, and 13 B of memory for each score.
Seconds attention_time(const TransformerJob& job);

/// Norms, activations and sums, forward: 2 B x tokens x (10 hidden [/t] + 2 (q + 2 kv) / t + (3|2)
/// inner / t) x passes, of experts another 2 B x tokens / t x top_k (4 hidden + 3 inner).
Seconds passes_time(const TransformerJob& job, bool with_experts);

/// \param with_experts  whether it is a layer of experts
LayerTime layer_time(const TransformerJob& job, bool with_experts);

/// The output of one micro-batch, forward and backward, with its loss: 24 B for each logit, 1.3
/// times as many without compiled kernels, half of them in chunks.
Seconds head_time(const TransformerJob& job);

}  // namespace gpufeed
