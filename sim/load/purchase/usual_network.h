// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gpufeed {

class Catalog;
struct Scenario;

/// Of what the network between nodes, or to stores, is made where `[fabric]` does not say: the
/// switch whose ports are as fast as the fastest card's and cheapest, the cable that is as fast and
/// cheapest. For the bill alone.
void choose_network(Scenario& scenario, const Catalog& catalog);

}  // namespace gpufeed
