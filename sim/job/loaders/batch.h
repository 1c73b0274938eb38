// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// Where the dates of a batch's travel are kept until its step is over.
struct Batch {
  Seconds read_start, read_end, decode_end, copy_end;
  Seconds gpu_decode_end;  ///< by an engine of the GPU; without one, when it was there
  bool built = false;      ///< by a worker, and not taken over by its process yet
  bool decoded = false;    ///< and taken over, and not taken yet
};

/// The batches of a GPU that are under way, wait or are trained, by their number in the epoch.
class BatchRing {
 public:
  /// \param kept  how many at the same time; a later one takes the place of that many before it
  explicit BatchRing(std::int64_t kept) : ring_(static_cast<std::size_t>(kept)) {}
  Batch& operator[](std::int64_t number) {
    return ring_[static_cast<std::size_t>(number) % ring_.size()];
  }

 private:
  std::vector<Batch> ring_;
};

}  // namespace gpufeed
