// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/make/routes_in_making.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Adds to the graph what limits a copy from the store of `data.staging` as a whole: its `rate`.
/// \return the resource; none where nothing does
std::optional<ResourceIndex> add_copy_in_limit(const Scenario& scenario, Graph& graph);

/// Lets what a GPU's loader reads from the store be written to the drives of `data.at` at the same
/// pace: from the memory into which it was read, in equal parts, each on a route of its own.
/// \param limit  of all of it together, if there is one
void copy_in(const Scenario& scenario, const Graph& graph, std::optional<ResourceIndex> limit,
             RoutesInMaking& routes, GpuFeed& gpu);

/// Lets a GPU's loader read what a cache on the drives of `data.at` lacks: from the store, by the
/// routes of `far`, and written to the drives as `copy_in` has it; of a cache that keeps what came
/// first also without writing, once that is full.
void read_through(const Scenario& scenario, const Graph& graph, std::optional<ResourceIndex> limit,
                  RoutesInMaking& routes, GpuFeed far, GpuFeed& gpu);

}  // namespace gpufeed
