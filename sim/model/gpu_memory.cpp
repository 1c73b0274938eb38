// SPDX-License-Identifier: Apache-2.0
#include "sim/model/gpu_memory.h"

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

constexpr double kSingle = 4, kHalf = 2;  ///< bytes of fp32, and of 16 bits

double numbers_kept(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::sgd:
    case Optimizer::adafactor:
      return 0;
    case Optimizer::momentum:
    case Optimizer::muon:
      return 1;
    case Optimizer::adam_8bit:
      return 0.5;  // two of a byte
    case Optimizer::adam:
      break;
  }
  return 2;
}

/// Of a sample: what blocks pass on, and all of one block.
Bytes recomputed(const Model& model, std::string_view precision, Bytes all) {
  const auto blocks = static_cast<double>(model.blocks.value_or(1));
  return block_output(model, precision) * blocks + all / blocks;
}

/// Bytes, before any hook. Decoders are summed in fp32 where their weights are kept so, whatever
/// products are in (Megatron, torchtitan).
double gradient_number(const Scenario& scenario) {
  if (scenario.exchange.dtype) return bytes_per_number(name_of(*scenario.exchange.dtype));
  const auto& own = scenario.workload.get<ComputesModel>();
  const auto* training = scenario.workload.find<kind::Training>();
  if (training && own.model->architecture) return training->master_weights ? kSingle : kHalf;
  return bytes_per_number(own.precision);
}

}  // namespace

double bytes_per_number(std::string_view precision) {
  if (precision == "fp64") return 8;
  if (precision == "fp16" || precision == "bf16") return 2;
  if (precision == "int4") return 0.5;
  return precision == "fp8" || precision == "int8" ? 1 : kSingle;
}

double gradient_bytes(const Scenario& scenario) {
  const Exchange& exchange = scenario.exchange;
  const double own = gradient_number(scenario);
  switch (exchange.hook) {
    case CommunicationHook::fp16_compress_hook:
    case CommunicationHook::bf16_compress_hook:
      return std::min(own, kHalf);
    case CommunicationHook::power_sgd_hook:
      return own * exchange.hook_share.value_or(Ratio{1.0}).value;
    case CommunicationHook::none:
      break;
  }
  return own;
}

Bytes block_output(const Model& model, std::string_view precision) {
  return model.block_output.value_or(Bytes{}) * (bytes_per_number(precision) / kSingle);
}

GpuMemory gpu_memory(const Model& model, std::string_view precision, Optimizer optimizer) {
  const double bytes = bytes_per_number(precision);
  const Bytes numbers{static_cast<double>(model.parameters)};
  GpuMemory out;
  out.weights = numbers * bytes;
  out.copies = numbers * (bytes < kSingle ? kSingle : 0);
  out.gradients = numbers * bytes;
  out.optimizer = numbers * (numbers_kept(optimizer) * std::max(bytes, kSingle));
  out.activations = model.activation_size.value_or(Bytes{}) * (bytes / kSingle);
  return out;
}

GpuMemory gpu_memory(const Scenario& scenario) {
  const auto& training = scenario.workload.get<kind::Training>();
  GpuMemory need = gpu_memory(*training.model, training.precision, training.optimizer);
  if (training.recompute != Recompute::none)
    need.activations = recomputed(*training.model, training.precision, need.activations);
  if (!training.master_weights) {
    need.copies = {};
    const double bytes = bytes_per_number(training.precision);
    need.optimizer = need.optimizer * (bytes / std::max(bytes, kSingle));
  }
  if (!scenario.parallel) return need;
  const Parallel& parallel = *scenario.parallel;
  const auto holders = static_cast<double>(gpus_per_replica(scenario));
  const double replicas = static_cast<double>(gpus_in_use(scenario)) / holders;
  const auto divide = [&](Bytes& part, Sharding from) {
    part = part / (parallel.shard >= from ? holders * replicas : holders);
  };
  divide(need.copies, Sharding::optimizer);
  divide(need.optimizer, Sharding::optimizer);
  divide(need.gradients, Sharding::gradients);
  divide(need.weights, Sharding::parameters);
  need.activations =
      need.activations * (static_cast<double>(std::min(parallel.pipeline, parallel.micro_batches)) /
                          static_cast<double>(parallel.micro_batches));
  return need;
}

}  // namespace gpufeed
