// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/cpu.h"
#include "sim/model/catalog/drive.h"
#include "sim/model/catalog/gpu.h"
#include "sim/model/catalog/stores.h"

namespace gpufeed {

/// A PCIe switch: not a limit itself, its uplink is.
struct Switch : Entry, Plug, Purchase {
  static constexpr std::string_view kKind = "switch";

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    entry_fields(visit);
    plug_fields(visit);
    purchase_fields(visit);
  }
};

/// card: in a PCIe slot. ocp: in the slot for an OCP 3.0 card. onboard: part of the main board.
enum class NicForm { card, ocp, onboard };
template <>
struct EnumNames<NicForm> {
  static constexpr std::array<std::string_view, 3> names{"card", "ocp", "onboard"};
};

/// What reaches another node over a card. infiniband, roce: RDMA. efa: Amazon's reliable datagrams.
/// tcp: sockets, whose bytes the processors copy.
enum class Transport { infiniband, roce, efa, tcp };
template <>
struct EnumNames<Transport> {
  static constexpr std::array<std::string_view, 4> names{"infiniband", "roce", "efa", "tcp"};
};

struct Nic : Entry, Plug, Purchase, Breaks {
  static constexpr std::string_view kKind = "nic";
  std::int64_t ports = 1;
  Bandwidth port_bandwidth;
  Ratio efficiency{1.0};
  std::optional<Bandwidth> send_bandwidth;
  std::optional<Bandwidth> receive_bandwidth;
  NicForm form = NicForm::card;
  std::optional<Transport> transport;
  std::optional<Bandwidth> flow_bandwidth;

  Bandwidth payload_bandwidth() const;
  /// Of both directions, which a cloud may limit by itself.
  Bandwidth payload_sent() const;
  Bandwidth payload_received() const;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    plug_fields(visit);
    visit(key("ports", &Nic::ports, "network ports in use").needed().between(1, 16));
    visit(key("port_bandwidth", &Nic::port_bandwidth, "line rate of one port")
              .needed()
              .between(10_MBps, 1_TBps));
    visit(key("efficiency", &Nic::efficiency, "payload over line rate")
              .needed()
              .between(1_percent, 100_percent));
    visit(key("send_bandwidth", &Nic::send_bandwidth,
              "of one port, where sending has another limit: clouds limit what an instance sends; "
              "default: port_bandwidth")
              .between(10_MBps, 1_TBps));
    visit(key("receive_bandwidth", &Nic::receive_bandwidth,
              "the same of receiving; default: port_bandwidth")
              .between(10_MBps, 1_TBps));
    visit(key("form", &Nic::form, "how it is built in"));
    visit(key("transport", &Nic::transport,
              "what reaches other nodes over it; default: infiniband; roce where it is RDMA over "
              "Ethernet"));
    visit(key("flow_bandwidth", &Nic::flow_bandwidth,
              "tcp: what the network's owner leaves one connection; default: the port's")
              .between(1_MBps, 1_TBps));
    purchase_fields(visit);
    breaks_fields(visit);
  }
};

}  // namespace gpufeed
