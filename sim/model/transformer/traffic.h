// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/transformer/job.h"

namespace gpufeed {

/// GPUs that do a collective together: so many, each so far from the next in the order of all.
struct RankGroup {
  double ranks = 1;
  double stride = 1;
};

/// Of an all-gather or reduce-scatter by rings: the larger of (n-1)/n of the buffer over a node's
/// links, and of (m-1)/m over the cards of the group's GPUs of each of m nodes; and their steps.
/// \param buffer  the whole, as nccl-tests counts it
Seconds gather_time(const GpuWays& ways, const RankGroup& group, Bytes buffer);

/// Scattered, then gathered.
Seconds sum_time(const GpuWays& ways, const RankGroup& group, Bytes buffer);

/// What a GPU sends to the experts of others. Each token's numbers go once to every GPU of the
/// node, or to every node, that holds some of its experts (DeepEP, HybridEP), or once for each
/// expert (all-to-all):
///   bytes (n - 1) (1 - (1 - 1/n)^k)   or   bytes k (n - 1) / n
/// \param of_tokens  numbers of a GPU's tokens
/// \param places  n, GPUs or nodes   \param experts  k, of a token
Bytes dispatched(Dispatcher by, Bytes of_tokens, double places, double experts);

/// What a GPU's tokens send to experts, each as often as it has some: tokens k, times the capacity
/// of experts.
double routed_tokens(const TransformerJob& job);

/// Tokens to their experts, or back.
Seconds dispatch_time(const TransformerJob& job);

/// From one stage of a pipeline to the next, a micro-batch.
Seconds pass_on_time(const TransformerJob& job);

}  // namespace gpufeed
