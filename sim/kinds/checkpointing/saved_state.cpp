// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/checkpointing/saved_state.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gpufeed {
namespace {

constexpr std::array<StateCut, 4> kCuts{
    {{CheckpointedModel::llama3_8b, 32, 4096, 14336, 32, 8, 1, 1, 8, 3},
     {CheckpointedModel::llama3_70b, 80, 8192, 28672, 128, 8, 8, 1, 8, 3},
     {CheckpointedModel::llama3_405b, 126, 16384, 53248, 128, 8, 8, 32, 2, 1},
     {CheckpointedModel::llama3_1t, 128, 25872, 98304, 192, 32, 8, 64, 2, 1}}};
constexpr double kWeight = 2;     ///< B, FP16
constexpr double kOptimizer = 4;  ///< B, FP32: master weights and two moments
constexpr std::int64_t kMoments = 3;
constexpr std::int64_t kExtra = 5;  ///< x hidden, that the benchmark adds to each of them

class Saving {
 public:
  explicit Saving(const StateCut& cut) : cut_(cut) {}

  std::vector<Bytes> files_of(std::int64_t rank) const {
    std::vector<Bytes> files;
    const std::int64_t replica = rank / (cut_.tensor * cut_.pipeline);
    if (cut_.zero_stage == 3 || replica == 0) files = weights(rank / cut_.tensor % cut_.pipeline);
    files.push_back(optimizer());
    return files;
  }

  std::int64_t ranks() const { return cut_.tensor * cut_.pipeline * cut_.data; }

 private:
  /// Weights of the stages' layers: the embedding comes first, the output and a norm last.
  std::vector<Bytes> weights(std::int64_t stage) const {
    const std::int64_t each = cut_.layers / cut_.pipeline;
    const std::int64_t longer = cut_.layers % cut_.pipeline;  // stages with a layer more
    std::vector<Bytes> files;
    if (stage == 0) files.push_back(sharded(cut_.hidden * kStateVocabulary / cut_.tensor));
    for (std::int64_t l = 0; l < each + (stage < longer ? 1 : 0); ++l) files.push_back(layer());
    if (stage == cut_.pipeline - 1) {
      files.push_back(sharded(cut_.hidden * kStateVocabulary / cut_.tensor));
      files.push_back(sharded(cut_.hidden));
    }
    if (cut_.pipeline > 1) return files;
    return {std::accumulate(files.begin(), files.end(), Bytes{})};
  }

  Bytes layer() const {
    const std::int64_t h = cut_.hidden, t = cut_.tensor;
    return sharded(h) + sharded(h * (h + 2 * key_value()) / t) + sharded(h * h / t) + sharded(h) +
           sharded(h * 2 * cut_.feed_forward / t) + sharded(h * cut_.feed_forward / t);
  }

  Bytes sharded(std::int64_t parameters) const {
    const std::int64_t kept = parameters / (cut_.zero_stage == 3 ? cut_.data : 1);
    return {kWeight * static_cast<double>(kept)};
  }

  Bytes optimizer() const {
    const std::int64_t kept = parameters() / ranks() + kExtra * cut_.hidden;
    return {kOptimizer * static_cast<double>(kMoments * kept)};
  }

  std::int64_t parameters() const {
    const std::int64_t h = cut_.hidden;
    const std::int64_t layer =
        h * (h + 2 * key_value()) + h * h + 3 * h * cut_.feed_forward + 2 * h;
    return 2 * kStateVocabulary * h + cut_.layers * layer + h;
  }

  /// Columns of the matrices of keys and values.
  std::int64_t key_value() const { return cut_.hidden / cut_.heads * cut_.key_value_heads; }

  const StateCut& cut_;
};

}  // namespace

Bytes SavedState::of_rank(std::size_t rank) const {
  return std::accumulate(files[rank].begin(), files[rank].end(), Bytes{});
}

Bytes SavedState::size() const {
  Bytes sum;
  for (std::size_t rank = 0; rank < ranks(); ++rank) sum += of_rank(rank);
  return sum;
}

const StateCut& cut_of(CheckpointedModel model) {
  return *std::ranges::find(kCuts, model, &StateCut::model);
}

SavedState saved_state(CheckpointedModel model) {
  const Saving saving(cut_of(model));
  SavedState state;
  for (std::int64_t rank = 0; rank < saving.ranks(); ++rank)
    state.files.push_back(saving.files_of(rank));
  return state;
}

}  // namespace gpufeed
