// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/transformer_answer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/model/transformer/memory.h"
#include "sim/model/transformer/step.h"

namespace gpufeed {
namespace {

std::vector<SplitOver> layout_of(const TransformerJob& job) {
  using enum LayoutCode;
  const Parallel& split = job.parallel;
  std::vector<SplitOver> out;
  if (split.tensor > 1)
    out.push_back(split.sequence ? fact<tensor_with_sequence>(split.tensor)
                                 : fact<tensor>(split.tensor));
  if (split.pipeline > 1)
    out.push_back(split.virtual_stages > 1
                      ? fact<pipeline_of_virtual_stages>(split.pipeline, split.virtual_stages)
                      : fact<pipeline>(split.pipeline));
  if (split.context > 1) out.push_back(fact<context>(split.context));
  if (split.expert > 1) out.push_back(fact<expert>(split.expert));
  out.push_back(fact<data>(job.replicas()));
  if (split.shard != Sharding::none) out.push_back(fact<sharded>(name_of(split.shard)));
  return out;
}

std::vector<StepPartTime> parts_of(const StepParts& parts) {
  std::vector<StepPartTime> out;
  const double all = parts.all().value;
  for (std::size_t i = 0; i < parts.time.size(); ++i)
    if (const double time = parts.time[i].value; time > 0)
      out.push_back({named(static_cast<StepPart>(i)), time, time / all});
  std::ranges::stable_sort(out, std::ranges::greater{}, &StepPartTime::time_s);
  return out;
}

std::vector<MemoryPart> parts_of(const TransformerMemory& memory) {
  using enum HeldPart;
  const std::array<std::pair<HeldPart, Bytes>, 6> parts{{{weights, memory.weights},
                                                         {gradients, memory.gradients},
                                                         {optimizer, memory.optimizer},
                                                         {gathered, memory.gathered},
                                                         {activations, memory.activations},
                                                         {logits, memory.logits}}};
  std::vector<MemoryPart> out;
  for (const auto& [name, size] : parts)
    if (size.value > 0) out.push_back({name, size.value});
  return out;
}

}  // namespace

std::optional<TransformerSummary> transformer_summary(const Scenario& scenario) {
  const auto job = transformer_job(scenario);
  if (!job) return {};
  const StepParts parts = transformer_step(*job);
  const TransformerMemory memory = transformer_memory(*job);
  return TransformerSummary{.layout = layout_of(*job),
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
  std::vector<std::string> fit;
  for (const Setting& one : what_would_fit(*job)) fit.push_back(text({one}));
  if (fit.empty()) return fact<gpu_memory_short>(typical, job->gpu.memory);
  return fact<gpu_memory_short_but_with>(typical, job->gpu.memory, fit);
}

}  // namespace gpufeed
