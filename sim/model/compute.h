// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/products.h"
#include "sim/model/catalog/system.h"

namespace gpufeed {

struct ComputesModel;
struct Loader;
struct ReadsDataset;
struct Scenario;
struct TargetRow;
struct Workload;
namespace kind {
struct Inference;
struct Training;
}  // namespace kind

/// The training rates of the workload that hold for a GPU and the workload's precision, by batch.
/// The workload's own rates, where it has any for that GPU, stand instead of the model's.
std::vector<ComputeRow> compute_rows(const ComputesModel& workload, const std::string& gpu);

/// The workload's own rates of the forward pass on a GPU in its precision, by batch; none where a
/// third of the training step stands for it.
std::vector<ComputeRow> forward_rows(const kind::Inference& workload, const std::string& gpu);

/// Bytes of the model that is served.
Bytes model_bytes(const kind::Inference& workload);

/// Speed of the GPU with this number, over its speed alone: less than 1 where another of its board
/// takes part.
double shared_power_factor(const Scenario& scenario, std::size_t gpu);

/// How many GPUs of a node take part, of the one with most; of other kinds of workload:
/// accelerators or loaders.
std::int64_t gpus_per_node(const Scenario& scenario);
std::int64_t gpus_per_node(const Workload& workload, const System& system);

/// Of this node.
std::int64_t gpus_of_node(const Scenario& scenario, std::int64_t node);
/// The numbers of GPUs that nodes have, each once, ascending.
std::vector<std::int64_t> node_sizes(const Scenario& scenario);
/// Whether nodes have unlike numbers of GPUs that take part.
bool is_uneven(const Scenario& scenario);

/// Of all nodes together.
std::int64_t gpus_in_use(const Scenario& scenario);
std::int64_t gpus_in_use(const Workload& workload, const System& system, std::int64_t nodes);

/// GPUs that hold one model together.
std::int64_t gpus_per_replica(const Scenario& scenario);

/// Parameters of embedding tables that all GPUs share (parallel.tables).
double split_parameters(const Scenario& scenario);

/// Processes of a node that take batches over from loader workers.
std::int64_t loader_processes(const Scenario& scenario);

/// Samples until the wanted accuracy at a global batch, between two rows of `target` along a power
/// law, beyond them as the nearest row. \param target  at least one row, by global batch
double samples_to_target(const std::vector<TargetRow>& target, double global_batch);

/// Batches that a GPU computes in a step: `accumulate` of a training, else one.
std::int64_t batches_of_step(const Workload& workload);

/// Samples of a GPU and step.
std::int64_t samples_of_step(const Workload& workload);

/// Samples of one step of all GPUs.
std::int64_t global_batch(const Scenario& scenario);

/// Samples of one epoch of one job.
std::int64_t dataset_samples(const Workload& workload);
std::int64_t dataset_samples(const ReadsDataset& workload);

/// Of the data that a training step takes of one sample; nothing where the model does not say its
/// tokens. What fills up a shorter sample counts as none, what is left out of a longer one neither;
/// where samples have many lengths, their logarithm is taken to be normal.
std::optional<double> tokens_of_sample(const Workload& workload);
std::optional<double> tokens_of_sample(const kind::Training& training);

/// Whether any sample of an indexed file may be the next, and passes the page cache.
bool is_read_anywhere(const Scenario& scenario);

/// Loader::kIndexOfSample and kIndexOfDocument, for all of the data set.
Seconds index_time(const Scenario& scenario);

/// What of a checkpoint of all jobs one node saves, of those nodes that save most.
Bytes checkpoint_of_node(const Scenario& scenario);

/// What the decoder costs on a core of `cpu`, or on `gpu` where that is not empty: the row that
/// names it, else (cores only) the one that names none; null where there is neither.
const DecodeCost* decode_cost(const Decoder& decoder, const std::string& cpu,
                              const std::string& gpu);

/// What a core with all its threads at work does, over one thread, and who says so.
struct SmtGain {
  Ratio value{1.0};
  std::string of;  ///< a decoder, a data set or a CPU
  Provenance provenance;

  bool operator==(const SmtGain&) const = default;
};

/// Of what the loaders do on cores of `cpu`: as the decoder says of this CPU, else as was measured
/// of the CPU itself or set by the user, else as the decoder or the data set says of any, else as
/// the CPU's entry estimates. Nothing where none of them says it.
std::optional<SmtGain> smt_gain(const Scenario& scenario, const Ref<Cpu>& cpu);

/// Batches that the loaders of so many GPUs have under way or waiting at most.
std::int64_t loader_batches(const Loader& loader, std::int64_t gpus);

/// What they hold in memory: those batches, as stored and as a model takes them in; of a decoder
/// with a `decoded_size` that, and what its readers are reading.
Bytes held_by_loaders(const Workload& workload, const Loader& loader, std::int64_t gpus);

/// Memory of a node that neither its system, its loaders nor asynchronous checkpoints hold: the
/// page cache may fill it, unless `loader.cache_memory` says how much.
Bytes memory_for_page_cache(const Scenario& scenario);

}  // namespace gpufeed
