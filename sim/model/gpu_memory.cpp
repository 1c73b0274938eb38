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

/// Tables are kept in fp32, without gradients or copies, by each GPU or in equal parts.
GpuMemory with_tables(const Scenario& scenario, GpuMemory need) {
  const auto& training = scenario.workload.get<kind::Training>();
  const double tables = training.model->tables->parameters();
  const double dense = 1 - tables / static_cast<double>(training.model->parameters);
  const bool split = split_parameters(scenario) > 0;
  const Bytes kept =
      Bytes{tables * kSingle / (split ? static_cast<double>(gpus_in_use(scenario)) : 1)};
  need.weights = need.weights * dense + kept;
  need.copies = need.copies * dense;
  need.gradients = need.gradients * dense;
  need.optimizer = need.optimizer * dense + kept * numbers_kept(training.optimizer);
  return need;
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
  if (training.model->tables) need = with_tables(scenario, need);
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

namespace {

double adapter_parameters(const Architecture& own) {
  double ends = 0;
  // Of matrices that are computed as one each has an adapter: queries, keys and values, and the two
  // of a gated network.
  const auto add = [&](const std::vector<MatrixSize>& matrices, std::int64_t layers, int more) {
    double sum = static_cast<double>(own.hidden) * more;
    for (const MatrixSize& one : matrices) sum += one.rows + one.columns;
    ends += sum * static_cast<double>(layers);
  };
  const std::int64_t dense = own.experts > 0 ? own.dense_layers : own.layers;
  add(attention_sizes(own).matrices, own.layers, own.kv_rank > 0 ? 0 : 2);
  add(ffn_sizes(own, static_cast<double>(own.ffn)), dense, own.gated ? 1 : 0);
  if (own.shared_ffn > 0)
    add(ffn_sizes(own, static_cast<double>(own.shared_ffn)), own.layers - dense, own.gated ? 1 : 0);
  return ends * kAdapterRank;
}

}  // namespace

TrainingState training_state(const kind::Training& training, CheckpointForm form) {
  const Model& model = *training.model;
  const Optimizer optimizer = training.optimizer;
  const double narrow = std::max(kHalf, bytes_per_number(training.precision));
  double wide = std::max(narrow, training.master_weights ? kSingle : kHalf);
  double numbers = static_cast<double>(model.parameters);
  double tables = 0;  // muon trains these as adam does
  if (training.lora && model.architecture) {
    wide = training.lora_precision == AdapterPrecision::fp32 ? kSingle : kHalf;
    numbers = adapter_parameters(*model.architecture);
  } else if (optimizer == Optimizer::muon && model.architecture) {
    tables = count_architecture(*model.architecture, 1).table;
    tables *= model.architecture->tied ? 1 : 2;
  }
  const double kept = optimizer == Optimizer::adam_8bit ? numbers_kept(optimizer) * kSingle
                                                        : numbers_kept(optimizer) * wide;
  TrainingState out;
  if (training.lora) out.read_besides = Bytes{kHalf * static_cast<double>(model.parameters)};
  if (form == CheckpointForm::safetensors) {
    out.saved = Bytes{numbers * (training.lora ? wide : narrow)};
    return out;
  }
  const double computed = form == CheckpointForm::megatron && wide > narrow ? narrow : 0;
  out.saved = Bytes{numbers * (wide + kept + computed) + tables * wide};
  return out;
}

}  // namespace gpufeed
