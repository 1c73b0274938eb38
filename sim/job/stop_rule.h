// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/plan/hit_curve.h"

namespace gpufeed {

/// What a run simulates: epochs that find equally much in the page cache.
struct Epochs {
  std::int64_t steps = 0;      ///< of all of them; only the last may be short
  std::int64_t per_epoch = 0;  ///< steps of one
  HitCurve hits;               ///< of the page cache in each
  std::int64_t before = 0;     ///< steps of earlier epochs

  bool operator==(const Epochs&) const = default;
};

/// Which checkpoints of its plan a run takes: none, all where they fall, or some to measure them.
enum class Saving { none, in_place, measured };
/// What waits in the page cache to be written when a run's first checkpoint comes.
enum class Backlog { none, full };

/// When to stop simulating.
struct StopRule {
  bool extrapolate = true;
  Ratio precision;
  std::int64_t max_steps = 0;  ///< 0: no limit; `measured`: the pace counts as known after them
  Saving saving = Saving::none;
  Backlog backlog = Backlog::none;
  bool record = false;  ///< what GPUs do in some steps

  bool operator==(const StopRule&) const = default;
};

}  // namespace gpufeed
