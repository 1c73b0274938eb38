// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"
#include "sim/export/parts.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

std::string_view python(bool yes) { return yes ? "True" : "False"; }

/// Which samples a rank takes in which order.
std::string sampler_of(const Scenario& scenario, bool drop_last) {
  const bool shuffles = scenario.loader.order != SampleOrder::sequential;
  const std::int64_t ranks = gpus_in_use(scenario);
  if (ranks == 1 || !scenario.loader.common_seed) {
    std::string out = fmt::format("    shuffle={},\n", python(shuffles));
    if (shuffles)
      out += fmt::format("    generator=torch.Generator().manual_seed({}{}),\n", scenario.run.seed,
                         ranks > 1 ? " + rank" : "");
    return out;
  }
  return fmt::format(
      "    sampler=torch.utils.data.distributed.DistributedSampler(\n"
      "        dataset, num_replicas={}, rank=rank, shuffle={}, seed={}, drop_last={}),\n",
      ranks, python(shuffles), scenario.run.seed, python(drop_last));
}

}  // namespace

ToolText pytorch_text(const ExportSource& source) {
  const Scenario& scenario = source.scenario;
  const Loader& loader = scenario.loader;
  if (!scenario.workload.is<RunsEpochs>())
    refuse_kind(ExportTool::pytorch, source,
                "it feeds GPUs batches, of training, emulated and loader jobs");
  if (loader.style != LoaderStyle::pytorch)
    throw InputError({{loader.where,
                       "loader.style is \"tensorflow\": its loader is tf.data, which has other "
                       "arguments than PyTorch's DataLoader",
                       ProblemCode::conflict, KeyPath("loader.style")}});
  const std::int64_t workers = loader.workers_per_gpu.value;
  ToolText out;
  const std::string& title = scenario.workload.dataset()->title;
  out.text = fmt::format(
      "# dataset: yours, of {} samples{}\n# rank: of this process, from 0 to {}\nimport torch\n\n\n"
      "loader = torch.utils.data.DataLoader(\n    dataset,\n    batch_size={},\n",
      dataset_samples(scenario.workload), title.empty() ? "" : " (" + printable(title) + ")",
      gpus_in_use(scenario) - 1, scenario.workload.get<RunsEpochs>().batch_per_gpu.value);
  out.text += sampler_of(scenario, loader.drop_last);
  out.text += fmt::format("    num_workers={},\n", workers);
  if (workers > 0)
    out.text += fmt::format("    prefetch_factor={},\n    persistent_workers={},\n",
                            loader.prefetch_batches.value, python(loader.persistent_workers));
  if (!scenario.workload.is<kind::Emulated>())
    out.text += fmt::format("    pin_memory={},\n", python(loader.pinned_memory));
  out.text += fmt::format("    drop_last={},\n)\n", python(loader.drop_last));
  out.said = {"workload.kind",
              "workload.batch_per_gpu",
              "workload.global_batch",
              "workload.dataset",
              "workload.dataset_samples",
              "workload.gpus",
              "workload.job.batch",
              "workload.job.read_threads",
              "workload.job.prefetch",
              "workload.job.style",
              "workload.job.dataset",
              "loader.style",
              "loader.workers_per_gpu",
              "loader.prefetch_batches",
              "loader.persistent_workers",
              "loader.pinned_memory",
              "loader.drop_last",
              "loader.common_seed",
              "nodes"};
  if (loader.order == SampleOrder::shards)
    out.left_out.emplace_back(
        "loader.order = \"shards\": record files in random order, each from start to end, is what "
        "an IterableDataset of yours does; here samples are shuffled");
  else
    out.said.emplace_back("loader.order");
  if (scenario.data.path == ReadPath::host) out.said.emplace_back("data.path");
  out.left_out.emplace_back(
      "what the job does beside its loader: reading and decoding are the data set's own");
  return out;
}

}  // namespace gpufeed
