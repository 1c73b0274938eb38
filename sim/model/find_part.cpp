// SPDX-License-Identifier: Apache-2.0
#include "sim/model/find_part.h"

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

template <class Part>
const Part* find_in(const std::vector<Part>& parts, std::string_view id) {
  const auto it = std::ranges::find(parts, id, &Part::id);
  return it == parts.end() ? nullptr : &*it;
}

}  // namespace

const Store* find_store(const Scenario& scenario, const std::string& id) {
  const auto it = scenario.store.find(id);
  return it == scenario.store.end() ? nullptr : &it->second;
}

const Volume* find_volume(const System& system, std::string_view id) {
  return find_in(system.volumes, id);
}

const Device<Drive>* find_drive(const System& system, std::string_view id) {
  return find_in(system.drives, id);
}

const Device<Nic>* find_nic(const System& system, std::string_view id) {
  return find_in(system.nics, id);
}

const Socket* find_socket(const System& system, std::string_view id) {
  return find_in(system.sockets, id);
}

std::vector<std::string> drive_ids(const System& system, const std::string& id) {
  std::vector<std::string> ids;
  for (const std::size_t i : drives_of(system, id)) ids.push_back(system.drives[i].id);
  return ids;
}

}  // namespace gpufeed
