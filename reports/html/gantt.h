// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/cluster/answer.h"

namespace gpufeed::html {

/// Jobs on nodes over time, each GPU a lane of its node.
std::string gantt_chart(const cluster::Answer& answer);

}  // namespace gpufeed::html
