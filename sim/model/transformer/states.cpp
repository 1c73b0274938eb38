// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/states.h"

namespace gpufeed {

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
