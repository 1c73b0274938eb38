// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "sim/base/units.h"

namespace gpufeed {

/// What a network's layers take of a GPU, and their launches of the host, at some batches: sums
/// over the kernels of a step, each timed by itself.
struct StepCurve {
  struct Point {
    Seconds gpu;
    Seconds host;
  };
  std::map<double, Point> of_batch;
};

/// At any batch: linear between two that were timed, and on from the last two. Kernels take a while
/// for one sample and a share more for each further, with steps where another algorithm or wave of
/// tiles begins, so that a line through all batches is off by half in the middle; one between
/// neighbors is not.
/// \return what launching one after the other takes; as a graph `gpu` alone counts
StepCurve::Point step_at(const StepCurve& curve, double batch);

}  // namespace gpufeed
