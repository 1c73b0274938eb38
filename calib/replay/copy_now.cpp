// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/copy_now.h"

#include "calib/probes/filling_probe.h"
#include "calib/probes/scratch.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// The one that a machine was calibrated with, where it was and the folder can be written.
const Cpu* calibrated_cpu(const Scenario& scenario, const std::filesystem::path& folder) {
  if (scenario.data.mode == ReadMode::direct || scenario.system->sockets.empty()) return nullptr;
  const Cpu& cpu = *scenario.system->sockets.front().model;
  const bool calibrated = cpu.core_copy_bandwidth &&
                          cpu.provenance_of("core_copy_bandwidth").basis == Basis::calibrated;
  return calibrated && may_write(folder) ? &cpu : nullptr;
}

}  // namespace

Bytes written_to_copy(const Scenario& scenario, const std::filesystem::path& folder) {
  return calibrated_cpu(scenario, folder) ? filling_size() : Bytes{};
}

std::optional<CopyNow> copy_now(const Scenario& scenario, const std::filesystem::path& folder) {
  constexpr Seconds kLong{1};
  const Cpu* const cpu = calibrated_cpu(scenario, folder);
  if (!cpu) return {};
  const Scratch scratch(folder, filling_size());
  const CacheFilling sum = measure_filling(scratch.path(), kLong);
  return CopyNow{sum.read / sum.again, *cpu->core_copy_bandwidth};
}

}  // namespace gpufeed
