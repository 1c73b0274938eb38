// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/html/page.h"
#include "sim/model/cluster/answer.h"

namespace gpufeed::html {

/// What a shared cluster did: figures, a Gantt chart of its nodes (colors by user; above 2,000 bars
/// how full each was), the load of each store, the queue, and tables by user and size; of several
/// schedulers, the first is drawn and all are in a table.
std::string to_html(const cluster::Answer& answer, const PageHead& head);

}  // namespace gpufeed::html
