// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "calib/discover/found.h"
#include "calib/discover/report/lines.h"

namespace gpufeed {

/// The machine whose files of /sys and /proc stand in the text, as `collecting_script` prints them;
/// nothing where there are none. They are put below a folder of their own, which goes away again.
/// \throws InputError  where they describe no machine, or there are too many
std::optional<FoundMachine> machine_of_archive(ReportLines& lines);

}  // namespace gpufeed
