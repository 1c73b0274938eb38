// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/cluster/answer.h"

namespace gpufeed {

/// What a shared cluster did, on one screen; of several schedulers, a line each below the first.
std::string to_text(const cluster::Answer& answer);

/// Its jobs as CSV, a row each: scheduler, and the keys of a job in the JSON; the nodes of several
/// stand apart by blanks. Empty: null.
std::string to_csv(const cluster::Answer& answer);

}  // namespace gpufeed
