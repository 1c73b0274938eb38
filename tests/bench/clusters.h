// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

/// Schedulers of shared clusters, with jobs and with nodes: times, and ratios to the smallest.
nlohmann::ordered_json cluster_times();
