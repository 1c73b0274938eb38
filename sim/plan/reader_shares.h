// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/plan/plan.h"

namespace gpufeed {

/// What readers that compete for a store get of it, by chance: lognormal, with
/// plan.share_deviation; equal ones where that is 0. Where a GPU stands for several
/// (GpuPlan::stands_for), shares of all are drawn and put in order: each of the few has the mean of
/// as many neighbors, which are its own by rank, and the last of them the least of all, for which
/// all wait. Held against all readers by tests/physics/folding_test.cpp.
void draw_shares(std::uint64_t seed, Plan& plan);

}  // namespace gpufeed
