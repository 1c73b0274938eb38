// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/transformer_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/model/transformer/memory.h"
#include "sim/model/transformer/step.h"

namespace gpufeed {
namespace {

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
