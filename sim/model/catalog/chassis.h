// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/catalog/system.h"

namespace gpufeed {

/// module: a place on a GPU board. card: a PCIe slot. ocp: a slot for an OCP 3.0 network card.
/// onboard: for what the main board carries. bay: for a drive.
enum class SlotKind { module, card, ocp, onboard, bay };
template <>
struct EnumNames<SlotKind> {
  static constexpr std::array<std::string_view, 5> names{"module", "card", "ocp", "onboard", "bay"};
};

/// Slots that are alike. The first is at the first place of `at`, the second at the second, and so
/// on around: in this order a vendor fills them.
struct Slot : Part {
  SlotKind takes = SlotKind::card;
  std::int64_t count = 1;
  std::vector<PartRef> at;
  std::optional<Ref<Link>> link;
  std::optional<std::int64_t> lanes;
  std::optional<std::int64_t> shared_lanes;
  std::int64_t width = 1;
  std::string board;
  std::vector<DriveForm> forms;
  bool together = false;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    part_fields(visit);
    visit(key("takes", &Slot::takes, "what goes in").needed());
    visit(key("count", &Slot::count, "how many there are").between(1, 1024));
    visit(key("at", &Slot::at, "sockets or switches, in the order in which slots are filled")
              .needed());
    visit(key("link", &Slot::link, "kind of link; default: that of what goes in"));
    visit(
        key("lanes", &Slot::lanes, "lanes of one; default: those of what goes in").between(1, 64));
    visit(key("shared_lanes", &Slot::shared_lanes,
              "lanes that those in use share evenly; default: each has its own")
              .between(1, 256));
    visit(key("width", &Slot::width, "of a PCIe slot: how many slots a card in it may cover")
              .between(1, 5));
    visit(key("board", &Slot::board, "of modules: the board's kind: sxm5, oam, ..."));
    visit(key("forms", &Slot::forms, "of bays: the drives that fit"));
    visit(key("together", &Slot::together, "whether all are filled or none"));
  }
};

/// A server as it is sold: what fits where. A machine is made of it and of parts by
/// sim/load/chassis. Price is that of the empty chassis; cpu, memory, gpu, drives, nics are what it
/// comes with unless the buyer says otherwise, each as `"8 x NAME"`.
struct Chassis : Entry, Purchase {
  static constexpr std::string_view kKind = "chassis";
  std::string socket;
  std::int64_t sockets = 1;
  std::optional<Ref<Link>> socket_link;
  std::int64_t socket_links = 0;
  std::optional<std::int64_t> memory_slots;
  std::vector<Device<Switch>> switches;
  std::vector<Slot> slots;
  std::int64_t mesh = 0;
  std::vector<Connection> nvlinks;
  std::vector<NvSwitch> nvswitches;
  std::optional<Power> power_supply;
  bool peer_to_peer = true;
  std::vector<PartRef> cpu;
  std::vector<PartRef> memory;
  std::vector<PartRef> gpu;
  std::vector<PartRef> drives;
  std::vector<PartRef> nics;
  std::string sold_as;

  Chassis();
  Chassis(const Chassis&);
  Chassis(Chassis&&) noexcept;
  Chassis& operator=(const Chassis&);
  Chassis& operator=(Chassis&&) noexcept;
  ~Chassis();

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    purchase_fields(visit);
    visit(key("socket", &Chassis::socket, "for CPUs: sp5, lga4677, ...").needed());
    visit(key("sockets", &Chassis::sockets, "how many").needed().between(1, 8));
    visit(key("socket_links", &Chassis::socket_links, "links between two sockets").between(0, 16));
    visit(
        key("socket_link", &Chassis::socket_link, "their kind, where a CPU does not say its own"));
    visit(key("memory_slots", &Chassis::memory_slots, "of one socket; default: not known")
              .between(1, 64));
    visit(key("switch", &Chassis::switches, "PCIe switches; sockets are cpu0, cpu1, ..."));
    visit(key("slot", &Chassis::slots, "slots and bays").needed());
    visit(key("mesh", &Chassis::mesh, "links between every two GPUs; 0: none").between(0, 64));
    visit(key("nvlink", &Chassis::nvlinks, "links between GPUs, which are gpu0, gpu1, ..."));
    visit(key("nvswitch", &Chassis::nvswitches, "GPUs joined by NVSwitches"));
    visit(key("power_supply", &Chassis::power_supply,
              "what the power supplies deliver together; default: unknown")
              .between(10_W, 1e7_W));
    visit(
        key("peer_to_peer", &Chassis::peer_to_peer, "whether its GPUs reach one another's memory"));
    visit(key("cpu", &Chassis::cpu, "CPUs it comes with: [\"2 x NAME\"]; default: the buyer's"));
    visit(key("memory", &Chassis::memory,
              "memory it comes with: [\"2 TB\"] or [\"16 x 64 GB\"]; default: the buyer's"));
    visit(key("gpu", &Chassis::gpu, "GPUs it comes with; default: none"));
    visit(key("drives", &Chassis::drives, "drives it comes with; default: none"));
    visit(key("nics", &Chassis::nics, "network cards it comes with; default: none"));
    visit(key("sold_as", &Chassis::sold_as,
              "the machine of the catalog that it is sold as, with the parts it comes with: price "
              "and power of a machine made of it are that one's, but for parts that differ"));
  }
};

}  // namespace gpufeed
