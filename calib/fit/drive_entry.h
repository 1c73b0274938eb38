// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calib/fit/drive_fit.h"
#include "calib/fit/fio_json.h"
#include "sim/load/load.h"

namespace gpufeed {

/// What fio's points of one direction say of a drive.
struct DriveSide {
  std::vector<FioPoint> points;
  DriveFit fit;
};

/// The points of one direction that a drive law can be fitted to: not those of jobs that read and
/// wrote at once, which tell neither direction alone.
std::vector<FioPoint> points_of(const std::vector<FioPoint>& all, bool writes);
/// \throws InputError  see fit_drive
DriveSide fit_side(std::vector<FioPoint> points, const std::string& name,
                   std::optional<double> sharpness = {});

/// How far repeats of one setting (block, depth, jobs) lie from their median: the median of these,
/// relative; 0 where nothing was repeated.
double scatter(const std::vector<FioPoint>& points);

struct DriveEntry {
  std::string title;
  std::string source;             ///< names the raw files
  std::optional<EntryText> like;  ///< a drive whose other keys are taken
};

/// A drive of the catalog as TOML: what was fitted with basis "calibrated", the rest as `like` has
/// it. What the points do not tell stays as `like` has it where that agrees with them. Keys still
/// missing stand in comments.
std::string drive_toml(const DriveEntry& entry, const DriveSide* reads, const DriveSide* writes);

}  // namespace gpufeed
