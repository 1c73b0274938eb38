// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/as_replayed.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "calib/replay/machine_now.h"
#include "sim/model/scenario.h"

namespace gpufeed {

Scenario with_drive(Scenario scenario, const DriveNow& now) {
  auto system = std::make_shared<System>(*scenario.system);
  const auto part = std::ranges::find(system->drives, now.drive, &Device<Drive>::id);
  auto drive = std::make_shared<Drive>(*part->model);
  if (now.latency) drive->read_latency = *now.latency;
  if (now.bandwidth) drive->read_bandwidth = *now.bandwidth;
  part->model.entry = std::move(drive);
  scenario.system.entry = std::move(system);
  return scenario;
}

Scenario with_copy(Scenario scenario, const CopyNow& copy) {
  auto system = std::make_shared<System>(*scenario.system);
  for (Socket& socket : system->sockets) {
    auto cpu = std::make_shared<Cpu>(*socket.model);
    cpu->core_copy_bandwidth = copy.now;
    socket.model.entry = std::move(cpu);
  }
  scenario.system.entry = std::move(system);
  return scenario;
}

Scenario with_pages(Scenario scenario, const PagesNow& pages) {
  auto system = std::make_shared<System>(*scenario.system);
  system->pages_apart = pages.now;
  scenario.system.entry = std::move(system);
  return scenario;
}

Scenario as_replayed(Scenario scenario, const ReplayLoader& loader, const MachineNow& machine) {
  if (machine.drive) scenario = with_drive(std::move(scenario), *machine.drive);
  if (machine.copy) scenario = with_copy(std::move(scenario), *machine.copy);
  if (machine.pages) scenario = with_pages(std::move(scenario), *machine.pages);
  scenario.loader.worker_start = loader.worker_start;
  scenario.loader.take_over_time = loader.take_over;
  scenario.loader.take_over_wait = loader.wake;
  scenario.loader.take_over_busy_wait = {};
  scenario.loader.process_bandwidth = {};
  scenario.loader.batch_overhead = loader.place;
  scenario.data.open_requests = 0;
  return scenario;
}

std::vector<std::string> replayed_sets(const Scenario& scenario, const ReplayLoader& loader,
                                       const MachineNow& machine) {
  const auto& drive = machine.drive;
  std::vector<std::string> sets{
      fmt::format("loader.worker_start={:.6g} s", loader.worker_start.value),
      fmt::format("loader.take_over_time={:.6g} s", loader.take_over.value),
      fmt::format("loader.take_over_wait={:.6g} s", loader.wake.value),
      "loader.take_over_busy_wait=0 s",
      fmt::format("loader.batch_overhead={:.6g} s", loader.place.value),
      "data.open_requests=0"};
  if (scenario.loader.process_bandwidth) sets.emplace_back("loader.process_bandwidth=1 TB/s");
  const auto of_drive = [&](const char* key, double value, const char* unit) {
    sets.push_back(
        fmt::format("system.drive[{}].model.{}={:.6g} {}", drive->drive, key, value, unit));
  };
  if (drive && drive->latency) of_drive("read_latency", drive->latency->value, "s");
  if (drive && drive->bandwidth) of_drive("read_bandwidth", drive->bandwidth->value, "B/s");
  if (machine.copy)
    sets.push_back(fmt::format("system.socket[*].model.core_copy_bandwidth={:.6g} B/s",
                               machine.copy->now.value));
  if (machine.pages)
    sets.push_back(fmt::format("system.pages_apart={:.6g} %", 100 * machine.pages->now.value));
  return sets;
}

}  // namespace gpufeed
