// SPDX-License-Identifier: Apache-2.0
#include "reports/study/gpus_busy.h"

#include <algorithm>

#include "sim/base/unit_registry.h"
#include "sim/load/study/validation.h"
#include "sim/model/workload.h"

namespace gpufeed {
namespace {

constexpr double kBusy = 0.95;

/// The measured value of the first row that has one of the keys, in SI units.
std::optional<double> measured(const ValidationCase& one,
                               std::initializer_list<std::string_view> keys) {
  for (const MeasuredRow& row : one.measured)
    if (std::ranges::count(keys, row.key)) return row.value * *unit_factor(row.unit);
  return {};
}

std::optional<double> compute_rate(const Result& result) {
  const auto stage =
      std::ranges::find(result.stages, fact<LimiterCode::gpu_compute>(), &Stage::stage);
  if (stage == result.stages.end()) return {};
  return stage->capacity_samples_per_s;
}

/// The share of time in which a mean GPU does not wait for data.
double simulated_share(const Result& result) {
  double waiting = 0, count = 0;
  for (const GpuGroup& group : result.gpus) {
    const auto gpus = static_cast<double>(group.count);
    waiting += gpus * (group.share.storage + group.share.decode + group.share.copy);
    count += gpus;
  }
  return 1 - waiting / count;
}

}  // namespace

GpusBusy gpus_busy(const ValidationCase& one, const MeasuredRow& row, WorkloadKind kind,
                   const Result& result) {
  const bool has_gpus = kind == kind_of<kind::Training> || kind == kind_of<kind::Emulated>;
  if (!has_gpus || result.gpus.empty() || row.key.starts_with("stages[")) return {};
  const auto share = measured(one, {"benchmark.utilization_v1", "accelerator_utilization"});
  if (share) return {*share >= kBusy, "measured utilization"};
  const auto rate =
      measured(one, {"benchmark.throughput_v1_samples_per_s", "throughput_samples_per_s"});
  const auto most = compute_rate(result);
  if (rate && most && !result.exchange) return {*rate >= kBusy * *most, "measured rate"};
  return {simulated_share(result) >= kBusy, "simulated waiting"};
}

}  // namespace gpufeed
