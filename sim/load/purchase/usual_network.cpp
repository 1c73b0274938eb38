// SPDX-License-Identifier: Apache-2.0
#include "sim/load/purchase/usual_network.h"

#include <algorithm>

#include "sim/load/read/reader.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

Bandwidth rate_of(const NetworkSwitch& one) { return one.port_bandwidth; }
Bandwidth rate_of(const Cable& one) { return one.bandwidth; }
double pieces(const NetworkSwitch& one) { return static_cast<double>(one.ports); }
double pieces(const Cable& /*one*/) { return 1; }

/// The cheapest, by the price of a port, of the slowest that are fast enough; of equals the first.
template <class T>
std::optional<Ref<T>> usual(const Catalog& catalog, Bandwidth rate, const Location& where) {
  Diagnostics told_where_it_is_named;
  Reader reader(catalog, "", told_where_it_is_named);
  std::optional<Ref<T>> best;
  const auto place = [](const T& one) {
    return std::pair(rate_of(one), one.price->value / pieces(one));
  };
  for (const auto& name : catalog.names(T::kKind)) {
    auto entry = reader.entry_named<T>(name);
    if (!entry || !entry->price || rate_of(*entry) < rate) continue;
    if (!best || place(*entry) < place(**best)) best = Ref<T>{name, where, std::move(entry)};
  }
  return best;
}

}  // namespace

void choose_network(Scenario& scenario, const Catalog& catalog) {
  if (!scenario.system || (scenario.nodes == 1 && scenario.store.empty())) return;
  Bandwidth rate{};
  for (const auto& nic : scenario.system->nics)
    if (nic.model) rate = std::max(rate, nic.model->port_bandwidth);
  if (rate == Bandwidth{}) return;
  if (scenario.nodes > 1)
    scenario.usual_switch = usual<NetworkSwitch>(catalog, rate, scenario.where);
  scenario.usual_cable = usual<Cable>(catalog, rate, scenario.where);
}

}  // namespace gpufeed
