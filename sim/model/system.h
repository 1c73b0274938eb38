// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/parts.h"

namespace gpufeed {

/// What every part of a machine has.
struct Part {
  std::string id;
  Location where;  ///< of the part's table
};

template <class T>
constexpr auto part_fields() {
  return std::tuple{key<T>("id", &Part::id, "name within the system").needed()};
}

/// A part that hangs on a socket or a switch. `link` and `lanes` describe the slot where it is
/// narrower or older than the product; the connection runs at the lesser of both.
struct Attachment {
  PartRef at;
  std::optional<Ref<Link>> link;
  std::optional<std::int64_t> lanes;
};

template <class T>
constexpr auto attachment_fields() {
  return std::tuple{
      key<T>("at", &Attachment::at, "the socket or switch it hangs on").needed(),
      key<T>("link", &Attachment::link, "the slot's kind of link; default: the product's"),
      key<T>("lanes", &Attachment::lanes, "the slot's lanes; default: the product's")
          .between(1, 64)};
}

struct Socket : Part {
  Ref<Cpu> model;
  Bytes memory;
  std::optional<Bandwidth> memory_bandwidth;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        part_fields<Socket>(),
        std::tuple{
            key<Socket>("model", &Socket::model, "the CPU").needed(),
            key<Socket>("memory", &Socket::memory, "installed memory of this socket")
                .needed()
                .between(1_GiB, 1_PB),
            key<Socket>("memory_bandwidth", &Socket::memory_bandwidth,
                        "peak of this socket's memory, where its modules are slower than the "
                        "CPU allows; default: the CPU's")
                .between(1_GBps, 10_TBps)});
  }
};

/// Links between two sockets, or NVLink bricks between two GPUs.
struct Connection {
  std::vector<PartRef> between;
  Ref<Link> link;
  std::int64_t count = 1;
  Location where;

  static constexpr auto fields() {
    return std::tuple{
        key<Connection>("between", &Connection::between, "the two ends").needed(),
        key<Connection>("link", &Connection::link, "kind of link").needed(),
        key<Connection>("count", &Connection::count, "links or bricks in parallel").between(1, 64)};
  }
};

/// A product in the machine.
template <class Product>
struct Device : Part, Attachment {
  Ref<Product> model;

  static constexpr auto fields() {
    return std::tuple_cat(part_fields<Device>(),
                          std::tuple{key<Device>("model", &Device::model, "the product").needed()},
                          attachment_fields<Device>());
  }
};

/// A GPU also says which board it is on, where GPUs share one.
template <>
struct Device<Gpu> : Part, Attachment {
  Ref<Gpu> model;
  std::string board;

  static constexpr auto fields() {
    return std::tuple_cat(part_fields<Device>(),
                          std::tuple{key<Device>("model", &Device::model, "the product").needed()},
                          attachment_fields<Device>(),
                          std::tuple{key<Device>(
                              "board", &Device::board,
                              "a name for the board it is on; GPUs of one board share its power")});
  }
};

/// GPUs joined by NVSwitches: every GPU reaches every other at the full rate of its own links.
struct NvSwitch : Part {
  std::vector<PartRef> gpus;
  Ref<Link> link;
  std::int64_t count = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        part_fields<NvSwitch>(),
        std::tuple{
            key<NvSwitch>("gpus", &NvSwitch::gpus, "GPU ids; \"gpu*\" matches many").needed(),
            key<NvSwitch>("link", &NvSwitch::link, "kind of link").needed(),
            key<NvSwitch>("count", &NvSwitch::count, "links of one GPU").between(1, 64)});
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

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        part_fields<Volume>(),
        std::tuple{
            key<Volume>("drives", &Volume::drives, "drive ids; \"ssd*\" matches many").needed(),
            key<Volume>("layout", &Volume::layout, "how data lie on the drives"),
            key<Volume>("stripe_unit", &Volume::stripe_unit, "bytes on one drive before the next")
                .between(4_kB, 1_GB)});
  }
};

/// A machine as a parts list: who hangs on whom.
struct System : Entry, Purchase {
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
  bool peer_to_peer = true;
  Bytes reserved_memory{8589934592.0};
  PageReclaim page_reclaim = PageReclaim::two_list;
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        entry_fields<System>(), purchase_fields<System>(),
        std::tuple{key<System>("socket", &System::sockets, "CPUs; one at least"),
                   key<System>("socket_link", &System::socket_links, "links between CPUs"),
                   key<System>("switch", &System::switches, "PCIe switches"),
                   key<System>("gpu", &System::gpus, "GPUs; training needs one"),
                   key<System>("nvlink", &System::nvlinks, "NVLink between GPUs"),
                   key<System>("nvswitch", &System::nvswitches, "GPUs joined by NVSwitches"),
                   key<System>("nic", &System::nics, "network cards"),
                   key<System>("drive", &System::drives, "drives"),
                   key<System>("volume", &System::volumes, "drives used together"),
                   key<System>("power_supply", &System::power_supply,
                               "what the power supplies deliver together; default: unknown")
                       .between(10_W, 1e7_W),
                   key<System>("peer_to_peer", &System::peer_to_peer,
                               "whether GPUs reach one another's memory; false: copies and "
                               "gradients between them pass host memory"),
                   key<System>("reserved_memory", &System::reserved_memory,
                               "memory that the operating system and other programs hold")
                       .between(0_B, 1_PB),
                   key<System>("page_reclaim", &System::page_reclaim,
                               "how its Linux frees memory: mglru where "
                               "/sys/kernel/mm/lru_gen/enabled is not 0x0000")});
  }
};

}  // namespace gpufeed
