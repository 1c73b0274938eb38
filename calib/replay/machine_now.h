// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "calib/replay/copy_now.h"
#include "calib/replay/drive_now.h"
#include "calib/replay/pages_now.h"
#include "calib/replay/run_replay.h"
#include "sim/base/units.h"

namespace gpufeed {

/// Parts as they are now: many drift within minutes. What was not told stays.
struct MachineNow {
  std::optional<DriveNow> drive;
  std::optional<CopyNow> copy;
  std::optional<PagesNow> pages;
};

/// What drifts, measured of the parts alone, never of the workload.
struct MeasuredParts {
  ReplayLoader loader;
  DriveReads drive;
  std::optional<CopyNow> copy;
};

/// \throws InputError  where a file cannot be read, or when interrupted
MeasuredParts measure_parts(const Scenario& scenario, const ReplayPlan& plan);

/// As they were meanwhile: the means of before and after; of what was measured once, that.
MeasuredParts mean_of(const MeasuredParts& before, const MeasuredParts& after);

/// How far the drive's reads or a core's copying, whichever moved more, went from their mean to
/// either side.
Ratio drift_of(const MeasuredParts& before, const MeasuredParts& after);

}  // namespace gpufeed
