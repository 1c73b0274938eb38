// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/make/routes_in_making.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Gives a GPU the route on which its batches come from the memory of its loader: decoded there
/// (write-allocate, write), and from memory that is not pinned by way of the driver's own buffer,
/// into which one core copies.
void add_copy(const Scenario& scenario, const Graph& graph, RoutesInMaking& routes, GpuFeed& gpu);

/// Adds to the graph the processes of a node through whose one thread all batches pass on their way
/// from the workers, where `loader.process_bandwidth` limits them.
/// \return the first one's resource; none: nothing limits them
std::optional<ResourceIndex> add_processes(const Scenario& scenario, Graph& graph);

/// What a process of a GPU and a core take to take a batch over from its workers: a time, and that
/// of its decoded bytes: as the model takes them in, or where none does, three of each pixel, or
/// what is stored; without workers nothing is taken over.
Seconds take_over_time(const Scenario& scenario);

/// Lets the copies of a GPU pass its process, or, where nothing is copied, its batches alone.
/// \param first  of the processes
void pass_process(const Scenario& scenario, ResourceIndex first, RoutesInMaking& routes,
                  GpuFeed& gpu);

/// Bytes of a sample that is copied to a GPU: as the model takes it in, or still as stored where
/// the GPU decodes it; 0 where no model takes it.
Bytes copied_size(const Scenario& scenario);

}  // namespace gpufeed
