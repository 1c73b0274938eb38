// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/compute_time.h"

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/model/kinds/shared.h"
#include "sim/model/step_estimate.h"

namespace gpufeed {
namespace {

double step_s(const ComputeRow& row) { return static_cast<double>(row.batch) / row.rate.value; }

Seconds at(const StepLine& line, std::int64_t batch) {
  return line.start + line.per_sample * static_cast<double>(batch);
}

template <NamedEnum E>
std::vector<std::string> names_of(const std::vector<E>& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const E one : list) names.emplace_back(name_of(one));
  return names;
}

Warning beyond_seen(const ComputesModel& workload, const StepLine& line) {
  const auto network = class_of(*workload.model);
  return fact<WarningCode::rate_estimated_beyond>(
      workload.model.name, line.gpu, workload.precision, line.source, names_of(line.beyond),
      network ? name_of(*network) : "", line.generation ? text(*line.generation) : "",
      line.generation ? line.generation->maker : "");
}

ComputeTime of_whole_step(const ComputesModel& workload, const StepLine& line) {
  ComputeTime out;
  out.step = line.start;
  out.includes_exchange = out.whole_step = true;
  out.basis = line.beyond.empty() ? Basis::calibrated : Basis::estimate;
  out.source = line.source;
  if (!line.beyond.empty())
    out.caveat = beyond_seen(workload, line);
  else if (!line.unseen.empty())
    out.caveat = fact<WarningCode::step_unseen>(names_of(line.unseen));
  return out;
}

ComputeTime estimated(const ComputesModel& workload, const StepLine& line, std::int64_t batch) {
  if (line.whole_step) return of_whole_step(workload, line);
  ComputeTime out;
  out.step = at(line, batch);
  out.source = "estimate: " + line.source;
  using enum WarningCode;
  const std::string& model = workload.model.name;
  if (line.beyond.empty()) {
    out.caveat = fact<rate_estimated>(model, line.gpu, workload.precision, line.source);
    return out;
  }
  out.caveat = beyond_seen(workload, line);
  return out;
}

/// \param line  null: in proportion
Warning caveat_of(const ComputeRow& row, std::int64_t batch, const StepLine* line) {
  using enum WarningCode;
  return line ? fact<rate_of_other_batch_by_line>(row.gpu.name, batch, row.batch, line->source)
              : fact<rate_of_other_batch>(row.gpu.name, batch, row.batch);
}

}  // namespace

ComputeTime compute_time(const ComputesModel& workload, const std::string& gpu,
                         std::int64_t batch) {
  const auto rows = compute_rows(workload, gpu);
  const auto line = std::ranges::find(workload.step_lines, gpu, &StepLine::gpu);
  const bool known = line != workload.step_lines.end();
  if (rows.empty() && known) return estimated(workload, *line, batch);
  return compute_time(rows, batch, known ? &*line : nullptr);
}

ComputeTime compute_time(const std::vector<ComputeRow>& rows, std::int64_t batch,
                         const StepLine* line) {
  GPUFEED_ASSERT(!rows.empty(), "the loader refuses workloads without a compute rate");
  auto above = std::ranges::find_if(rows, [&](const auto& row) { return row.batch >= batch; });
  const bool outside = batch < rows.front().batch || batch > rows.back().batch;
  if (above == rows.end()) --above;
  const ComputeRow& row = *above;
  ComputeTime out;
  out.includes_exchange = std::ranges::count(row.includes, Includes::exchange) > 0;
  out.includes_barrier = std::ranges::count(row.includes, Includes::barrier) > 0;
  out.basis = row.basis;
  out.source = row.source;
  if (outside) out.caveat = caveat_of(row, batch, line);
  const double size = static_cast<double>(batch);
  if (row.batch == batch || rows.size() == 1) {
    if (line && outside)
      out.step = at(*line, batch);
    else
      out.step = {step_s(row) * size / static_cast<double>(row.batch)};
    return out;
  }
  const auto high = above == rows.begin() ? above + 1 : above;
  const auto low = high - 1;
  const double slope =
      (step_s(*high) - step_s(*low)) / static_cast<double>(high->batch - low->batch);
  const double between = step_s(*low) + slope * (size - static_cast<double>(low->batch));
  // Beyond the measured batches a noisy pair of rates can point below zero.
  const bool sensible = slope > 0 && between > 0;
  out.step = {sensible || !outside ? between : step_s(row) * size / static_cast<double>(row.batch)};
  out.basis = std::max(low->basis, high->basis);
  return out;
}

}  // namespace gpufeed
