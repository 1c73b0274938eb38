// SPDX-License-Identifier: Apache-2.0
#include "sim/load/check/join_parts.h"

#include <algorithm>

#include "sim/base/labels/label_text.h"
#include "sim/model/find_part.h"

namespace gpufeed {
namespace {

template <class Parts>
std::optional<PartId> called(const Parts& parts, const Label& id, PartKind kind) {
  const auto found = std::ranges::find_if(parts, [&](const Part& part) { return part.id == id; });
  if (found == parts.end()) return {};
  return PartId{kind, static_cast<std::size_t>(found - parts.begin())};
}

std::optional<PartId> part_of(const System& system, const Label& id, PartKind kind) {
  switch (kind) {
    case PartKind::socket:
      return called(system.sockets, id, kind);
    case PartKind::pcie_switch:
      return called(system.switches, id, kind);
    case PartKind::gpu:
      return called(system.gpus, id, kind);
    case PartKind::nic:
      return called(system.nics, id, kind);
    case PartKind::drive:
      return called(system.drives, id, kind);
    case PartKind::nvswitch:
      return called(system.nvswitches, id, kind);
    case PartKind::volume:
      return called(system.volumes, id, kind);
    case PartKind::store:
    case PartKind::fabric:
      break;
  }
  return {};
}

std::optional<PartId> store_of(const Scenario& scenario, const std::string& name) {
  const auto found = scenario.store.find(name);
  if (found == scenario.store.end()) return {};
  return PartId{PartKind::store, static_cast<std::size_t>(found - scenario.store.begin())};
}

void join(const System& system, std::initializer_list<PartKind> kinds, PartRef& ref) {
  ref.part.reset();
  for (const PartKind kind : kinds)
    if (!ref.part) ref.part = part_of(system, ref.id, kind);
}

}  // namespace

void join_part(PartRef& ref, std::initializer_list<PartKind> kinds, const Scenario& scenario,
               const System& system) {
  join(system, kinds, ref);
  const bool may_be_store = std::ranges::count(kinds, PartKind::store) > 0;
  if (const auto store = store_of(scenario, text_of(ref.id)); store && may_be_store)
    ref.part = store;
}

void join_system(System& system) {
  const auto attach = [&](auto& devices) {
    for (auto& device : devices) join(system, {PartKind::socket, PartKind::pcie_switch}, device.at);
  };
  attach(system.switches);
  attach(system.gpus);
  attach(system.nics);
  attach(system.drives);
  const auto connect = [&](std::vector<Connection>& connections, PartKind kind) {
    for (Connection& connection : connections)
      for (PartRef& end : connection.between) join(system, {kind}, end);
  };
  connect(system.socket_links, PartKind::socket);
  connect(system.nvlinks, PartKind::gpu);
  for (Volume& volume : system.volumes)
    for (PartRef& drive : volume.drives) join(system, {PartKind::drive}, drive);
  for (NvSwitch& part : system.nvswitches)
    for (PartRef& gpu : part.gpus) join(system, {PartKind::gpu}, gpu);
}

}  // namespace gpufeed
