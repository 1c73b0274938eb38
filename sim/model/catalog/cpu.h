// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/catalog/link.h"

namespace gpufeed {

/// A generation of memory modules (DDR4-3200 RDIMM, ...). Price and power are of one module of
/// `priced_module`; other sizes cost and draw in proportion.
/// Which modules fit the same sockets.
enum class MemoryFamily { ddr3, ddr4, ddr5, mrdimm, lpddr5x, other };
template <>
struct EnumNames<MemoryFamily> {
  static constexpr std::array<std::string_view, 6> names{"ddr3",   "ddr4",    "ddr5",
                                                         "mrdimm", "lpddr5x", "other"};
};

struct Memory : Entry, Purchase {
  static constexpr std::string_view kKind = "memory";
  MemoryFamily family = MemoryFamily::other;
  Bandwidth channel_bandwidth;
  std::vector<Bytes> modules;
  Bytes priced_module;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("family", &Memory::family, "which modules fit the same sockets"));
    visit(key("channel_bandwidth", &Memory::channel_bandwidth,
              "peak of one channel: 8 B x transfer rate")
              .needed()
              .between(1_GBps, 1_TBps));
    visit(key("modules", &Memory::modules, "sizes in which modules are sold").needed());
    visit(key("priced_module", &Memory::priced_module, "the size whose price and power are given")
              .needed()
              .between(1_GiB, 1_TB));
    purchase_fields(visit);
  }
};

struct Cpu : Entry, Purchase {
  static constexpr std::string_view kKind = "cpu";
  std::int64_t cores = 1;
  Bandwidth memory_bandwidth;
  Ratio memory_efficiency{1.0};
  Ratio staged_copy_efficiency{1.0};
  std::int64_t threads_per_core = 1;
  std::optional<Ratio> smt_speedup;
  std::optional<Ratio> all_core_speed;
  std::optional<Ratio> core_speed;
  std::optional<Bandwidth> core_copy_bandwidth;
  std::optional<Bandwidth> cache_fill_bandwidth;
  std::optional<Bandwidth> cache_evict_bandwidth;
  std::optional<Bandwidth> thread_read_bandwidth;
  std::optional<Bandwidth> thread_gpudirect_bandwidth;
  std::optional<Ratio> peer_to_peer_efficiency;
  std::optional<Bandwidth> remote_dma_read;
  std::optional<Bandwidth> remote_dma_write;
  std::optional<Bandwidth> remote_core_read;
  std::optional<std::int64_t> pcie_lanes;
  std::optional<Ref<Link>> socket_link;
  std::optional<std::int64_t> socket_links;
  std::optional<std::string> socket;
  std::optional<Ref<Memory>> memory;
  std::optional<std::int64_t> memory_channels;
  std::optional<Bytes> largest_memory;

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
    visit(key("core_speed", &Cpu::core_speed,
              "speed of a core that works alone, over one of a Xeon Platinum 8480+: what "
              "was measured on another CPU that says its own (measured_on) takes as much less or "
              "more time here; default: not known, and it takes as long")
              .between(5_percent, 1000_percent));
    visit(key("core_copy_bandwidth", &Cpu::core_copy_bandwidth,
              "at which one core copies from the page cache; default: takes no time")
              .between(100_MBps, 1_TBps));
    visit(key("cache_fill_bandwidth", &Cpu::cache_fill_bandwidth,
              "at which one core finds pages for what it reads from drives, and puts them into the "
              "page cache, copying out besides; default: takes no time")
              .between(100_MBps, 1_TBps));
    visit(key("cache_evict_bandwidth", &Cpu::cache_evict_bandwidth,
              "at which one core throws other pages out for them, where the page cache is full; "
              "default: takes no time")
              .between(100_MBps, 1_TBps));
    visit(key("thread_read_bandwidth", &Cpu::thread_read_bandwidth,
              "most that one thread reads from storage into memory; default: no "
              "limit of its own")
              .between(10_MBps, 1_TBps));
    visit(key("thread_gpudirect_bandwidth", &Cpu::thread_gpudirect_bandwidth,
              "most that one thread reads from storage straight into a GPU; "
              "default: no limit of its own")
              .between(10_MBps, 1_TBps));
    visit(key("peer_to_peer_efficiency", &Cpu::peer_to_peer_efficiency,
              "of the raw rate of a GPU's slot, what drives and network cards in other slots write "
              "into it (GPUDirect); default: as copies from memory")
              .between(10_percent, 100_percent));
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
    visit(key("socket", &Cpu::socket, "the socket it fits: sp5, lga4677, ...; default: not known"));
    visit(key("memory", &Cpu::memory, "the fastest memory modules it takes; default: not known"));
    visit(key("memory_channels", &Cpu::memory_channels, "of one socket; default: not known")
              .between(1, 64));
    visit(
        key("largest_memory", &Cpu::largest_memory, "most memory of one socket; default: not known")
            .between(1_GiB, 1_PB));
    purchase_fields(visit);
  }
};

}  // namespace gpufeed
