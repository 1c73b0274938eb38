// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/base/units.h"
#include "sim/model/kinds/checkpointing.h"

namespace gpufeed {

/// A network of the Llama 3 family, and how a job is cut.
/// \source  MLPerf Storage v3.0, configs/dlio/workload/llama3_*.yaml
struct StateCut {
  CheckpointedModel model;
  std::int64_t layers, hidden, feed_forward, heads, key_value_heads;
  std::int64_t tensor, pipeline, data;
  int zero_stage;
};
inline constexpr std::int64_t kStateVocabulary = 128256;

const StateCut& cut_of(CheckpointedModel model);

/// A job's state as its ranks save it: each writes files of its own, one after the other.
struct SavedState {
  std::vector<std::vector<Bytes>> files;  ///< by rank, in the order of writing

  std::size_t ranks() const { return files.size(); }
  Bytes of_rank(std::size_t rank) const;
  Bytes size() const;
};

/// Weights in FP16 (2 B a parameter) and the optimizer's state in FP32 (3 x 4 B), cut by tensor,
/// pipeline and data parallelism. With ZeRO 1 only the ranks of the first replica save weights, a
/// file a layer, and every rank its part of the optimizer's state; with ZeRO 3 every rank saves an
/// equal part of both, a file each. So rank 0 of 405b writes 12.3 GiB where the mean is 10.3.
/// \source  dlio_benchmark, checkpointing/base_checkpointing.py; MLPerf Storage v3.0,
///          configs/dlio/workload/llama3_*.yaml. The sums are those of its Rules.md
SavedState saved_state(CheckpointedModel model);

}  // namespace gpufeed
