// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/catalog/layers.h"

namespace gpufeed {

/// Layers of a network, one after another; sizes are numbers of channels, places and tokens.
class LayerList {
 public:
  using Count = std::int64_t;

  struct Place {
    Count width = 1, height = 1;
    Count all() const { return width * height; }
  };
  struct Kernel {
    Count size = 1, groups = 1;
    bool bias = true;
    bool flat = false;  ///< one row, of signals
  };

  void conv(Count inputs, Count outputs, const Place& at, const Kernel& kernel);
  void dense(Count inputs, Count outputs, Count tokens, bool bias = true);
  /// Scores of every query over all keys, and the sum of values that they weigh.
  void scores(Count queries, Count keys, Count hidden);
  void norm(Count numbers, Count tokens);
  /// A pass whose outputs are kept: norms without weights, products of two halves.
  void pass(Count numbers, Count tokens);
  void embedding(Count entries, Count hidden, Count tokens);
  /// Of no layer: positions, factors and sums of each channel.
  void table(Count numbers);

  /// One after another, so many times.
  void repeat(Count times, const LayerList& block);

  const std::vector<Layer>& all() const { return layers_; }

 private:
  std::vector<Layer> layers_;
};

}  // namespace gpufeed
