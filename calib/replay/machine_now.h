// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "calib/replay/copy_now.h"
#include "calib/replay/drive_now.h"
#include "calib/replay/pages_now.h"

namespace gpufeed {

/// Parts as they are now: many drift within minutes. What was not told stays.
struct MachineNow {
  std::optional<DriveNow> drive;
  std::optional<CopyNow> copy;
  std::optional<PagesNow> pages;
};

}  // namespace gpufeed
