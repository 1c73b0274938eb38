// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "reports/study/change.h"
#include "reports/study/layout_choices.h"
#include "reports/writers/key_words.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/layouts.h"
#include "sim/model/transformer/memory.h"

namespace gpufeed {
namespace {

class ModelSettings {
 public:
  explicit ModelSettings(const Scenario& scenario) : scenario_(scenario) {}

  std::vector<Change> all() {
    pipeline();
    if (const auto job = transformer_job(scenario_)) {
      layout(*job);
      kernels(*job);
      precision(*job);
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

  /// The fastest there is, and the plainest that is about as fast, as their steps by layers say.
  void layout(const TransformerJob& now) {
    const double samples = now.micro_batch * now.micro_batches * now.replicas();
    std::vector<ParallelLayout> all;
    for (const Recompute recompute : {Recompute::none, Recompute::ops, Recompute::full}) {
      TransformerJob job = now;
      job.training.recompute = recompute;
      std::ranges::move(every_layout(job, samples).fit, std::back_inserter(all));
    }
    if (all.empty()) return;
    std::ranges::stable_sort(all, std::greater{}, &ParallelLayout::samples_per_s);
    add_layout(all.front(), "the fastest layout");
    add_layout(plainest_of_fastest(all), "the plainest of the fastest layouts");
  }

  void add_layout(const ParallelLayout& layout, const char* which) {
    const std::string table = toml_table(layout.job.parallel);
    const auto recompute = name_of(layout.job.training.recompute);
    std::vector<std::string> sets{fmt::format("parallel={}", table),
                                  fmt::format("workload.recompute={}", recompute)};
    if (std::ranges::count(changes_, sets, &Change::sets) > 0) return;
    add("layout", fmt::format("{}: {}", which, in_words(layout.job)), std::move(sets),
        "how the model is split over the GPUs, micro-batches and what is computed again");
  }

  /// What is not as usual.
  static std::string in_words(const TransformerJob& job) {
    std::string out;
    for (const LayoutKey& one : unusual_keys(job.parallel))
      out += setting_in_words("parallel." + one.name, one.value) + ", ";
    return out + setting_in_words("workload.recompute", name_of(job.training.recompute));
  }

  void precision(const TransformerJob& job) {
    const std::string& now = job.training.precision;
    if (now != "bf16" && now != "fp16") return;
    for (const char* const other : {"fp8", "mxfp8"}) {
      const bool blocks = job.gpu.peak_fp4.has_value();  // Blackwell, which scales blocks of 8 bits
      if (blocks != (std::string_view(other) == "mxfp8") || !product_format(job.gpu, other))
        continue;
      add("precision", fmt::format("products in {} instead of {}", other, now),
          {fmt::format("workload.precision={}", other)},
          "its peak is higher; see that the accuracy holds");
      changes_.back().alters = true;
    }
  }

  /// That the software may have.
  void kernels(const TransformerJob& job) {
    const auto turn_on = [&](bool now, const char* text, const char* key, const char* why) {
      if (!now) add(key, text, {fmt::format("workload.{}=true", key)}, why);
    };
    const auto& training = job.training;
    if (training.attention != AttentionKernel::flash_3)
      add("attention",
          fmt::format("attention by flash-3 or cuDNN instead of {}", name_of(training.attention)),
          {"workload.attention=flash-3"}, "its kernels use the tensor cores better");
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
    if (now.expert > 1)
      turn_on(now.expert_overlap, "tokens that travel to experts while others compute",
              "expert_overlap",
              "GPUs wait less for one another (overlap_moe_expert_parallel_comm)");
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
    std::string said;
    for (const Setting& one : fit)
      said += (said.empty() ? "" : ", ") + setting_in_words(text(one.key), one.value);
    add("memory of GPUs", said, sets, "each GPU holds less");
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
