// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/probes/raw.h"
#include "ui/cli/calibrate_here.h"

namespace gpufeed::cli {

/// Measures what was asked for below `--dir`, within `--max-time` and `--max-bytes`; says on
/// standard error how far it is, and at the end what was written.
RawMeasurements measure_here(const CalibrateHere& given, const Options& options);

}  // namespace gpufeed::cli
