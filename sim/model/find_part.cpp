// SPDX-License-Identifier: Apache-2.0
#include "sim/model/find_part.h"

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

template <class Part>
const Part* find_in(const std::vector<Part>& parts, PartId part, PartKind kind) {
  return part.kind == kind ? &parts.at(part.number) : nullptr;
}

}  // namespace

const Store* find_store(const Scenario& scenario, PartId part) {
  return part.kind == PartKind::store ? &scenario.store.at(part.number) : nullptr;
}
const Store* find_store(const Scenario& scenario, const PartRef& part) {
  return part.part ? find_store(scenario, *part) : nullptr;
}

const Volume* find_volume(const System& system, PartId part) {
  return find_in(system.volumes, part, PartKind::volume);
}
const Volume* find_volume(const System& system, const PartRef& part) {
  return part.part ? find_volume(system, *part) : nullptr;
}

const Device<Drive>* find_drive(const System& system, PartId part) {
  return find_in(system.drives, part, PartKind::drive);
}

const Device<Nic>* find_nic(const System& system, PartId part) {
  return find_in(system.nics, part, PartKind::nic);
}

const Socket* find_socket(const System& system, PartId part) {
  return find_in(system.sockets, part, PartKind::socket);
}

std::vector<std::size_t> drives_of(const System& system, PartId place) {
  std::vector<std::size_t> found;
  const Volume* volume = find_volume(system, place);
  for (std::size_t i = 0; i < system.drives.size(); ++i) {
    const PartId drive{PartKind::drive, i};
    if (drive == place || (volume && std::ranges::count(volume->drives, drive, &PartRef::part)))
      found.push_back(i);
  }
  return found;
}
std::vector<std::size_t> drives_of(const System& system, const PartRef& place) {
  return place.part ? drives_of(system, *place) : std::vector<std::size_t>{};
}

std::vector<PartId> drives_at(const System& system, const PartRef& place) {
  std::vector<PartId> drives;
  for (const std::size_t i : drives_of(system, place)) drives.emplace_back(PartKind::drive, i);
  return drives;
}

PartId socket_of(const System& system, const Attachment& device) {
  PartId at = *device.at;
  for (std::size_t climbed = 0; climbed <= system.switches.size(); ++climbed) {
    if (at.kind == PartKind::socket) return at;
    GPUFEED_ASSERT(at.kind == PartKind::pcie_switch, "a device hangs on a socket or a switch");
    at = *system.switches.at(at.number).at;
  }
  GPUFEED_ASSERT(false, "switches hang on sockets, not on each other in a circle");
  return at;
}

Label label_of(const Scenario& scenario, PartId part) {
  const System& system = *scenario.system;
  switch (part.kind) {
    case PartKind::socket:
      return system.sockets.at(part.number).id;
    case PartKind::pcie_switch:
      return system.switches.at(part.number).id;
    case PartKind::gpu:
      return system.gpus.at(part.number).id;
    case PartKind::nic:
      return system.nics.at(part.number).id;
    case PartKind::drive:
      return system.drives.at(part.number).id;
    case PartKind::nvswitch:
      return system.nvswitches.at(part.number).id;
    case PartKind::volume:
      return system.volumes.at(part.number).id;
    case PartKind::store:
      return Label(scenario.store.name(part.number));
    case PartKind::fabric:
      break;
  }
  return Label("between nodes");
}

std::vector<Label> labels_of(const Scenario& scenario, const std::vector<PartId>& parts) {
  std::vector<Label> labels;
  labels.reserve(parts.size());
  for (const PartId part : parts) labels.push_back(label_of(scenario, part));
  return labels;
}

void report_no_way(Diagnostics& out, const Location& where, const Scenario& scenario,
                   const Label& from, const Label& to) {
  out.error(where, "there is no way from {} to {} in system {}", text_of(from), text_of(to),
            scenario.system.name);
}

}  // namespace gpufeed
