// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/report/matrix_devices.h"

#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <vector>

namespace gpufeed {
namespace {

std::optional<std::size_t> socket_with(const CpuSet& cpus, const FoundMachine& machine) {
  if (machine.sockets.size() == 1) return 0;
  for (std::size_t i = 0; i < machine.sockets.size(); ++i)
    if (machine.sockets[i].cpus.overlaps(cpus)) return i;
  return {};
}

}  // namespace

void take_devices(const FoundMachine& matrix, const std::set<FoundKind>& kinds,
                  FoundMachine& machine) {
  std::map<std::size_t, std::size_t> switches;  // of the matrix, and of the machine
  std::vector<std::string> unplaced;
  for (FoundDevice device : matrix.devices) {
    if (!kinds.contains(device.kind)) continue;
    const auto socket = socket_with(matrix.sockets[device.at.socket].cpus, machine);
    if (!socket) unplaced.push_back(device.name);
    device.at.socket = socket.value_or(0);
    if (const auto above = device.at.on_switch) {
      const auto [known, is_new] = switches.try_emplace(*above, machine.switches.size());
      if (is_new) {
        FoundSwitch chip = matrix.switches[*above];
        chip.at = {device.at.socket, {}};
        machine.switches.push_back(std::move(chip));
      }
      device.at.on_switch = known->second;
    }
    machine.devices.push_back(std::move(device));
  }
  if (!unplaced.empty())
    machine.questions.push_back(
        fmt::format("which socket {} {} hang on? It was not told; cpu0 is assumed",
                    unplaced.size() == 1 ? "does" : "do", fmt::join(unplaced, ", ")));
}

}  // namespace gpufeed
