// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/kinds.h"
#include "tests/support/random_machine.h"

/// Everything that a scenario may have beside rates and numbers, drawn at random.
namespace gpufeed::systems {

/// Volumes, files and how they are read.
void draw_storage(Scenario& scenario, System& system, Dataset& dataset, Random& random);

void draw_store(Store& store, Random& random);

/// Sockets and links.
void draw_links(System& system, Random& random);

/// Loaders, decoders and the page cache.
void draw_loader(Scenario& scenario, Dataset& dataset, Random& random);

/// Two to five such nodes, joined at random, with any exchange.
Scenario cluster_of(RandomMachine m, std::uint64_t seed);

/// A random machine and job over all mechanisms. One epoch: the page cache then plays no part, and
/// the bound holds for every step.
Scenario featured_scenario(const RandomMachine& m, std::uint64_t seed);

}  // namespace gpufeed::systems
