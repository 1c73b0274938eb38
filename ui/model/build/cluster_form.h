// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/model/build/serving_form.h"

namespace gpufeed::ui {

/// The keys of a cluster that jobs share: its scheduler, each group of nodes, each store and each
/// stream of jobs, in this order.
std::vector<ServingGroup> cluster_groups(const std::string& text);

/// A cluster to start from: two teams on four machines and one store.
std::string usual_cluster();

}  // namespace gpufeed::ui
