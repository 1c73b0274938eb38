// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/plan/make/routes_in_making.h"
#include "sim/plan/make/sources.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Gives the loader of one GPU its routes from every source, and the latency that a sample waits
/// for; into the memory of its socket, or into the GPU where `path` is gpudirect. A buffered read
/// is copied on by software, over the same memory.
/// \param readers  of one batch
/// \param cards  of the store's network cards, those that the loader takes alike (cards_dealt)
void add_reads(const Scenario& scenario, const Graph& graph, const Sources& sources,
               std::int64_t readers, const std::vector<NicUser>& cards, RoutesInMaking& routes,
               GpuFeed& gpu);

/// The cards over which a loader of `loaders` of a node reads a store: the nearest, taken in turn,
/// where that loads all alike; else as many of them, one after the other in their order, as load
/// all alike. So do connections that are opened in turn.
std::vector<NicUser> cards_dealt(const Sources& sources, std::int64_t loaders, const GpuFeed& gpu);

/// Adds to the latencies what readers of one flash drive wait for one another beside sharing its
/// rate (concurrent_readers.h): those of all GPUs of a node, each of which works on what it has
/// read meanwhile.
void add_waits_among_readers(const Scenario& scenario, const Sources& sources, Plan& plan);

/// The route of what the page cache holds: from memory to memory.
void add_hits(const Graph& graph, RoutesInMaking& routes, GpuFeed& gpu);

}  // namespace gpufeed
