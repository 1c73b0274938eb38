// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/transformer/memory.h"

namespace gpufeed {

/// A way to train a decoder that its GPUs have memory for.
struct ParallelLayout {
  TransformerJob job;
  double samples_per_s = 0;  ///< of all GPUs, which wait for no data
  Bytes memory;              ///< of the fullest GPU, typically
};

/// Every layout of a job that fits, the fastest first: what replicas divide (nothing, the
/// optimizer, parameters), tensor and pipeline parallelism, experts, micro-batches and what is
/// computed again. All else is as the job has it; a step takes `samples` of all GPUs together.
///
/// Tensor parallelism stays within a node, with its norms shared; stages hold equally many layers,
/// and pipelines have as many micro-batches as stages at least and keep parameters whole.
std::vector<ParallelLayout> layouts_that_fit(const TransformerJob& job, double samples);

/// All layouts of a job that fit, the fastest first, and of how many.
struct EveryLayout {
  std::vector<ParallelLayout> fit;
  std::int64_t tried = 0;
};

/// A larger space, for a search: also context parallelism, interleaved stages, any number of stages
/// that divides the GPUs and is not above that of layers, stages with divided parameters, and
/// parameters divided within groups of nodes (HSDP); what is computed again is the job's. Tensor
/// parallelism stays within a node; of interleaved stages each has whole parts of the layers, and
/// micro-batches are a multiple of them; a GPU takes 512 tokens of a sample at least.
EveryLayout every_layout(const TransformerJob& job, double samples);

/// Of layouts, the fastest first, what a person would begin with: the plainest of those that are
/// not slower than the fastest by more than 3 %. There must be one.
const ParallelLayout& plainest_of_fastest(const std::vector<ParallelLayout>& layouts);

}  // namespace gpufeed
