// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gpufeed {

/// Batches per GPU that have passed two places of the loader, fractions of those under way
/// included.
struct Supply {
  double read = 0;
  double decoded = 0;
  double awaited = 0;  ///< of all GPUs, whole: built when all before them had been taken
};

}  // namespace gpufeed
