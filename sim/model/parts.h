// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/entry.h"

namespace gpufeed {

/// A kind of bus or link: one lane of PCIe, one brick of NVLink, one QPI link, one SATA port.
/// Payload rate of a connection = raw_bandwidth x lanes x efficiency.
struct Link : Entry {
  static constexpr std::string_view kKind = "link";
  Bandwidth raw_bandwidth;
  Ratio efficiency{1.0};
  std::optional<Ratio> efficiency_from_device;
  Seconds latency;

  Bandwidth to_device(std::int64_t lanes) const;
  Bandwidth from_device(std::int64_t lanes) const;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        entry_fields<Link>(),
        std::tuple{
            key<Link>("raw_bandwidth", &Link::raw_bandwidth, "of one lane, in one direction")
                .needed()
                .between(1_MBps, 2_TBps),
            key<Link>("efficiency", &Link::efficiency, "payload over raw rate, toward the device")
                .needed()
                .between(1_percent, 100_percent),
            key<Link>("efficiency_from_device", &Link::efficiency_from_device,
                      "the same from the device, where it differs")
                .between(1_percent, 100_percent),
            key<Link>("latency", &Link::latency, "before the first byte of a message")
                .needed()
                .between(0_s, 1_s)});
  }
};

/// How a product plugs in: kind of link and its width.
struct Plug {
  Ref<Link> link;
  std::int64_t lanes = 1;
};

template <class T>
constexpr auto plug_fields() {
  return std::tuple{
      key<T>("link", &Plug::link, "kind of link it plugs into").needed(),
      key<T>("lanes", &Plug::lanes, "lanes, bricks or ports it uses").needed().between(1, 64)};
}

struct Cpu : Entry, Purchase {
  static constexpr std::string_view kKind = "cpu";
  std::int64_t cores = 1;
  Bandwidth memory_bandwidth;
  Ratio memory_efficiency{1.0};
  Ratio staged_copy_efficiency{1.0};

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        entry_fields<Cpu>(),
        std::tuple{key<Cpu>("cores", &Cpu::cores, "physical cores").needed().between(1, 1024),
                   key<Cpu>("memory_bandwidth", &Cpu::memory_bandwidth,
                            "peak of one socket's memory: channels x 8 B x transfer rate")
                       .needed()
                       .between(1_GBps, 10_TBps),
                   key<Cpu>("memory_efficiency", &Cpu::memory_efficiency,
                            "part of the peak that real copies reach")
                       .needed()
                       .between(1_percent, 100_percent),
                   key<Cpu>("staged_copy_efficiency", &Cpu::staged_copy_efficiency,
                            "rate of a GPU-to-GPU copy through this host's memory, over the rate "
                            "of a host-to-GPU copy")
                       .needed()
                       .between(1_percent, 100_percent)},
        purchase_fields<Cpu>());
  }
};

struct Gpu : Entry, Plug, Purchase {
  static constexpr std::string_view kKind = "gpu";
  Bytes memory;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        entry_fields<Gpu>(), plug_fields<Gpu>(),
        std::tuple{key<Gpu>("memory", &Gpu::memory, "device memory").needed().between(1_GB, 10_TB)},
        purchase_fields<Gpu>());
  }
};

/// A PCIe switch: not a limit itself, its uplink is.
struct Switch : Entry, Plug, Purchase {
  static constexpr std::string_view kKind = "switch";

  static constexpr auto fields() {
    return std::tuple_cat(entry_fields<Switch>(), plug_fields<Switch>(), purchase_fields<Switch>());
  }
};

struct Nic : Entry, Plug, Purchase {
  static constexpr std::string_view kKind = "nic";
  std::int64_t ports = 1;
  Bandwidth port_bandwidth;
  Ratio efficiency{1.0};

  Bandwidth payload_bandwidth() const;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        entry_fields<Nic>(), plug_fields<Nic>(),
        std::tuple{key<Nic>("ports", &Nic::ports, "network ports in use").needed().between(1, 16),
                   key<Nic>("port_bandwidth", &Nic::port_bandwidth, "line rate of one port")
                       .needed()
                       .between(10_MBps, 1_TBps),
                   key<Nic>("efficiency", &Nic::efficiency, "payload over line rate")
                       .needed()
                       .between(1_percent, 100_percent)},
        purchase_fields<Nic>());
  }
};

struct Drive : Entry, Plug, Purchase {
  static constexpr std::string_view kKind = "drive";
  Bytes capacity;
  Bandwidth read_bandwidth;
  Bandwidth write_bandwidth;
  Rate read_rate;
  Seconds read_latency;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        entry_fields<Drive>(), plug_fields<Drive>(),
        std::tuple{
            key<Drive>("capacity", &Drive::capacity, "usable size").needed().between(1_GB, 1_PB),
            key<Drive>("read_bandwidth", &Drive::read_bandwidth, "sustained sequential read")
                .needed()
                .between(1_MBps, 200_GBps),
            key<Drive>("write_bandwidth", &Drive::write_bandwidth, "sustained sequential write")
                .needed()
                .between(1_MBps, 200_GBps),
            key<Drive>("read_rate", &Drive::read_rate, "most 4 KiB random reads per second")
                .needed()
                .between(10_per_s, 1e9_per_s),
            key<Drive>("read_latency", &Drive::read_latency, "4 KiB random read, queue depth 1")
                .needed()
                .between(1_us, 100_ms)},
        purchase_fields<Drive>());
  }
};

/// A shared store reached over the network, taken as a whole.
struct Array : Entry, Purchase {
  static constexpr std::string_view kKind = "array";
  Bytes capacity;
  Bandwidth read_bandwidth;
  Rate read_rate;
  Seconds read_latency;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        entry_fields<Array>(),
        std::tuple{
            key<Array>("capacity", &Array::capacity, "usable size").needed().between(1_GB, 1e4_PB),
            key<Array>("read_bandwidth", &Array::read_bandwidth, "most that all clients read")
                .needed()
                .between(1_MBps, 1e3_TBps),
            key<Array>("read_rate", &Array::read_rate, "most requests per second of all clients")
                .needed()
                .between(10_per_s, 1e10_per_s),
            key<Array>("read_latency", &Array::read_latency,
                       "of one small read, network round trip included")
                .needed()
                .between(1_us, 10_s)},
        purchase_fields<Array>());
  }
};

}  // namespace gpufeed
