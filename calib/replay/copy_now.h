// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "sim/base/units.h"

namespace gpufeed {

struct Scenario;

/// A core's `core_copy_bandwidth`, out of the page cache: neighbors on the same memory slow it by a
/// fifth for minutes.
struct CopyNow {
  Bandwidth now;
  Bandwidth calibrated;
};

/// What `copy_now` writes in files that are gone afterwards: nothing where the scenario reads
/// around the page cache, its CPU's core_copy_bandwidth was not calibrated, or the folder is there
/// and cannot be written.
Bytes written_to_copy(const Scenario& scenario, const std::filesystem::path& folder);

/// Reads such files for a second, as `gpufeed calibrate --memory` does; nothing where none would
/// be written. \throws InputError  where they cannot be written or read, or when interrupted
std::optional<CopyNow> copy_now(const Scenario& scenario, const std::filesystem::path& folder);

}  // namespace gpufeed
