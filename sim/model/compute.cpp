// SPDX-License-Identifier: Apache-2.0
#include "sim/model/compute.h"

#include <algorithm>

namespace gpufeed {

std::vector<ComputeRow> compute_rows(const Workload& workload, const std::string& gpu) {
  std::vector<ComputeRow> rows;
  const auto& all = workload.compute.empty() ? workload.model->compute : workload.compute;
  for (const auto& row : all)
    if (row.gpu.name == gpu && row.precision == workload.precision) rows.push_back(row);
  std::ranges::sort(rows, {}, &ComputeRow::batch);
  return rows;
}

std::int64_t gpus_in_use(const Scenario& scenario) {
  const auto present = static_cast<std::int64_t>(scenario.system->gpus.size());
  return scenario.workload.gpus.value_or(std::max<std::int64_t>(present, 1));
}

std::int64_t global_batch(const Scenario& scenario) {
  return gpus_in_use(scenario) * scenario.workload.batch_per_gpu.value_or(1);
}

std::int64_t dataset_samples(const Workload& workload) {
  return workload.dataset_samples.value_or(workload.dataset->samples);
}

Bytes checkpoint_size(const Model& model) {
  constexpr double kBytesPerParameter = 3 * 4;
  return {static_cast<double>(model.parameters) * kBytesPerParameter};
}

const DecodeCost* decode_cost(const Decoder& decoder, const std::string& cpu,
                              const std::string& gpu) {
  const DecodeCost* any = nullptr;
  for (const auto& row : decoder.cost) {
    if (!gpu.empty()) {
      if (row.gpu && row.gpu->name == gpu) return &row;
      continue;
    }
    if (row.gpu) continue;
    if (row.cpu && row.cpu->name == cpu) return &row;
    if (!row.cpu) any = &row;
  }
  return any;
}

std::vector<std::size_t> drives_of(const System& system, const std::string& id) {
  std::vector<std::size_t> found;
  const auto wanted = [&](const std::string& drive) {
    if (drive == id) return true;
    for (const auto& volume : system.volumes)
      if (volume.id == id) return std::ranges::count(volume.drives, drive, &PartRef::id) > 0;
    return false;
  };
  for (std::size_t i = 0; i < system.drives.size(); ++i)
    if (wanted(system.drives[i].id)) found.push_back(i);
  return found;
}

}  // namespace gpufeed
