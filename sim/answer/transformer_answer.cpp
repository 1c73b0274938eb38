// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/transformer_answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/model/transformer/memory.h"
#include "sim/model/transformer/step.h"

namespace gpufeed {
namespace {

/// "tensor 8 with sequence, pipeline 8 x 5, data 16".
std::string layout_text(const TransformerJob& job) {
  const Parallel& split = job.parallel;
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, std::int64_t count) {
    if (count > 1) parts.push_back(fmt::format("{} {}", name, count));
  };
  add("tensor", split.tensor);
  if (split.sequence) parts.back() += " with sequence";
  add("pipeline", split.pipeline);
  if (split.virtual_stages > 1) parts.back() += fmt::format(" x {} virtual", split.virtual_stages);
  add("context", split.context);
  add("expert", split.expert);
  parts.push_back(fmt::format("data {}", text_number(job.replicas())));
  if (split.shard != Sharding::none)
    parts.push_back(fmt::format("{} sharded", name_of(split.shard)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<StepPartTime> parts_of(const StepParts& parts) {
  std::vector<StepPartTime> out;
  const double all = parts.all().value;
  for (std::size_t i = 0; i < parts.time.size(); ++i)
    if (const double time = parts.time[i].value; time > 0)
      out.push_back({std::string(name_of(static_cast<StepPart>(i))), time, time / all});
  std::ranges::stable_sort(out, std::ranges::greater{}, &StepPartTime::time_s);
  return out;
}

std::vector<MemoryPart> parts_of(const TransformerMemory& memory) {
  const std::array<std::pair<std::string_view, Bytes>, 6> parts{
      {{"weights", memory.weights},
       {"gradients", memory.gradients},
       {"optimizer", memory.optimizer},
       {"gathered parameters", memory.gathered},
       {"activations", memory.activations},
       {"logits", memory.logits}}};
  std::vector<MemoryPart> out;
  for (const auto& [name, size] : parts)
    if (size.value > 0) out.push_back({std::string(name), size.value});
  return out;
}

}  // namespace

std::optional<TransformerSummary> transformer_summary(const Scenario& scenario) {
  const auto job = transformer_job(scenario);
  if (!job) return {};
  const StepParts parts = transformer_step(*job);
  const TransformerMemory memory = transformer_memory(*job);
  return TransformerSummary{.layout = layout_text(*job),
                            .replicas = job->replicas(),
                            .micro_batch = job->micro_batch,
                            .micro_batches = job->micro_batches,
                            .step_s = parts.all().value,
                            .tokens_per_gpu_s = tokens_per_gpu(*job),
                            .model_flop_utilization = model_flop_utilization(*job).value,
                            .parts = parts_of(parts),
                            .memory_floor_B = memory.floor().value,
                            .memory_typical_B = memory.typical().value,
                            .gpu_memory_B = job->gpu.memory.value,
                            .memory = parts_of(memory)};
}

std::optional<Warning> memory_warning(const Scenario& scenario) {
  using enum WarningCode;
  const auto job = transformer_job(scenario);
  if (!job) return {};
  const Bytes typical = transformer_memory(*job).typical();
  if (typical <= job->gpu.memory) return {};
  const std::string fit = text(what_would_fit(*job));
  if (fit.empty()) return fact<gpu_memory_short>(typical, job->gpu.memory);
  return fact<gpu_memory_short_but_with>(typical, job->gpu.memory, fit);
}

}  // namespace gpufeed
