// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/catalog/parts.h"

namespace gpufeed {

/// What every part of a machine has.
struct Part {
  Label id;
  Location where;  ///< of the part's table
};

template <class Visit>
constexpr void part_fields(Visit&& visit) {
  visit(key("id", &Part::id, "name within the system").needed());
}

/// A part that hangs on a socket or a switch. `link` and `lanes` describe the slot where it is
/// narrower or older than the product; the connection runs at the lesser of both.
struct Attachment {
  PartRef at;
  std::optional<Ref<Link>> link;
  std::optional<std::int64_t> lanes;
};

template <class Visit>
constexpr void attachment_fields(Visit&& visit) {
  visit(key("at", &Attachment::at, "the socket or switch it hangs on").needed());
  visit(key("link", &Attachment::link, "the slot's kind of link; default: the product's"));
  visit(
      key("lanes", &Attachment::lanes, "the slot's lanes; default: the product's").between(1, 64));
}

struct Socket : Part {
  Ref<Cpu> model;
  Bytes memory;
  std::optional<Bandwidth> memory_bandwidth;
  std::optional<Ref<Memory>> memory_kind;
  std::optional<std::int64_t> modules;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    part_fields(visit);
    visit(key("model", &Socket::model, "the CPU").needed());
    visit(key("memory", &Socket::memory, "installed memory of this socket")
              .needed()
              .between(1_GiB, 1_PB));
    visit(key("memory_bandwidth", &Socket::memory_bandwidth,
              "peak of this socket's memory, where its modules are slower than the "
              "CPU allows; default: the CPU's")
              .between(1_GBps, 10_TBps));
    visit(key("memory_kind", &Socket::memory_kind, "the modules in it; default: not known"));
    visit(key("modules", &Socket::modules, "how many of them, all alike; default: not known")
              .between(1, 1024));
  }
};

/// Links between two sockets, or NVLink bricks between two GPUs.
struct Connection {
  std::vector<PartRef> between;
  Ref<Link> link;
  std::int64_t count = 1;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("between", &Connection::between, "the two ends").needed());
    visit(key("link", &Connection::link, "kind of link").needed());
    visit(key("count", &Connection::count, "links or bricks in parallel").between(1, 64));
  }
};

/// A product in the machine.
template <class Product>
struct Device : Part, Attachment {
  Ref<Product> model;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    part_fields(visit);
    visit(key("model", &Device::model, "the product").needed());
    attachment_fields(visit);
  }
};

/// A GPU also says which board it is on, where GPUs share one.
template <>
struct Device<Gpu> : Part, Attachment {
  Ref<Gpu> model;
  std::string board;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    part_fields(visit);
    visit(key("model", &Device::model, "the product").needed());
    attachment_fields(visit);
    visit(key("board", &Device::board,
              "a name for the board it is on; GPUs of one board share its power"));
  }
};

/// GPUs joined by NVSwitches: every GPU reaches every other at the full rate of its own links.
struct NvSwitch : Part {
  std::vector<PartRef> gpus;
  Ref<Link> link;
  std::int64_t count = 1;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    part_fields(visit);
    visit(key("gpus", &NvSwitch::gpus, "GPU ids; \"gpu*\" matches many").needed());
    visit(key("link", &NvSwitch::link, "kind of link").needed());
    visit(key("count", &NvSwitch::count, "links of one GPU").between(1, 64));
  }
};

/// How the data lie on the drives of a volume: striped (RAID 0), with copies or parity, or whole
/// files on single drives.
enum class Layout { raid0, raid1, raid5, raid6, raid10, files };
template <>
struct EnumNames<Layout> {
  static constexpr std::array<std::string_view, 6> names{"raid0", "raid1",  "raid5",
                                                         "raid6", "raid10", "files"};
};

/// Which of Linux's two page reclaim algorithms runs: the active and inactive lists, or the
/// multi-generational LRU (/sys/kernel/mm/lru_gen/enabled is not 0x0000).
enum class PageReclaim { two_list, mglru };
template <>
struct EnumNames<PageReclaim> {
  static constexpr std::array<std::string_view, 2> names{"two-list", "mglru"};
};

struct Volume : Part {
  std::vector<PartRef> drives;
  Layout layout = Layout::raid0;
  Bytes stripe_unit{524288};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    part_fields(visit);
    visit(key("drives", &Volume::drives, "drive ids; \"ssd*\" matches many").needed());
    visit(key("layout", &Volume::layout, "how data lie on the drives"));
    visit(key("stripe_unit", &Volume::stripe_unit, "bytes on one drive before the next")
              .between(4_kB, 1_GB));
  }
};

struct Chassis;  // sim/model/catalog/chassis.h

/// A machine as a parts list: who hangs on whom. One that was made of a chassis and parts
/// (sim/load/chassis) says which chassis that was.
struct System : Entry, Purchase, Breaks {
  static constexpr std::string_view kKind = "system";
  std::vector<Socket> sockets;
  std::vector<Connection> socket_links;
  std::vector<Device<Switch>> switches;
  std::vector<Device<Gpu>> gpus;
  std::vector<Connection> nvlinks;
  std::vector<NvSwitch> nvswitches;
  std::vector<Device<Nic>> nics;
  std::vector<Device<Drive>> drives;
  std::vector<Volume> volumes;
  std::optional<Power> power_supply;
  std::optional<Money> rent_per_hour;
  std::optional<std::int64_t> rent_year;
  bool peer_to_peer = true;
  Bytes reserved_memory{8589934592.0};
  Ratio pages_apart{1.0};
  PageReclaim page_reclaim = PageReclaim::two_list;
  std::optional<Ref<Chassis>> chassis;
  std::vector<std::string> doubts;
  Location where;

  /// Whether its GPUs reach one another's memory: platform and GPUs must both let them.
  bool lets_gpus_reach() const;

  // What the compiler writes for so many members is written once, in system.cpp.
  System();
  System(const System&);
  System(System&&) noexcept;
  System& operator=(const System&);
  System& operator=(System&&) noexcept;
  ~System();

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    purchase_fields(visit);
    breaks_fields(visit);
    visit(key("socket", &System::sockets, "CPUs; one at least"));
    visit(key("socket_link", &System::socket_links, "links between CPUs (UPI, QPI, xGMI)"));
    visit(key("switch", &System::switches, "PCIe switches"));
    visit(key("gpu", &System::gpus, "GPUs; training needs one"));
    visit(key("nvlink", &System::nvlinks, "NVLink between GPUs"));
    visit(key("nvswitch", &System::nvswitches, "GPUs joined by NVSwitches"));
    visit(key("nic", &System::nics, "network cards"));
    visit(key("drive", &System::drives, "drives"));
    visit(key("volume", &System::volumes, "drives used together"));
    visit(key("power_supply", &System::power_supply,
              "what the power supplies deliver together; default: unknown")
              .between(10_W, 1e7_W));
    visit(key("rent_per_hour", &System::rent_per_hour,
              "of one, on demand, where it is rented; needs rent_year")
              .between(0_USD, 1000000_USD));
    visit(key("rent_year", &System::rent_year, "year of the rent").between(1990, 2100));
    visit(key("peer_to_peer", &System::peer_to_peer,
              "whether GPUs reach one another's memory; false: copies and "
              "gradients between them pass host memory"));
    visit(key("reserved_memory", &System::reserved_memory,
              "memory that the operating system and other programs hold")
              .between(0_B, 1_PB));
    visit(key("pages_apart", &System::pages_apart,
              "of the page cache's pages of 4 KiB, once it is full and its memory is used again, "
              "those that do not lie behind the one before in memory; drives with a page_time look "
              "each up; default: all")
              .between(0_percent, 100_percent));
    visit(key("page_reclaim", &System::page_reclaim,
              "how its Linux frees memory: mglru where "
              "/sys/kernel/mm/lru_gen/enabled is not 0x0000"));
    visit(key("chassis", &System::chassis,
              "what its parts are in; without any [[socket]], the machine is made of it and of "
              "cpu, memory, gpu, drives, nics"));
    visit(key("doubts", &System::doubts,
              "what of it may not fit, as far as is known; shown as warnings"));
  }
};

}  // namespace gpufeed
