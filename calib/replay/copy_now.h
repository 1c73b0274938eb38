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
/// around the page cache, or its CPU's core_copy_bandwidth was not calibrated.
Bytes written_to_copy(const Scenario& scenario);

/// Reads such files for two seconds, as `gpufeed calibrate --memory` does.
/// \throws InputError  where they cannot be written or read, or when interrupted
std::optional<CopyNow> copy_now(const Scenario& scenario, const std::filesystem::path& folder);

/// The scenario with all its CPUs as they are now.
Scenario with_copy(Scenario scenario, const CopyNow& copy);

}  // namespace gpufeed
