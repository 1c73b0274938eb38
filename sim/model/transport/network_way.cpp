// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transport/network_way.h"

#include <algorithm>

namespace gpufeed {
namespace {

constexpr Seconds kStep{14e-6}, kStepOfRoce{24e-6}, kStepOfSockets{60e-6}, kStepOfEfa{75e-6};
constexpr double kPayload = 0.95;  ///< of a connection whose rate is limited
constexpr std::int64_t kChannels = 2;
constexpr double kBesideAnswers = 1 / (1 + 0.5);  ///< of a queue's packets, those with data

Bandwidth most_over_sockets(const Scenario& scenario, const Fabric& fabric, const Nic& card) {
  const Exchange& exchange = scenario.exchange;
  const auto& limit = fabric.flow_bandwidth ? fabric.flow_bandwidth : card.flow_bandwidth;
  const double sockets =
      static_cast<double>(exchange.channels.value_or(kChannels) * exchange.sockets);
  const bool one_flow = fabric.overlay == Overlay::ip_in_ip;
  Bandwidth most = exchange.socket_bandwidth * sockets;
  if (limit) most = std::min(most, *limit * (kPayload * (one_flow ? 1 : sockets)));
  if (scenario.nodes == 2)
    most = most * fabric.pair_share.value_or(Ratio{one_flow ? kBesideAnswers : 1}).value;
  return most;
}

/// Datagrams that do not end in GPUs are copied out of where they arrive, by a thread a channel.
std::optional<Bandwidth> most_by_copies(const Scenario& scenario) {
  if (scenario.exchange.path.value == ReadPath::gpudirect) return {};
  const std::int64_t channels = scenario.exchange.channels.value_or(kChannels);
  return scenario.exchange.socket_bandwidth * static_cast<double>(channels);
}

}  // namespace

NetworkWay network_way(const Scenario& scenario, const Nic& card) {
  const Fabric fabric = scenario.fabric.value_or(Fabric{});
  switch (fabric.transport_of(card)) {
    case Transport::tcp:
      return {most_over_sockets(scenario, fabric, card), kStepOfSockets - kStep};
    case Transport::efa:
      return {most_by_copies(scenario), kStepOfEfa - kStep};
    case Transport::roce:
      return {{}, kStepOfRoce - kStep};
    case Transport::infiniband:
      return {};
  }
  return {};
}

}  // namespace gpufeed
