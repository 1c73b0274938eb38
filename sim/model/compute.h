// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/scenario.h"

namespace gpufeed {

/// The training rates of the workload that hold for a GPU and the workload's precision, by batch.
/// The workload's own rates, where it has any, stand instead of the model's.
std::vector<ComputeRow> compute_rows(const Workload& workload, const std::string& gpu);

/// How many GPUs take part; of other kinds of workload: accelerators or loaders.
std::int64_t gpus_in_use(const Scenario& scenario);

/// Samples of one step of all GPUs.
std::int64_t global_batch(const Scenario& scenario);

/// Whether a workload reads samples of a data set; io and transfers move plain bytes.
constexpr bool reads_dataset(WorkloadKind kind) {
  return kind != WorkloadKind::io && kind != WorkloadKind::transfers;
}

/// Samples of one epoch of one job.
std::int64_t dataset_samples(const Workload& workload);

/// What a checkpoint of the model holds where the scenario says nothing: weights and both moments
/// of Adam in FP32, 12 B a parameter.
Bytes checkpoint_size(const Model& model);

/// What the decoder costs on a core of `cpu`, or on `gpu` where that is not empty: the row that
/// names it, else (cores only) the one that names none; null where there is neither.
const DecodeCost* decode_cost(const Decoder& decoder, const std::string& cpu,
                              const std::string& gpu);

/// Positions in `System::drives` of a volume's drives, or of the drive itself, called `id`.
std::vector<std::size_t> drives_of(const System& system, const std::string& id);

}  // namespace gpufeed
