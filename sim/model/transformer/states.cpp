// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/states.h"

namespace gpufeed {

double frozen_bytes(const kind::Training& training) {
  // A scale in 8 bits for each 64, and one in 32 for 256 of these (Dettmers and others, QLoRA)
  constexpr double kNormal4 = 0.5 + 1.0 / 64 + 4.0 / (64 * 256);
  return training.frozen_weights == FrozenWeights::nf4 ? kNormal4 : kHalf;
}

double state_bytes(const kind::Training& training) {
  const double wide = training.master_weights ? kSingle : kHalf;
  const double copy = training.master_weights ? kSingle : 0;
  switch (training.optimizer.value) {
    case Optimizer::sgd:
      return copy;
    case Optimizer::momentum:
      return copy + wide;
    case Optimizer::adam:
      return copy + 2 * wide;
    case Optimizer::adam_8bit:
      return copy + 2;
  }
  return copy;
}

double optimizer_bytes(const kind::Training& training) {
  const double weights_and_gradients =
      training.master_weights ? kHalf + 2 * kSingle : 2 * kHalf + kHalf;
  return 2 * state_bytes(training) + weights_and_gradients;
}

}  // namespace gpufeed
