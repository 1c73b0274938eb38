// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/job.h"

#include <algorithm>
#include <map>

#include "sim/model/compute.h"
#include "sim/model/gpu_memory.h"

namespace gpufeed {
namespace {

bool is_timed(const Gpu& gpu, std::string_view precision) {
  return gpu.transformers && *gpu.transformers && gpu.kernels && *gpu.kernels && gpu.sms &&
         gpu.memory_bandwidth && product_format(gpu, precision);
}

/// Of the cards for computing: those of one product that carry most; others are for storage.
Bandwidth cards_of(const System& system) {
  std::map<std::string, Bandwidth> by_product;
  for (const auto& nic : system.nics)
    if (nic.model) by_product[nic.model.name] += nic.model->payload_bandwidth();
  Bandwidth most{};
  for (const auto& [product, rate] : by_product) most = std::max(most, rate);
  return most;
}

/// NVLink where the machine has any, else the GPU's own plug, over which a ring goes both ways.
GpuWays ways_of(const Scenario& scenario, const Gpu& gpu) {
  const System& system = *scenario.system;
  const TransformerLibrary& library = **gpu.transformers;
  GpuWays out;
  out.node_gpus = gpus_per_node(scenario);
  const bool joined = !system.nvswitches.empty() || !system.nvlinks.empty();
  if (joined && gpu.nvlink && *gpu.nvlink && gpu.nvlinks) {
    out.local = (*gpu.nvlink)->in_rings(*gpu.nvlinks);
    out.local_step = (*gpu.nvlink)->latency;
  } else if (gpu.link) {
    out.local = gpu.link->in_rings(gpu.lanes);
    out.local_step = gpu.link->latency;
  }
  out.network =
      cards_of(system) * (library.network_share.value / static_cast<double>(out.node_gpus));
  out.network_step = scenario.fabric.value_or(Fabric{}).latency;
  return out;
}

}  // namespace

std::optional<ProductFormat> product_format(const Gpu& gpu, std::string_view precision) {
  // Transformer Engine's kernels for NVFP4, of the rate that those for 8 bits attain of theirs
  constexpr double kFourBitShare = 0.8;
  const auto format = [](const std::optional<FlopRate>& peak, double bytes,
                         double share = 1) -> std::optional<ProductFormat> {
    if (!peak) return {};
    return ProductFormat{*peak * share, bytes};
  };
  if (precision == "bf16" || precision == "fp16" || precision == "mixed")
    return format(precision == "bf16" ? gpu.peak_bf16 : gpu.peak_fp16, 2);
  if (precision == "fp8" || precision == "mxfp8") return format(gpu.peak_fp8, 1);
  if (precision == "nvfp4") return format(gpu.peak_fp4, 0.5, kFourBitShare);
  return {};
}

std::optional<TransformerJob> transformer_job(const Scenario& scenario) {
  const auto* training = scenario.workload.find<kind::Training>();
  if (!training || !training->model || !training->model->architecture) return {};
  const auto& gpus = scenario.system->gpus;
  if (gpus.empty() || !gpus.front().model) return {};
  const Ref<Gpu>& gpu = gpus.front().model;
  if (!is_timed(*gpu, training->precision) || !compute_rows(*training, gpu.name).empty()) return {};
  TransformerJob job{.architecture = *training->model->architecture,
                     .gpu = *gpu,
                     .training = *training,
                     .parallel = scenario.parallel.value_or(Parallel{}),
                     .ways = ways_of(scenario, *gpu),
                     .gpus = gpus_in_use(scenario),
                     .gradient_bytes = training->lora ? 0 : gradient_bytes(scenario)};
  job.sequence = static_cast<double>(*training->model->tokens);
  const double samples = static_cast<double>(samples_of_step(scenario.workload)) *
                         static_cast<double>(job.gpus) /
                         (job.replicas() * static_cast<double>(training->steps_together));
  const double at_once = samples / static_cast<double>(training->accumulate);
  job.micro_batch = job.parallel.micro_batch
                        ? static_cast<double>(*job.parallel.micro_batch)
                        : at_once / static_cast<double>(job.parallel.micro_batches);
  job.micro_batches = samples / job.micro_batch;
  return job;
}

}  // namespace gpufeed
