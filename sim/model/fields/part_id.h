// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What a part of a scenario is: one of the lists of its system, a store, or the network that joins
/// its nodes.
enum class PartKind : std::uint8_t {
  socket,
  pcie_switch,
  gpu,
  nic,
  drive,
  nvswitch,
  volume,
  store,
  fabric
};
template <>
struct EnumNames<PartKind> {
  static constexpr auto names = words_of<PartKind>({{PartKind::socket, "socket"},
                                                    {PartKind::pcie_switch, "switch"},
                                                    {PartKind::gpu, "gpu"},
                                                    {PartKind::nic, "nic"},
                                                    {PartKind::drive, "drive"},
                                                    {PartKind::nvswitch, "nvswitch"},
                                                    {PartKind::volume, "volume"},
                                                    {PartKind::store, "store"},
                                                    {PartKind::fabric, "fabric"}});
};

/// One part of a scenario: its place, from 0, in the list of all of its kind. What joins parts is
/// this; what the user calls them is a label.
struct PartId {
  PartKind kind{};
  std::uint32_t number = 0;

  constexpr PartId() = default;
  constexpr PartId(PartKind of, std::size_t place)
      : kind(of), number(static_cast<std::uint32_t>(place)) {}
  constexpr auto operator<=>(const PartId&) const = default;
};

/// What of a part a resource of the graph is.
enum class Role : std::uint8_t {
  read,     ///< of a drive or store: its reading
  write,    ///< and its writing
  memory,   ///< of a socket
  link,     ///< one direction of the way toward another part
  staged,   ///< of a link, what copies by way of host memory attain of it
  port_in,  ///< of a network card
  port_out,
  client,        ///< of a store: what this machine's connections carry
  copy_in,       ///< of a store: what copying from it attains
  both_ways,     ///< of a GPU: copies in both directions together
  from_devices,  ///< of a GPU: what drives and network cards write into it through a socket
  remote_reads,  ///< of a socket's memory: by devices of others
  remote_writes,
  remote_core_reads,  ///< by cores of others
  process,            ///< of a loader, through which its batches pass
  uplink,             ///< of a leaf switch of the network between nodes
  downlink
};
template <>
struct EnumNames<Role> {
  static constexpr std::array<std::string_view, 17> names{"read",          "write",
                                                          "memory",        "link",
                                                          "staged",        "port in",
                                                          "port out",      "client",
                                                          "copy-in",       "both ways",
                                                          "from devices",  "remote reads",
                                                          "remote writes", "remote core reads",
                                                          "process",       "uplink",
                                                          "downlink"};
};

}  // namespace gpufeed
