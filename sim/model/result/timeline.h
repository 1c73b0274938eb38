// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// One bar of a time line: what a GPU did or waited for.
struct Interval {
  std::int64_t step = 0;
  std::string kind;
  double start_s = 0;
  double end_s = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("step", &Interval::step,
              "from 0, counted as first_step is; asynchronous: the GPU's own"));
    visit(key("kind", &Interval::kind, "a key of the shares"));
    visit(key("start_s", &Interval::start_s, "since the epoch of the stretch began"));
    visit(key("end_s", &Interval::end_s, "since then"));
  }
};

/// The bars of a GPU: one begins where the one before ends.
struct TimelineGpu {
  std::string gpu;
  std::int64_t count = 1;
  std::vector<Interval> intervals;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("gpu", &TimelineGpu::gpu, "id"));
    visit(key("count", &TimelineGpu::count,
              "GPUs that do as it does: it and those at its place in nodes alike"));
    visit(key("intervals", &TimelineGpu::intervals, "what it did, one after the other"));
  }
};

/// Some steps, of every GPU that was simulated (of the first 1024).
struct TimelineStretch {
  std::string name;
  std::int64_t first_step = 0;
  std::int64_t steps = 0;
  double start_s = 0;
  double end_s = 0;
  std::vector<TimelineGpu> gpus;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("name", &TimelineStretch::name,
              "which steps: the first ones of an epoch, some of its later, steady ones, or those "
              "around a checkpoint"));
    visit(key("first_step", &TimelineStretch::first_step,
              "since the epoch began; around a checkpoint: since its measurement did"));
    visit(key("steps", &TimelineStretch::steps, "how many"));
    visit(key("start_s", &TimelineStretch::start_s, "of the first bar"));
    visit(key("end_s", &TimelineStretch::end_s, "of the last bar"));
    visit(key("gpus", &TimelineStretch::gpus, "GPU by GPU"));
  }
};

}  // namespace gpufeed
