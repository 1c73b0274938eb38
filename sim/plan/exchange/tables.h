// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.h"

namespace gpufeed {

struct Gpu;
struct Scenario;

/// What embedding tables add to a step of a GPU.
struct TableTimes {
  Seconds lookups;   ///< rows are read, and read and written again when they are changed
  Seconds exchange;  ///< what samples take of tables on other GPUs, and its gradients back
};

/// b samples of a GPU and step, t tables of rows of d numbers in fp32, p rows of each a sample, g
/// bytes of a number of the precision, N GPUs, n of them in a node:
///   lookups   (3 x 4 B p + 2 g) b t d / memory's rate
///   exchange  2 max(g b t d (n - 1) / N / links of a GPU, g b t d (N - n) / N / its share of
///   cards)
/// counted, not measured: random rows may come more slowly. Input features that travel to the
/// tables, 4 B p b t, are taken to do so while the step before computes, as TorchRec has it.
TableTimes table_times(const Scenario& scenario, const Gpu& gpu);

}  // namespace gpufeed
