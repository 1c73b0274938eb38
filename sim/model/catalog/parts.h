// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/catalog/drive_law.h"
#include "sim/model/fields/entry.h"

namespace gpufeed {

/// A kind of bus or link: one lane of PCIe, one brick of NVLink, one QPI link, one SATA port.
/// Payload rate of a connection = raw_bandwidth x lanes x efficiency. Copies to and from GPUs reach
/// less than their packets allow; drives, which move whole packets by themselves, just that:
/// packet_payload / (packet_payload + packet_overhead).
struct Link : Entry {
  static constexpr std::string_view kKind = "link";
  Bandwidth raw_bandwidth;
  Ratio efficiency{1.0};
  std::optional<Ratio> efficiency_from_device;
  std::optional<Ratio> ring_efficiency;
  std::optional<Ratio> duplex;
  std::optional<Bytes> packet_payload;
  Bytes packet_overhead;
  Seconds latency;
  std::int64_t cpu_lanes = 0;

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
};

template <class Visit>
constexpr void plug_fields(Visit&& visit) {
  visit(key("link", &Plug::link, "kind of link it plugs into").needed());
  visit(key("lanes", &Plug::lanes, "lanes, bricks or ports it uses").needed().between(1, 64));
}

struct Cpu : Entry, Purchase {
  static constexpr std::string_view kKind = "cpu";
  std::int64_t cores = 1;
  Bandwidth memory_bandwidth;
  Ratio memory_efficiency{1.0};
  Ratio staged_copy_efficiency{1.0};
  std::int64_t threads_per_core = 1;
  std::optional<Ratio> smt_speedup;
  std::optional<Ratio> all_core_speed;
  std::optional<Bandwidth> core_copy_bandwidth;
  std::optional<Bandwidth> thread_read_bandwidth;
  std::optional<Bandwidth> thread_gpudirect_bandwidth;
  std::optional<Bandwidth> remote_dma_read;
  std::optional<Bandwidth> remote_dma_write;
  std::optional<Bandwidth> remote_core_read;
  std::optional<std::int64_t> pcie_lanes;
  std::optional<Ref<Link>> socket_link;
  std::optional<std::int64_t> socket_links;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("cores", &Cpu::cores, "physical cores").needed().between(1, 1024));
    visit(key("memory_bandwidth", &Cpu::memory_bandwidth,
              "peak of one socket's memory: channels x 8 B x transfer rate")
              .needed()
              .between(1_GBps, 10_TBps));
    visit(
        key("memory_efficiency", &Cpu::memory_efficiency, "part of the peak that real copies reach")
            .needed()
            .between(1_percent, 100_percent));
    visit(key("staged_copy_efficiency", &Cpu::staged_copy_efficiency,
              "rate of GPU-to-GPU copies through this host's memory, one or all that share a "
              "link, over the rate of a host-to-GPU copy")
              .needed()
              .between(1_percent, 100_percent));
    visit(key("threads_per_core", &Cpu::threads_per_core, "hardware threads of a core (SMT)")
              .between(1, 8));
    visit(key("smt_speedup", &Cpu::smt_speedup,
              "work of a core with all its threads busy, over that with one; "
              "default: further threads add nothing")
              .between(100_percent, 400_percent));
    visit(key("all_core_speed", &Cpu::all_core_speed,
              "speed of a core with all cores at work, over that of one that works alone: "
              "clocks fall in between evenly; default: they do not fall")
              .between(10_percent, 100_percent));
    visit(key("core_copy_bandwidth", &Cpu::core_copy_bandwidth,
              "at which one core copies from the page cache; default: takes no time")
              .between(100_MBps, 1_TBps));
    visit(key("thread_read_bandwidth", &Cpu::thread_read_bandwidth,
              "most that one thread reads from storage into memory; default: no "
              "limit of its own")
              .between(10_MBps, 1_TBps));
    visit(key("thread_gpudirect_bandwidth", &Cpu::thread_gpudirect_bandwidth,
              "most that one thread reads from storage straight into a GPU; "
              "default: no limit of its own")
              .between(10_MBps, 1_TBps));
    visit(key("remote_dma_read", &Cpu::remote_dma_read,
              "most that devices of another socket read of this one's memory; "
              "default: what the socket link carries")
              .between(100_MBps, 10_TBps));
    visit(key("remote_dma_write", &Cpu::remote_dma_write,
              "most that devices of another socket write into this one's memory; "
              "default: what the socket link carries")
              .between(100_MBps, 10_TBps));
    visit(key("remote_core_read", &Cpu::remote_core_read,
              "most that cores of another socket read of this one's memory; "
              "default: what the socket link carries")
              .between(100_MBps, 10_TBps));
    visit(key("pcie_lanes", &Cpu::pcie_lanes,
              "PCIe lanes of one socket; some links between sockets take of them (cpu_lanes)")
              .between(1, 1024));
    visit(key("socket_link", &Cpu::socket_link,
              "its kind of link to another socket, which a machine has whose CPUs are replaced by "
              "it"));
    visit(key("socket_links", &Cpu::socket_links, "how many of them it has; default: not known")
              .between(0, 16));
    purchase_fields(visit);
  }
};

/// card: in a PCIe slot. module: on a board of its kind (SXM, OAM), where NVSwitches may join it to
/// others.
enum class GpuForm { card, module };
template <>
struct EnumNames<GpuForm> {
  static constexpr std::array<std::string_view, 2> names{"card", "module"};
};

/// One GPU as the driver shows it: of a board with several dies, one die.
struct Gpu : Entry, Plug, Purchase {
  static constexpr std::string_view kKind = "gpu";
  Bytes memory;
  std::optional<Bandwidth> memory_bandwidth;
  std::optional<FlopRate> peak_fp64;
  std::optional<FlopRate> peak_fp32;
  std::optional<FlopRate> peak_tf32;
  std::optional<FlopRate> peak_fp16;
  std::optional<FlopRate> peak_bf16;
  std::optional<FlopRate> peak_fp8;
  std::int64_t dies_per_board = 1;
  Ratio shared_power_factor{1.0};
  std::optional<GpuForm> form;
  std::optional<Ref<Link>> nvlink;
  std::optional<std::int64_t> nvlinks;

  static constexpr auto peak(std::string_view name, std::optional<FlopRate> Gpu::*member,
                             std::string_view help) {
    using namespace literals;
    return key<Gpu>(name, member, help).between(0.001_TFLOPps, 1e6_TFLOPps);
  }

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    plug_fields(visit);
    visit(key("memory", &Gpu::memory, "device memory").needed().between(1_GB, 10_TB));
    visit(key("memory_bandwidth", &Gpu::memory_bandwidth,
              "peak of its memory; default: estimates count computing alone")
              .between(1_GBps, 1e3_TBps));
    visit(peak("peak_fp64", &Gpu::peak_fp64, "peak computing rate in fp64"));
    visit(peak("peak_fp32", &Gpu::peak_fp32, "peak computing rate in fp32"));
    visit(peak("peak_tf32", &Gpu::peak_tf32, "the same in tf32"));
    visit(peak("peak_fp16", &Gpu::peak_fp16,
               "the same in fp16, dense, on matrix units where it has them"));
    visit(peak("peak_bf16", &Gpu::peak_bf16, "the same in bf16, dense"));
    visit(peak("peak_fp8", &Gpu::peak_fp8, "the same in fp8, dense"));
    visit(key("dies_per_board", &Gpu::dies_per_board,
              "GPUs that share a board and its power; each says in the system which "
              "board it is on")
              .between(1, 16));
    visit(key("shared_power_factor", &Gpu::shared_power_factor,
              "speed while another GPU of its board works, over its speed alone")
              .between(10_percent, 100_percent));
    visit(key("form", &Gpu::form, "how it is built in; default: not known"));
    visit(key("nvlink", &Gpu::nvlink,
              "its kind of link to other GPUs, which a machine has whose GPUs are replaced by it"));
    visit(key("nvlinks", &Gpu::nvlinks, "how many of them it has; default: not known")
              .between(0, 64));
    purchase_fields(visit);
  }
};

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

struct Nic : Entry, Plug, Purchase {
  static constexpr std::string_view kKind = "nic";
  std::int64_t ports = 1;
  Bandwidth port_bandwidth;
  Ratio efficiency{1.0};

  Bandwidth payload_bandwidth() const;

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
    purchase_fields(visit);
  }
};

/// What a drive stores on: flash serves many requests at once, a disk's head one after another.
enum class Medium { flash, disk };
template <>
struct EnumNames<Medium> {
  static constexpr std::array<std::string_view, 2> names{"flash", "disk"};
};

/// How many writes a drive is built for.
enum class Endurance { read_intensive, mixed_use, write_intensive };
template <>
struct EnumNames<Endurance> {
  static constexpr std::array<std::string_view, 3> names{"read-intensive", "mixed-use",
                                                         "write-intensive"};
};

struct Drive : Entry, Plug, Purchase {
  static constexpr std::string_view kKind = "drive";
  Medium medium = Medium::flash;
  Bytes capacity;
  Bandwidth read_bandwidth;
  Bandwidth write_bandwidth;
  Rate read_rate;
  Seconds read_latency;
  std::optional<Rate> write_rate;
  std::optional<Seconds> write_latency;
  std::optional<Bandwidth> request_bandwidth;
  Bytes largest_request{131072};
  std::optional<Ratio> sharpness;
  std::optional<Bandwidth> write_request_bandwidth;
  std::optional<Bytes> write_largest_request;
  std::optional<Ratio> write_sharpness;
  Ratio file_efficiency{1.0};
  std::optional<Endurance> endurance_class;
  std::optional<Bytes> endurance;

  DriveLaw read_law() const;
  DriveLaw write_law() const;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("link", &Plug::link,
              "kind of link it plugs into; default: none that limits it (a virtual disk, a network "
              "volume)"));
    visit(key("lanes", &Plug::lanes, "lanes or ports of the link that it uses").between(1, 64));
    visit(key("capacity", &Drive::capacity, "usable size").needed().between(1_GB, 1_PB));
    visit(key("read_bandwidth", &Drive::read_bandwidth, "sustained sequential read")
              .needed()
              .between(1_MBps, 200_GBps));
    visit(key("write_bandwidth", &Drive::write_bandwidth, "sustained sequential write")
              .needed()
              .between(1_MBps, 200_GBps));
    visit(
        key("read_rate", &Drive::read_rate, "most 4 KiB random reads per second (random-read IOPS)")
            .needed()
            .between(10_per_s, 1e9_per_s));
    visit(key("read_latency", &Drive::read_latency, "4 KiB random read, queue depth 1")
              .needed()
              .between(1_us, 100_ms));
    visit(key("medium", &Drive::medium, "what it stores on"));
    visit(key("write_rate", &Drive::write_rate,
              "most 4 KiB random writes per second (random-write IOPS); default: read_rate")
              .between(10_per_s, 1e9_per_s));
    visit(key("write_latency", &Drive::write_latency,
              "4 KiB random write, queue depth 1; default: read_latency")
              .between(1_us, 100_ms));
    visit(key("request_bandwidth", &Drive::request_bandwidth,
              "at which the bytes of one request move when it is alone; default: "
              "read_bandwidth, write_bandwidth")
              .between(1_MBps, 200_GBps));
    visit(
        key("largest_request", &Drive::largest_request, "the drive sees larger requests as several")
            .between(4_kB, 1_GB));
    visit(key("sharpness", &Drive::sharpness,
              "how sharply its limits meet (p of the drive law): 400 % where many requests "
              "are served at once, 100 % where one after the other; default: by medium")
              .between(100_percent, 2000_percent));
    visit(key("write_request_bandwidth", &Drive::write_request_bandwidth,
              "request_bandwidth of writes; default: as request_bandwidth says")
              .between(1_MBps, 200_GBps));
    visit(key("write_largest_request", &Drive::write_largest_request,
              "largest_request of writes; default: largest_request")
              .between(4_kB, 1_GB));
    visit(key("write_sharpness", &Drive::write_sharpness,
              "sharpness of writes; default: as sharpness says")
              .between(100_percent, 2000_percent));
    visit(key("file_efficiency", &Drive::file_efficiency,
              "part of read_bandwidth that many readers of whole files attain")
              .between(10_percent, 100_percent));
    visit(key("endurance_class", &Drive::endurance_class, "what it is sold for"));
    visit(key("endurance", &Drive::endurance, "bytes that may be written over its life")
              .between(1_TB, 1e3_PB));
    purchase_fields(visit);
  }
};

/// A shared store reached over the network, taken as a whole.
struct Array : Entry, Purchase {
  static constexpr std::string_view kKind = "array";
  Bytes capacity;
  Bandwidth read_bandwidth;
  Rate read_rate;
  Seconds read_latency;
  std::optional<Bandwidth> write_bandwidth;
  std::optional<std::int64_t> blades;
  std::optional<std::int64_t> most_blades;
  std::optional<Bandwidth> front_end_bandwidth;
  std::optional<Rate> metadata_rate;
  std::optional<Bandwidth> stripe_bandwidth;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("capacity", &Array::capacity, "usable size").needed().between(1_GB, 1e4_PB));
    visit(key("read_bandwidth", &Array::read_bandwidth, "most that all clients read")
              .needed()
              .between(1_MBps, 1e3_TBps));
    visit(key("read_rate", &Array::read_rate, "most requests per second of all clients (IOPS)")
              .needed()
              .between(10_per_s, 1e10_per_s));
    visit(
        key("read_latency", &Array::read_latency, "of one small read, network round trip included")
            .needed()
            .between(1_us, 10_s));
    visit(key("write_bandwidth", &Array::write_bandwidth,
              "most that all clients write; default: unknown")
              .between(1_MBps, 1e3_TBps));
    visit(key("blades", &Array::blades,
              "blades, nodes or controllers that the figures are for; a scenario may "
              "then ask for another number of them")
              .between(1, 100000));
    visit(key("most_blades", &Array::most_blades, "how many it takes").between(1, 100000));
    visit(key("front_end_bandwidth", &Array::front_end_bandwidth,
              "of all its network ports, however many blades there are")
              .between(10_MBps, 1e3_TBps));
    visit(
        key("metadata_rate", &Array::metadata_rate, "most files opened per second, of all clients")
            .between(10_per_s, 1e10_per_s));
    visit(key("stripe_bandwidth", &Array::stripe_bandwidth,
              "most that one storage target gives: a file on few targets is slower")
              .between(1_MBps, 1e3_TBps));
    purchase_fields(visit);
  }
};

/// How a client speaks to a store: NFS, SMB, S3, HDFS, Lustre, NVMe over TCP or RDMA.
struct Protocol : Entry {
  static constexpr std::string_view kKind = "protocol";
  std::optional<Bandwidth> connection_bandwidth;
  std::optional<Bandwidth> core_bandwidth;
  Seconds request_latency;
  std::optional<Bytes> largest_request;
  std::int64_t connections = 1;
  Ratio share_deviation{0.0};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("connection_bandwidth", &Protocol::connection_bandwidth,
              "most that one connection or thread carries; default: no limit")
              .between(1_MBps, 1_TBps));
    visit(key("core_bandwidth", &Protocol::core_bandwidth,
              "bytes per second that one client core moves; default: takes no core")
              .between(1_MBps, 1_TBps));
    visit(key("request_latency", &Protocol::request_latency,
              "added to the array's own latency of each request")
              .between(0_s, 10_s));
    visit(key("largest_request", &Protocol::largest_request,
              "largest read of one request; default: as the reader asks")
              .between(4_kB, 1_TB));
    visit(key("connections", &Protocol::connections,
              "connections of one client where the scenario says nothing")
              .between(1, 100000));
    visit(key("share_deviation", &Protocol::share_deviation,
              "how unevenly readers share a busy store: standard deviation of the "
              "logarithm of their shares")
              .between(0_percent, 100_percent));
  }
};

}  // namespace gpufeed
