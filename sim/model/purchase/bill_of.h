// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/bill.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// What a scenario's configuration is bought or rented from: all nodes, the network between them,
/// all stores.
///
/// - Processors, memory (by bytes, over the priced module's), GPU boards, switches, network cards
///   and drives are a line for each product, in this order.
/// - A system with a price of its own is bought as sold: its parts are included. Parts that were
///   put in since are bought on top; for what came out nothing is given back. One made of a chassis
///   that is sold as a machine of the catalog (`Chassis::sold_as`) has that one's price and power.
/// - A system with a power of its own draws that: parts put in since add theirs, those that came
///   out take theirs off.
/// - Arrays are counted by their blades over those that the price is for; those that are rented
///   have a rent instead, by their capacity and rate. Stores of servers are their servers' parts.
std::vector<BillLine> bill_of(const Scenario& scenario);

/// The servers that a store is made of, by their parts.
/// \param store  with servers, of which the array is known
std::vector<BillLine> bill_of_servers(const ServersOfStore& store, const std::string& name);

/// Switches and cables between nodes: as many as it takes to give every port of their cards the
/// bandwidth that `[fabric]` says, as a fat tree where one switch does not do; of one node, a cable
/// for each port by which it reaches a store. What the catalog has no product for is a line without
/// a price.
std::vector<BillLine> network_of(const Scenario& scenario);

/// What a store costs: bought, or rented by the hour. Of what counts only bytes that lie on it, the
/// data set does.
BillLine store_line(const Scenario& scenario, std::size_t number);

/// What a managed store charges for bytes read and written in requests of one size; 0 where it
/// counts neither.
double charges_USD(const StoreRent& rent, Bytes read, Bytes of_one, Bytes written);

}  // namespace gpufeed
