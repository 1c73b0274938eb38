// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// What plugs into what: of one family, the slower link decides.
enum class LinkFamily { pcie, sata, sas, nvlink, infinity_fabric, c2c, socket, chipset, other };
template <>
struct EnumNames<LinkFamily> {
  static constexpr std::array<std::string_view, 9> names{
      "pcie", "sata", "sas", "nvlink", "infinity-fabric", "c2c", "socket", "chipset", "other"};
};

/// A kind of bus or link: one lane of PCIe, one brick of NVLink, one QPI link, one SATA port.
/// Payload rate of a connection = raw_bandwidth x lanes x efficiency. Copies to and from GPUs reach
/// less than their packets allow; drives, which move whole packets by themselves, just that:
/// packet_payload / (packet_payload + packet_overhead).
struct Link : Entry {
  static constexpr std::string_view kKind = "link";
  std::optional<LinkFamily> family;
  Bandwidth raw_bandwidth;
  Ratio efficiency{1.0};
  std::optional<Ratio> efficiency_from_device;
  std::optional<Ratio> ring_efficiency;
  std::optional<Ratio> duplex;
  std::optional<Bytes> packet_payload;
  Bytes packet_overhead;
  Seconds latency;
  std::int64_t cpu_lanes = 0;

  /// Its family, or what it is taken for where it does not say it: PCIe alone tells its packets.
  LinkFamily kind() const {
    return family.value_or(packet_payload ? LinkFamily::pcie : LinkFamily::other);
  }

  /// The same link as drives use it: of its efficiency, what the packets leave, where it says so.
  Link for_drives() const;
  Bandwidth to_device(std::int64_t lanes) const;
  Bandwidth from_device(std::int64_t lanes) const;
  /// Of what kernels move that sum on their way, not copy engines.
  Bandwidth in_rings(std::int64_t lanes) const;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("family", &Link::family,
              "what plugs into what; default: pcie where packet_payload is given, else other"));
    visit(key("raw_bandwidth", &Link::raw_bandwidth, "of one lane, in one direction")
              .needed()
              .between(1_MBps, 2_TBps));
    visit(key("efficiency", &Link::efficiency, "payload over raw rate, toward the device")
              .needed()
              .between(1_percent, 100_percent));
    visit(key("efficiency_from_device", &Link::efficiency_from_device,
              "the same from the device, where it differs")
              .between(1_percent, 100_percent));
    visit(key("ring_efficiency", &Link::ring_efficiency,
              "between GPUs: the same for gradients, which kernels move; default: that of "
              "copies")
              .between(1_percent, 100_percent));
    visit(key("duplex", &Link::duplex,
              "what copies between host memory and a GPU attain in both directions "
              "together, over one direction alone; default: each its own rate")
              .between(100_percent, 200_percent));
    visit(key("packet_payload", &Link::packet_payload,
              "largest payload of one packet, which drives fill; default: drives reach "
              "the efficiency of other devices")
              .between(16_B, 1_MB));
    visit(key("packet_overhead", &Link::packet_overhead,
              "bytes of a packet besides: header, framing, check")
              .between(0_B, 1_kB));
    visit(key("latency", &Link::latency, "before the first byte of a message")
              .needed()
              .between(0_s, 1_s));
    visit(key("cpu_lanes", &Link::cpu_lanes,
              "between sockets: lanes of each CPU (pcie_lanes) that one such link takes")
              .between(0, 64));
  }
};

/// How a product plugs in: kind of link and its width.
struct Plug {
  Ref<Link> link;
  std::int64_t lanes = 1;
  std::vector<std::string> pci_ids;  ///< by which `gpufeed discover` knows it
};

inline constexpr auto kPciIdsKey =
    key("pci_ids", &Plug::pci_ids,
        "vendor:device, or vendor:device:subvendor:subdevice, in hexadecimal, by which gpufeed "
        "discover knows it");

template <class Visit>
constexpr void plug_fields(Visit&& visit) {
  visit(key("link", &Plug::link, "kind of link it plugs into").needed());
  visit(key("lanes", &Plug::lanes, "lanes, bricks or ports it uses").needed().between(1, 64));
  visit(kPciIdsKey);
}

}  // namespace gpufeed
