// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/scenario.h"

namespace gpufeed {

class Catalog;
class Diagnostics;

/// The protocols by which hosts read an array where nobody says how, the most usual first: its
/// `client`, else the first of its first family (ProtocolFamily); then what else reads that family,
/// then those of its other families. None where the catalog does not know the first.
std::vector<std::string> usual_clients(const Array& array, const Catalog& catalog);

/// The first of them; empty where there is none.
std::string usual_client(const Array& array, const Catalog& catalog);

/// Takes `protocol = "none"` at its word, and reads the usual clients of the stores whose protocol
/// nobody gave.
void read_clients(Scenario& scenario, const Catalog& catalog, Diagnostics& out);

/// Gives a store whose protocol nobody gave the most usual client that runs here, as a default:
/// one over RDMA needs a network card for it, a read past host memory one over RDMA. None where
/// none does, and where the scenario says itself what opening a file of the store costs.
/// Only once cards and places are joined; the clients that do not run here are forgotten.
/// \param system  the scenario's, as it is being checked
void choose_clients(Scenario& scenario, const System& system);

}  // namespace gpufeed
