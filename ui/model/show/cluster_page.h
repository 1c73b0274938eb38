// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/html/cluster_page.h"
#include "reports/html/gantt.h"
#include "ui/model/show/serving_page.h"

namespace gpufeed::ui {

/// What the window shows of a cluster that jobs share.
struct ClusterPage {
  std::vector<ServingCard> cards;
  html::Gantt gantt;
  std::vector<html::HeadedChart> charts;  ///< over time: stores, the queue, GPUs held
  std::vector<ServingTable> tables;       ///< by user and size, stores
};

ClusterPage cluster_page(const cluster::Answer& answer);

}  // namespace gpufeed::ui
