// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/plan/plan.h"

namespace gpufeed {

/// What bytes of a rank take: ways of GPUs to one another, or those between a GPU and a parameter
/// server's memory, which stands on the node of the rank that it is pushed to, or pulled from.
enum class Over { pcie, nvlink, push, pull };

/// Bytes from one rank to another, in so many rounds of each call.
struct Send {
  int from;
  int to;
  Over over;
  Bytes size;
  double rounds = 1;
};

/// Sends that start together.
struct SendPhase {
  std::vector<Send> sends;
  double ready = 0;  ///< they wait until so much of the computing is done; 1: all
  std::optional<CollectiveCalls> calls{};  ///< none: they are copies by themselves

  void add(const Send& send) { sends.push_back(send); }
};

/// Who sends how much to whom in an exchange, in phases that follow one another. It depends on how
/// GPUs are joined, not on how fast anything is.
using Pattern = std::vector<SendPhase>;

}  // namespace gpufeed
