// SPDX-License-Identifier: Apache-2.0
#include "sim/model/storage/server_parts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace gpufeed {
namespace {

/// Into a part and out of it.
struct Slot {
  Bandwidth in, out;
};

std::optional<Slot> slot_of(const Plug& plug, const Attachment& device) {
  if (!plug.link) return {};
  const auto lanes = std::min(plug.lanes, device.lanes.value_or(plug.lanes));
  Slot slot{plug.link->to_device(lanes), plug.link->from_device(lanes)};
  if (device.link && *device.link) {
    slot.in = std::min(slot.in, (*device.link)->to_device(lanes));
    slot.out = std::min(slot.out, (*device.link)->from_device(lanes));
  }
  return slot;
}

/// Sums what parts move up to the root, no more than the switches above them pass on.
class Uplinks {
 public:
  explicit Uplinks(const System& server) : server_(server) {}

  void add(const Attachment& device, Bandwidth in, Bandwidth out) {
    if (!device.at.is(PartKind::pcie_switch)) {
      in_ += in;
      out_ += out;
      return;
    }
    auto& below = below_[device.at.part->number];
    below.in += in;
    below.out += out;
  }

  /// A switch may hang below another, which the list has before it or after it.
  Slot total() {
    for (std::size_t hops = 0; !below_.empty() && hops <= server_.switches.size(); ++hops) {
      const auto now = std::exchange(below_, {});
      for (const auto& [number, sum] : now) {
        const auto& part = server_.switches.at(number);
        const auto slot = slot_of(*part.model, part);
        add(part, slot ? std::min(sum.in, slot->in) : sum.in,
            slot ? std::min(sum.out, slot->out) : sum.out);
      }
    }
    return {in_, out_};
  }

 private:
  const System& server_;
  std::map<std::size_t, Slot> below_;
  Bandwidth in_, out_;
};

}  // namespace

ServerParts parts_of_server(const System& server) {
  ServerParts parts;
  Slot media;
  Uplinks drives(server);
  for (const auto& part : server.drives) {
    const Drive& drive = *part.model;
    const auto slot = slot_of(drive, part);
    const Bandwidth reads = slot ? std::min(drive.read_bandwidth, slot->out) : drive.read_bandwidth;
    const Bandwidth writes =
        slot ? std::min(drive.write_bandwidth, slot->in) : drive.write_bandwidth;
    media.in += drive.write_bandwidth;
    media.out += drive.read_bandwidth;
    drives.add(part, writes, reads);
    parts.capacity += drive.capacity;
    ++parts.drives;
    parts.drive_read_rate += drive.read_rate;
    parts.drive_latency = std::max(parts.drive_latency, drive.read_latency);
  }
  const Slot of_drives = drives.total();
  parts.drive_reads = of_drives.out;
  parts.drive_writes = of_drives.in;
  if (of_drives.out < media.out) parts.reads_by = ServerPart::drive_slots;
  if (of_drives.in < media.in) parts.writes_by = ServerPart::drive_slots;

  Slot ports;
  Uplinks cards(server);
  for (const auto& part : server.nics) {
    const Nic& nic = *part.model;
    const auto slot = slot_of(nic, part);
    const Bandwidth sent = nic.payload_sent();
    const Bandwidth received = nic.payload_received();
    ports.in += sent;
    ports.out += received;
    cards.add(part, slot ? std::min(sent, slot->in) : sent,
              slot ? std::min(received, slot->out) : received);
    parts.tcp = parts.tcp || nic.transport == Transport::tcp;
  }
  const Slot of_cards = cards.total();
  parts.sends = of_cards.in;
  parts.receives = of_cards.out;
  if (of_cards.in < ports.in) parts.sends_by = ServerPart::card_slots;
  if (of_cards.out < ports.out) parts.receives_by = ServerPart::card_slots;

  for (const auto& socket : server.sockets) {
    const Cpu& cpu = *socket.model;
    parts.memory +=
        socket.memory_bandwidth.value_or(cpu.memory_bandwidth) * cpu.memory_efficiency.value;
    parts.cores += static_cast<double>(cpu.cores);
  }
  return parts;
}

}  // namespace gpufeed
