// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/transformer/job.h"
#include "sim/model/transformer/parts.h"

namespace gpufeed {

/// A step over what its micro-batches take one after the other in a pipeline (1F1B):
///   1 + (p - 1) / (v m), p stages of v parts each
double pipeline_factor(double stages, double virtual_stages, double micro_batches);

/// One step of a GPU that waits for no data, its exchange with others included:
///   (m - 1) slowest + stage (1 + (p - 1) / v) + m 8 B x parameters / memory + passing on
///     + gradients + optimizer_time (Adam: 34 B x own parameters / memory)
/// stage: ceil(layers / p) layers; the last has what these leave, and the output; slowest: the
/// slower of both. Layers that predict further tokens count as layers. How much the slowest of all
/// GPUs is slower than others is left out.
/// \return where it goes; all of them together are the step
/// \source  design and evidence: sim/physics.md, Transformers
StepParts transformer_step(const TransformerJob& job);

/// Samples that all GPUs take in a second, and tokens of one GPU.
double tokens_per_gpu(const TransformerJob& job);

/// FLOP of forward and backward passes, without what is computed again and gradients of frozen
/// weights (LoRA), over what the GPU's peak in the format of its products would do in the step.
Ratio model_flop_utilization(const TransformerJob& job);

/// Parameters of a GPU, of the fullest stage.
struct HeldParameters {
  double shared = 0;   ///< that every replica holds the same
  double experts = 0;  ///< of experts, which lie on few
  double tables = 0;   ///< of the shared ones, tables of words
  double layer = 0;    ///< of one layer

  double all() const { return shared + experts; }
};
HeldParameters held_parameters(const TransformerJob& job);

/// GPUs that share what the optimizer keeps of the same parameters.
double states_shared_by(const TransformerJob& job);

/// Parameters for which a GPU takes the optimizer's step; of adapters none count.
double own_parameters(const TransformerJob& job);

}  // namespace gpufeed
