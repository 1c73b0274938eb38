// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "calib/replay/copy_now.h"
#include "calib/replay/decoder_now.h"
#include "calib/replay/drive_now.h"
#include "calib/replay/full_cache_now.h"
#include "calib/replay/run_replay.h"
#include "sim/base/units.h"

namespace gpufeed {

/// Parts as they are now: many drift within minutes. What was not told stays.
struct MachineNow {
  std::optional<DriveNow> drive;
  std::optional<CopyNow> copy;
  std::optional<DecoderNow> decoder;
  FullCacheNow full_cache;
};

/// What drifts, measured of the parts alone, never of the workload.
struct MeasuredParts {
  std::optional<ReplayLoader> loader;
  DriveReads drive;
  std::optional<CopyNow> copy;
  std::optional<DecoderNow> decoder;
};

/// Without the loader. \throws InputError  where a file cannot be read, or when interrupted
MeasuredParts measure_parts(const Scenario& scenario, const ReplayPlan& plan);

/// The parts as they were meanwhile: the mean over several moments, of those that were measured.
/// Of rates it is that of times: what passes in a given time is what is averaged.
MeasuredParts mean_of(const std::vector<MeasuredParts>& moments);

/// How far what the drive's reads, a core's copying, or its decoding took went from its mean at
/// most, whichever moved more.
Ratio drift_of(const std::vector<MeasuredParts>& moments);

}  // namespace gpufeed
