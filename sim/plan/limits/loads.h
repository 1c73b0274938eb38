// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/plan/limits/stages.h"

namespace gpufeed {

/// Adds `bytes` to each resource of a route, as often as it takes it.
void add_load(ByResource<double>& loads, const Route& route, double bytes);

/// What one sample of a GPU reads of the sources, in the mean.
Bytes read_of_sample(const Plan& plan, const GpuFeed& gpu);

/// And of a store that these are a cache of: what is written to them, and what is not.
Bytes pulled_of_sample(const Plan& plan, const GpuFeed& gpu);
Bytes passed_of_sample(const Plan& plan, const GpuFeed& gpu);

/// Drives that a cache writes while they are read share their time: x/R + y/W <= 1.
std::vector<PathStageLimit> limits_of_shared_drives(const Plan& plan, const Loads& loads);

}  // namespace gpufeed
