// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/as_replayed.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "calib/replay/machine_now.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

Scenario with_cpus(Scenario scenario, const std::function<void(Cpu&)>& change) {
  auto system = std::make_shared<System>(*scenario.system);
  for (Socket& socket : system->sockets) {
    auto cpu = std::make_shared<Cpu>(*socket.model);
    change(*cpu);
    socket.model.entry = std::move(cpu);
  }
  scenario.system.entry = std::move(system);
  return scenario;
}

}  // namespace

Scenario with_drive(Scenario scenario, const DriveNow& now) {
  auto system = std::make_shared<System>(*scenario.system);
  const auto part = std::ranges::find(system->drives, Label(now.drive), &Device<Drive>::id);
  auto drive = std::make_shared<Drive>(*part->model);
  if (now.latency) drive->read_latency = *now.latency;
  if (now.bandwidth) drive->read_bandwidth = *now.bandwidth;
  part->model.entry = std::move(drive);
  scenario.system.entry = std::move(system);
  return scenario;
}

Scenario with_copy(Scenario scenario, const CopyNow& copy) {
  return with_cpus(std::move(scenario), [&](Cpu& cpu) { cpu.core_copy_bandwidth = copy.now; });
}

Scenario with_refill(Scenario scenario, const RefillNow& refill) {
  const double factor = refill.now / refill.calibrated;
  const auto changed = [&](const std::optional<Bandwidth>& rate) {
    return rate ? std::optional(*rate * factor) : std::nullopt;
  };
  const Cpu first = *scenario.system->sockets.front().model;  // of which it was measured
  return with_cpus(std::move(scenario), [&](Cpu& cpu) {
    cpu.cache_fill_bandwidth = changed(first.cache_fill_bandwidth);
    cpu.cache_evict_bandwidth = changed(first.cache_evict_bandwidth);
  });
}

Scenario with_decoder(Scenario scenario, const DecoderNow& decoder) {
  Ref<Dataset>& dataset = scenario.workload.dataset();
  auto changed = std::make_shared<Dataset>(*dataset);
  changed->decode_time = decoder.of_sample;
  changed->of_key["decode_time"] = {"timed beside the replay", Basis::calibrated};
  dataset.entry = std::move(changed);
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
  if (machine.decoder) scenario = with_decoder(std::move(scenario), *machine.decoder);
  if (machine.copy) scenario = with_copy(std::move(scenario), *machine.copy);
  const auto& [pages, refill] = machine.full_cache;
  if (pages) scenario = with_pages(std::move(scenario), *pages);
  if (refill) scenario = with_refill(std::move(scenario), *refill);
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
  const auto of_cpus = [&](const char* key, Bandwidth value) {
    sets.push_back(fmt::format("system.socket[*].model.{}={:.6g} B/s", key, value.value));
  };
  if (machine.decoder)
    sets.push_back(
        fmt::format("workload.job.dataset.decode_time={:.6g} s", machine.decoder->of_sample.value));
  if (machine.copy) of_cpus("core_copy_bandwidth", machine.copy->now);
  const auto& [pages, refill] = machine.full_cache;
  if (pages) sets.push_back(fmt::format("system.pages_apart={:.6g} %", 100 * pages->now.value));
  if (!refill) return sets;
  const Scenario refilled = with_refill(scenario, *refill);
  const Cpu& cpu = *refilled.system->sockets.front().model;
  if (cpu.cache_fill_bandwidth) of_cpus("cache_fill_bandwidth", *cpu.cache_fill_bandwidth);
  if (cpu.cache_evict_bandwidth) of_cpus("cache_evict_bandwidth", *cpu.cache_evict_bandwidth);
  return sets;
}

}  // namespace gpufeed
