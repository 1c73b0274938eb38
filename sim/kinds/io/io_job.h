// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/io.h"
#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// What fio would report of `workload.io` on `data.at`, once steady: requests and bytes per second
/// of reads and writes, and the mean time of a request by Little's law: requests under way /
/// requests per second. The spread of that time is not modeled. How the rates come about:
/// io_plan.h. With `workload.io.log`, the log is replayed instead: io_replay.h.
/// \throws InputError  where there is no way between memory and data
Result simulate_kind(const kind::Io& keys, const Scenario& scenario);
/// Refuses what that would. \throws InputError
void check_kind(const kind::Io& keys, const Scenario& scenario);

}  // namespace gpufeed
