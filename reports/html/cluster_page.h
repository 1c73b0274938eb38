// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/html/chart.h"
#include "reports/html/page.h"
#include "sim/model/cluster/answer.h"

namespace gpufeed::html {

struct HeadedChart {
  std::string heading;
  Chart chart;
};

/// Over time: the load of each store, jobs that wait, GPUs that jobs hold.
std::vector<HeadedChart> load_charts(const cluster::Answer& answer);

/// What a shared cluster did: figures, a Gantt chart of its nodes (colors by user; above 2,000 bars
/// how full each was), the load of each store, the queue, and tables by user and size; of several
/// schedulers, the first is drawn and all are in a table.
std::string to_html(const cluster::Answer& answer, const PageHead& head);

}  // namespace gpufeed::html
