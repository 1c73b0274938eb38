// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/job.h"

#include <algorithm>
#include <map>

#include "sim/model/compute.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/transport/network_way.h"

namespace gpufeed {
namespace {

bool is_timed(const Gpu& gpu, std::string_view precision) {
  return gpu.transformers && *gpu.transformers && gpu.kernels && *gpu.kernels && gpu.sms &&
         gpu.memory_bandwidth && product_format(gpu, precision);
}

/// The cards for computing: those of one product that carry most; others are for storage.
struct Cards {
  const Nic* model = nullptr;
  double count = 0;
  Bandwidth rate;
};

Cards cards_of(const System& system) {
  std::map<std::string, Cards> by_product;
  for (const auto& nic : system.nics) {
    if (!nic.model) continue;
    Cards& cards = by_product[nic.model.name];
    cards.model = &*nic.model;
    cards.count += 1;
    cards.rate += nic.model->payload_bandwidth();
  }
  Cards most;
  for (const auto& [product, cards] : by_product)
    if (cards.rate > most.rate) most = cards;
  return most;
}

/// GPUs behind one switch share its plug.
double sharing_plug(const System& system) {
  std::map<PartId, double> behind;
  for (const auto& part : system.gpus)
    if (part.at.part) behind[*part.at] += 1;
  double sharing = 1;
  for (const auto& [part, gpus] : behind)
    if (part.kind == PartKind::pcie_switch) sharing = std::max(sharing, gpus);
  return sharing;
}

/// Of a ring over the GPUs' own plugs; through host memory each plug carries both ways of a copy
/// that is staged.
Bandwidth over_plugs(const System& system, const Gpu& gpu) {
  if (system.lets_gpus_reach()) return gpu.link->in_rings(gpu.lanes);
  const double staged = system.sockets.front().model->staged_copy_efficiency.value;
  const double both_ways = gpu.link->duplex ? gpu.link->duplex->value / 2 : 1;
  return gpu.link->to_device(gpu.lanes) * (std::min(staged, both_ways) / sharing_plug(system));
}

void add_host(const System& system, const Gpu& gpu, GpuWays& out) {
  if (gpu.link) out.host = gpu.link->to_device(gpu.lanes) / sharing_plug(system);
  Bandwidth memory;
  for (const Socket& socket : system.sockets) {
    const Cpu& cpu = *socket.model;
    memory += socket.memory_bandwidth.value_or(cpu.memory_bandwidth) * cpu.memory_efficiency.value;
    out.host_room += socket.memory;
  }
  out.host_memory = memory / static_cast<double>(out.node_gpus);
  out.host_room = std::max(Bytes{}, out.host_room - system.reserved_memory);
}

}  // namespace

/// NVLink where the machine has any, else the GPU's own plug, over which a ring goes both ways. A
/// ring leaves each leaf switch once, over its uplink.
GpuWays ways_of(const Scenario& scenario, const Gpu& gpu) {
  const System& system = *scenario.system;
  const bool known = gpu.transformers && *gpu.transformers;
  const double carried = known ? (*gpu.transformers)->network_share.value : 1;
  GpuWays out;
  out.node_gpus = gpus_per_node(scenario);
  const bool joined = !system.nvswitches.empty() || !system.nvlinks.empty();
  if (joined && gpu.nvlink && *gpu.nvlink && gpu.nvlinks) {
    out.local = (*gpu.nvlink)->in_rings(*gpu.nvlinks);
    out.local_step = (*gpu.nvlink)->latency;
  } else if (gpu.link) {
    out.local = over_plugs(system, gpu);
    out.local_step = gpu.link->latency;
  }
  add_host(system, gpu, out);
  const Cards cards = cards_of(system);
  out.network = cards.rate * (carried / static_cast<double>(out.node_gpus));
  const Fabric fabric = scenario.fabric.value_or(Fabric{});
  if (fabric.uplink_bandwidth && fabric.nodes_per_switch.value_or(scenario.nodes) < scenario.nodes)
    out.network = std::min(
        out.network, *fabric.uplink_bandwidth *
                         ((fabric.rails ? cards.count : 1.0) / static_cast<double>(out.node_gpus)));
  out.network_step = fabric.latency;
  if (!cards.model) return out;
  const NetworkWay way = network_way(scenario, *cards.model);
  out.connection = way.most;
  out.network_step += way.farther;
  return out;
}

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
