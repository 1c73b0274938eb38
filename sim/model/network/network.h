// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// A switch of a network between machines: for the bill alone, no packet passes it.
struct NetworkSwitch : Entry, Purchase {
  static constexpr std::string_view kKind = "network-switch";
  std::int64_t ports = 1;
  Bandwidth port_bandwidth;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("ports", &NetworkSwitch::ports, "of port_bandwidth each").needed().between(2, 4096));
    visit(key("port_bandwidth", &NetworkSwitch::port_bandwidth, "of one, each way")
              .needed()
              .between(10_MBps, 1_TBps));
    purchase_fields(visit);
  }
};

/// A cable between two ports, with the plugs or transceivers at its ends.
struct Cable : Entry, Purchase {
  static constexpr std::string_view kKind = "cable";
  Bandwidth bandwidth;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("bandwidth", &Cable::bandwidth, "each way").needed().between(10_MBps, 1_TBps));
    purchase_fields(visit);
  }
};

/// Switches and cables of a network.
struct NetworkParts {
  std::int64_t leaves = 0;  ///< switches to which machines are cabled
  std::int64_t spines = 0;  ///< all switches above
  std::int64_t cables = 0;  ///< from machines to leaves, and between switches

  bool operator==(const NetworkParts&) const = default;
};

/// What joins `down` ports of machines by switches of `ports` ports each, with `up` links to the
/// spine for each port down (1: none is held back; 0.5: 2:1 oversubscribed): one switch where all
/// fit; two levels up to ports^2 / 2; above that, a level more for each ports / 2 times as many.
/// \source  Al-Fares et al., A Scalable, Commodity Data Center Network Architecture, 2008: a k-ary
///          fat tree has k^2 / 4 cores and k^2 edge and aggregation switches for k^3 / 4 hosts
NetworkParts fat_tree(std::int64_t down, std::int64_t ports, double up);

}  // namespace gpufeed
