// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/plan/plan.h"

namespace gpufeed {

/// Steps that are looked at together: whole rounds of the workers, so that a segment holds whole
/// bursts. With few workers several rounds: what a single step takes tells little.
std::int64_t segment_steps(const Plan& plan);

/// Steps until a few readers have forgotten in which order they began, so that what is counted is
/// no phase of theirs. Each falls into step with the others at the drive or at the GPU, and moves
/// against them only by what its own work varies by: a random walk, which has gone through a round
/// of the workers after as many rounds as the square of their ratio. Where there are many readers,
/// or the loader has much to spare, no order matters: 0.
/// \param pace_deviation  relative, of a worker's own work on a batch
std::int64_t steps_to_mix(const Plan& plan, double pace_deviation);

}  // namespace gpufeed
