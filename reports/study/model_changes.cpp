// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/study/change.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/memory.h"

namespace gpufeed {
namespace {

class ModelSettings {
 public:
  explicit ModelSettings(const Scenario& scenario) : scenario_(scenario) {}

  std::vector<Change> all() {
    pipeline();
    if (const auto job = transformer_job(scenario_)) {
      kernels(*job);
      overlaps(*job);
      if (transformer_memory(*job).typical() > job->gpu.memory) memory(*job);
    }
    return std::move(changes_);
  }

 private:
  void add(std::string subject, std::string text, std::vector<std::string> sets, std::string why) {
    changes_.push_back(
        {std::move(subject), std::move(text), std::move(sets), std::move(why), true});
  }

  /// Of a model that is split into stages.
  void pipeline() {
    if (!scenario_.parallel || scenario_.parallel->pipeline == 1) return;
    const Parallel& now = *scenario_.parallel;
    for (const std::int64_t times : {2, 4, 8})
      add("micro-batches",
          fmt::format("{} micro-batches of a step instead of {}", times * now.micro_batches,
                      now.micro_batches),
          {fmt::format("parallel.micro_batches={}", times * now.micro_batches)},
          "stages of the pipeline wait less for the first and the last one");
    for (std::int64_t stages = 1; stages < now.pipeline; ++stages)
      if (now.pipeline % stages == 0)
        add("pipeline",
            fmt::format("{} stage{} instead of {}, and more replicas", stages,
                        stages == 1 ? "" : "s", now.pipeline),
            {fmt::format("parallel.pipeline={}", stages)},
            "fewer stages wait for one another; each GPU holds more of the model");
  }

  /// That the software may have.
  void kernels(const TransformerJob& job) {
    const auto turn_on = [&](bool now, const char* text, const char* key, const char* why) {
      if (!now) add(key, text, {fmt::format("workload.{}=true", key)}, why);
    };
    const auto& training = job.training;
    turn_on(training.compile, "compiled or fused passes over activations", "compile",
            "norms and activations move through memory less often (torch.compile)");
    turn_on(training.cuda_graphs, "kernels started as recorded", "cuda_graphs",
            "the host starts a step at once (CUDA graphs)");
    if (job.architecture.experts > 1)
      turn_on(training.fused_experts, "tokens sorted to experts by fused kernels", "fused_experts",
              "fewer passes over activations");
  }

  void overlaps(const TransformerJob& job) {
    if (!scenario_.parallel) return;
    const Parallel& now = *scenario_.parallel;
    const auto turn_on = [&](bool has, const char* text, const char* key, const char* why) {
      if (!has) add(key, text, {fmt::format("parallel.{}=true", key)}, why);
    };
    if (now.tensor > 1) {
      turn_on(now.sequence, "norms and sums of a token shared by the tensor group", "sequence",
              "each GPU does a part of them, and keeps less");
      turn_on(now.tensor_overlap, "sums of the tensor group during its products", "tensor_overlap",
              "GPUs wait less for one another (tp_comm_overlap)");
    }
    if (now.pipeline > 1)
      turn_on(now.pipeline_overlap, "stages that pass on while they compute", "pipeline_overlap",
              "GPUs wait less for one another (overlap_p2p_comm)");
    if (job.replicas() > 1)
      turn_on(now.gradient_overlap, "gradients that travel during the backward pass",
              "gradient_overlap", "GPUs wait less for one another (overlap_grad_reduce)");
  }

  /// What makes it fit into the GPUs' memory.
  void memory(const TransformerJob& job) {
    if (job.training.recompute == Recompute::none)
      for (const char* mode : {"ops", "selective", "full"})
        add("memory of GPUs", fmt::format("activations computed again ({})", mode),
            {fmt::format("workload.recompute={}", mode)}, "fewer of them are kept");
    const std::vector<Setting> fit = what_would_fit(job);
    std::vector<std::string> sets;
    sets.reserve(fit.size());
    for (const Setting& one : fit) sets.push_back(fmt::format("{}={}", text(one.key), plain(one)));
    if (sets.empty() || std::ranges::count(changes_, sets, &Change::sets) > 0) return;
    add("memory of GPUs", text(fit), sets, "each GPU holds less");
    changes_.back().alters =
        std::ranges::count(fit, KeyPath("workload.optimizer"), &Setting::key) > 0;
  }

  /// A word without its quotes, as `--set` takes it, too.
  static std::string plain(const Setting& one) {
    std::string value = one.value;
    std::erase(value, '"');
    return value;
  }

  const Scenario& scenario_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<Change> model_changes(const Scenario& scenario) {
  return ModelSettings(scenario).all();
}

}  // namespace gpufeed
