// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/collective.h"

namespace gpufeed {

/// Alike collectives, one after the other, each over so many GPUs of so many nodes.
struct CollectiveCalls {
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  int ranks = 1;
  int nodes = 1;
  Bytes size{};  ///< of the whole buffer of each, as nccl-tests counts it
  double count = 1;

  bool operator==(const CollectiveCalls&) const = default;
};

}  // namespace gpufeed
