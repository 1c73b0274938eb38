// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/scenario.h"

namespace gpufeed {

/// What the software between two nodes leaves a ring, beside what cards and links carry.
struct NetworkWay {
  std::optional<Bandwidth> most;  ///< of the ring's way from one node to the next
  Seconds farther;                ///< of each step, over those by InfiniBand
};

/// Over TCP a channel has so many sockets, and each carries the least of what its thread copies and
/// 95 % of what the network's owner leaves a connection:
///   most = channels x sockets x min(socket_bandwidth, 0.95 x flow_bandwidth)
/// With an overlay that has no ports (ip-in-ip) all sockets between two nodes are one connection to
/// the network, and arrive at one queue of a card. Between two nodes alone answers to what a node
/// sends arrive there, too, one for every second segment, and leave data two thirds (`pair_share`).
/// Over EFA without GPUDirect RDMA a thread of each channel copies what arrives: channels x
/// socket_bandwidth.
/// \source  NCCL 2.28, src/transport/net_socket.cc (threads and sockets of a connection); Amazon
///          EC2 user guide, single-flow traffic (IP in IP is one flow for a pair); RFC 1122,
///          4.2.3.2 (answers);
///          steps: src/graph/tuning.cc (InfiniBand 14 us), aws-ofi-nccl (EFA 75 us), nccl-tests
///          over sockets (60 us) and RoCE (24 us: Oracle BM.GPU4.8 alone says 23, one H100 a node
///          behind four cards 30, each by the median up to 8 MiB)
NetworkWay network_way(const Scenario& scenario, const Nic& card);

}  // namespace gpufeed
