// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/cluster/answer.h"

namespace gpufeed {

/// What a shared cluster did, with `totals` and `jobs`, in the way of json.h.
std::string to_json(const cluster::Answer& answer);

}  // namespace gpufeed
