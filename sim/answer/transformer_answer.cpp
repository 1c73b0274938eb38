// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/transformer_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
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

constexpr std::size_t kNamed = 3;
constexpr double kWorthIt = 0.02;

/// A setting that may shorten a step.
struct Help {
  std::string setting;                  ///< "workload.cuda_graphs=true"
  std::function<bool(Scenario&)> make;  ///< false: it is so already, or cannot be
};

std::vector<Help> helps_of(const Scenario& scenario) {
  std::vector<Help> out;
  const auto training = [&](const char* name, bool kind::Training::*key) {
    out.push_back({fmt::format("workload.{}=true", name), [key](Scenario& other) {
                     bool& now = other.workload.get<kind::Training>().*key;
                     return !std::exchange(now, true);
                   }});
  };
  training("cuda_graphs", &kind::Training::cuda_graphs);
  training("compile", &kind::Training::compile);
  if (scenario.workload.model()->architecture->experts > 0)
    training("fused_experts", &kind::Training::fused_experts);
  out.push_back({"workload.attention=flash-3", [](Scenario& other) {
                   auto& now = other.workload.get<kind::Training>().attention;
                   return std::exchange(now, AttentionKernel::flash_3) != AttentionKernel::flash_3;
                 }});
  out.push_back({"workload.recompute=none", [](Scenario& other) {
                   auto& now = other.workload.get<kind::Training>().recompute;
                   return std::exchange(now, Recompute::none) != Recompute::none;
                 }});
  if (!scenario.parallel) return out;
  const auto overlap = [&](const char* name, bool Parallel::*key) {
    out.push_back({fmt::format("parallel.{}=true", name), [key](Scenario& other) {
                     return !std::exchange((*other.parallel).*key, true);
                   }});
  };
  overlap("tensor_overlap", &Parallel::tensor_overlap);
  overlap("pipeline_overlap", &Parallel::pipeline_overlap);
  overlap("gradient_overlap", &Parallel::gradient_overlap);
  if (scenario.parallel->expert > 1) overlap("expert_overlap", &Parallel::expert_overlap);
  const auto halved = [&](const char* name, std::int64_t Parallel::*key) {
    const std::int64_t half = (*scenario.parallel).*key / 2;
    out.push_back({fmt::format("parallel.{}={}", name, half), [key, half](Scenario& other) {
                     const bool even = (*other.parallel).*key == 2 * half && half > 0;
                     (*other.parallel).*key = std::max<std::int64_t>(half, 1);
                     return even;
                   }});
  };
  halved("tensor", &Parallel::tensor);
  halved("pipeline", &Parallel::pipeline);
  halved("context", &Parallel::context);
  halved("expert", &Parallel::expert);
  const std::int64_t twice = 2 * scenario.parallel->micro_batches;
  out.push_back({fmt::format("parallel.micro_batches={}", twice), [twice](Scenario& other) {
                   other.parallel->micro_batches = twice;
                   return !other.parallel->micro_batch;
                 }});
  return out;
}

bool whole(double count) { return std::floor(count) == count; }

/// Whether a job's GPUs can hold it, or hold no more than they do now.
bool holds(const TransformerJob& other, const TransformerJob& now) {
  const Bytes need = transformer_memory(other).typical();
  return need <= std::max(other.gpu.memory, transformer_memory(now).typical());
}

struct Helped {
  std::string setting;
  double gain = 0;
};

std::vector<Helped> helped(const Scenario& scenario, const TransformerJob& job, StepPart part) {
  const StepParts now = transformer_step(job);
  std::vector<Helped> out;
  for (const Help& help : helps_of(scenario)) {
    Scenario other = scenario;
    if (!help.make(other)) continue;
    const auto changed = transformer_job(other);
    if (!changed || !whole(changed->micro_batch) || !whole(changed->micro_batches) ||
        changed->micro_batch < 1 || !holds(*changed, job))
      continue;
    const StepParts then = transformer_step(*changed);
    const double gain = now.all() / then.all() - 1;
    if (gain > kWorthIt && (now[part] - then[part]) / now.all() > kWorthIt)
      out.push_back({help.setting, gain});
  }
  std::ranges::stable_sort(out, std::ranges::greater{}, &Helped::gain);
  if (out.size() > kNamed) out.resize(kNamed);
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

Limiter named(StepPart part) {
  static_assert(static_cast<std::size_t>(LimiterCode::step_optimizer) -
                        static_cast<std::size_t>(LimiterCode::step_products) + 1 ==
                    kStepParts,
                "a code for each part, in their order");
  return {static_cast<LimiterCode>(static_cast<std::size_t>(LimiterCode::step_products) +
                                   static_cast<std::size_t>(part)),
          {}};
}

void add_step_evidence(const Scenario& scenario, Result& result) {
  if (!result.transformer || result.transformer->parts.empty() ||
      result.bottleneck.resource != fact<LimiterCode::gpu_compute>())
    return;
  const auto job = transformer_job(scenario);
  const StepPartTime& largest = result.transformer->parts.front();
  std::vector<Evidence> first{
      evidence_of<EvidenceCode::largest_of_step>(largest.part, largest.share)};
  const auto part = static_cast<StepPart>(static_cast<std::size_t>(largest.part.code) -
                                          static_cast<std::size_t>(LimiterCode::step_products));
  for (const Helped& one : helped(scenario, *job, part))
    first.push_back(evidence<EvidenceCode::helped_by>(one.setting, one.gain));
  auto& all = result.bottleneck.evidence;
  all.insert(all.begin(), first.begin(), first.end());
}

}  // namespace gpufeed
