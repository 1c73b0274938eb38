// SPDX-License-Identifier: Apache-2.0
#include "sim/model/compute.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"

namespace gpufeed {

namespace {

std::vector<ComputeRow> rows_of(const std::vector<ComputeRow>& all, const ComputesModel& workload,
                                const std::string& gpu) {
  std::vector<ComputeRow> rows;
  for (const auto& row : all)
    if (row.gpu.name == gpu && row.precision == workload.precision) rows.push_back(row);
  std::ranges::sort(rows, {}, &ComputeRow::batch);
  return rows;
}

/// Null where all nodes have as many.
const std::vector<std::int64_t>* placement_of(const Workload& workload) {
  const auto* training = workload.find<kind::Training>();
  return training && !training->placement.empty() ? &training->placement : nullptr;
}

/// Of a quantity whose logarithm is normal, where what is above `most` counts as that:
///   m F((ln most - u - v^2) / v) + most (1 - F((ln most - u) / v)),
/// v^2 = ln(1 + (deviation / m)^2), u = ln m - v^2 / 2. Lengths of documents are so, roughly.
double mean_of_at_most(double mean, double deviation, double most) {
  if (deviation <= 0) return std::min(mean, most);
  const double v2 = std::log1p(std::pow(deviation / mean, 2));
  const double v = std::sqrt(v2);
  const double at = (std::log(most / mean) + v2 / 2) / v;
  const auto below = [](double x) { return std::erfc(-x / std::sqrt(2)) / 2; };
  return mean * below(at - v) + most * (1 - below(at));
}

}  // namespace

std::vector<ComputeRow> compute_rows(const ComputesModel& workload, const std::string& gpu) {
  auto rows = rows_of(workload.compute, workload, gpu);
  return rows.empty() ? rows_of(workload.model->compute, workload, gpu) : rows;
}

std::vector<ComputeRow> forward_rows(const kind::Inference& workload, const std::string& gpu) {
  return rows_of(workload.forward, workload, gpu);
}

Bytes model_bytes(const kind::Inference& workload) {
  const double parameters = static_cast<double>(workload.model->parameters);
  return workload.model_size.value_or(Bytes{parameters * bytes_per_number(workload.precision)});
}

double shared_power_factor(const Scenario& scenario, std::size_t gpu) {
  const auto& gpus = scenario.system->gpus;
  const auto used = std::min(static_cast<std::size_t>(gpus_per_node(scenario)), gpus.size());
  for (std::size_t other = 0; other < used; ++other)
    if (other != gpu && !gpus[gpu].board.empty() && gpus[other].board == gpus[gpu].board)
      return gpus[gpu].model->shared_power_factor.value;
  return 1;
}

std::int64_t gpus_per_node(const Scenario& scenario) {
  return gpus_per_node(scenario.workload, *scenario.system);
}

std::int64_t gpus_per_node(const Workload& workload, const System& system) {
  const auto all = std::max<std::int64_t>(std::ssize(system.gpus), 1);
  if (const auto* sums = workload.find<kind::Collective>()) return sums->gpus.value_or(all);
  if (const auto* placement = placement_of(workload)) return std::ranges::max(*placement);
  const auto* feeds = workload.find<FeedsGpus>();
  return feeds && feeds->gpus ? *feeds->gpus : all;
}

std::int64_t gpus_of_node(const Scenario& scenario, std::int64_t node) {
  const auto* placement = placement_of(scenario.workload);
  return placement ? placement->at(static_cast<std::size_t>(node)) : gpus_per_node(scenario);
}

std::vector<std::int64_t> node_sizes(const Scenario& scenario) {
  const auto* placement = placement_of(scenario.workload);
  if (!placement) return {gpus_per_node(scenario)};
  std::vector<std::int64_t> sizes = *placement;
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

bool is_uneven(const Scenario& scenario) {
  const auto* placement = placement_of(scenario.workload);
  return placement && std::ranges::min(*placement) < std::ranges::max(*placement);
}

std::int64_t gpus_in_use(const Scenario& scenario) {
  return gpus_in_use(scenario.workload, *scenario.system, scenario.nodes);
}

std::int64_t gpus_in_use(const Workload& workload, const System& system, std::int64_t nodes) {
  if (const auto* placement = placement_of(workload))
    return std::accumulate(placement->begin(), placement->end(), std::int64_t{0});
  return gpus_per_node(workload, system) * nodes;
}

std::int64_t loader_processes(const Scenario& scenario) {
  return scenario.loader.processes.value_or(gpus_per_node(scenario));
}

std::int64_t gpus_per_replica(const Scenario& scenario) {
  if (!scenario.parallel) return 1;
  const Parallel& parallel = *scenario.parallel;
  return parallel.tensor * parallel.pipeline * parallel.context;
}

double samples_to_target(const std::vector<TargetRow>& target, double global_batch) {
  const auto batch_of = [](const TargetRow& row) { return static_cast<double>(row.global_batch); };
  const auto samples_of = [](const TargetRow& row) { return static_cast<double>(row.samples); };
  if (global_batch <= batch_of(target.front())) return samples_of(target.front());
  if (global_batch >= batch_of(target.back())) return samples_of(target.back());
  const auto above = std::ranges::find_if(
      target, [&](const TargetRow& row) { return batch_of(row) >= global_batch; });
  const auto below = above - 1;
  const double way =
      std::log(global_batch / batch_of(*below)) / std::log(batch_of(*above) / batch_of(*below));
  return samples_of(*below) * std::pow(samples_of(*above) / samples_of(*below), way);
}

std::int64_t batches_of_step(const Workload& workload) {
  const auto* training = workload.find<kind::Training>();
  return training ? training->accumulate : 1;
}

std::int64_t samples_of_step(const Workload& workload) {
  return batches_of_step(workload) * workload.get<RunsEpochs>().batch_per_gpu;
}

std::int64_t global_batch(const Scenario& scenario) {
  return gpus_in_use(scenario) * samples_of_step(scenario.workload);
}

std::int64_t dataset_samples(const Workload& workload) {
  return dataset_samples(workload.get<ReadsDataset>());
}

std::int64_t dataset_samples(const ReadsDataset& workload) {
  return workload.dataset_samples.value_or(workload.dataset->samples);
}

std::optional<double> tokens_of_sample(const Workload& workload) {
  const auto* training = workload.find<kind::Training>();
  return training ? tokens_of_sample(*training) : std::nullopt;
}

std::optional<double> tokens_of_sample(const kind::Training& training) {
  if (!training.model->tokens) return {};
  const auto taken = static_cast<double>(*training.model->tokens);
  const Dataset& data = *training.dataset;
  if (!data.tokens) return taken;
  return mean_of_at_most(static_cast<double>(*data.tokens),
                         static_cast<double>(data.tokens_deviation), taken);
}

double split_parameters(const Scenario& scenario) {
  const bool split = scenario.parallel && scenario.parallel->tables == TableLayout::split;
  const auto* own = scenario.workload.find<kind::Training>();
  return split && own && own->model && own->model->tables ? own->model->tables->parameters() : 0;
}

bool is_read_anywhere(const Scenario& scenario) {
  const auto* reads = scenario.workload.find<ReadsDataset>();
  return reads && scenario.workload.is<RunsEpochs>() && reads->dataset &&
         reads->dataset->format == StoredAs::indexed &&
         scenario.loader.order == SampleOrder::permutation &&
         scenario.data.mode == ReadMode::buffered && scenario.data.path == ReadPath::host;
}

Seconds index_time(const Scenario& scenario) {
  const auto samples = static_cast<double>(dataset_samples(scenario.workload));
  const Dataset& dataset = *scenario.workload.dataset();
  const double documents = dataset.documents ? static_cast<double>(*dataset.documents) : samples;
  return Loader::kIndexOfSample * samples + Loader::kIndexOfDocument * documents;
}

Bytes checkpoint_of_node(const Scenario& scenario) {
  const Checkpoint& checkpoint = *scenario.checkpoint;
  const Bytes all = checkpoint.size.value_or(Bytes{}) * static_cast<double>(scenario.loader.jobs);
  return checkpoint.writers == CheckpointWriters::all ? all / static_cast<double>(scenario.nodes)
                                                      : all;
}

const DecodeCost* decode_cost(const Decoder& decoder, const std::string& cpu,
                              const std::string& gpu) {
  const DecodeCost* any = nullptr;
  for (const auto& row : decoder.cost) {
    if (!gpu.empty()) {
      if (row.gpu && row.gpu->name == gpu) return &row;
      continue;
    }
    if (row.gpu) continue;
    if (row.cpu && row.cpu->name == cpu) return &row;
    if (!row.cpu) any = &row;
  }
  return any;
}

std::optional<SmtGain> smt_gain(const Scenario& scenario, const Ref<Cpu>& cpu) {
  std::optional<SmtGain> of_cpu;
  if (cpu->smt_speedup) of_cpu = {*cpu->smt_speedup, cpu.name, cpu->provenance_of("smt_speedup")};
  const Ref<Dataset>& dataset = scenario.workload.dataset();
  if (!dataset || scenario.loader.decode != DecodeOn::cpu) return of_cpu;
  const bool stated = of_cpu && is_stated(of_cpu->provenance);
  if (dataset->decode_time) {
    if (stated || !dataset->decode_smt_speedup) return of_cpu;
    return SmtGain{*dataset->decode_smt_speedup, dataset.name,
                   dataset->provenance_of("decode_smt_speedup")};
  }
  if (!dataset->decoder || !*dataset->decoder) return of_cpu;
  const DecodeCost* cost = decode_cost(**dataset->decoder, cpu.name, {});
  if (!cost || !cost->smt_speedup || (stated && !cost->cpu)) return of_cpu;
  return SmtGain{*cost->smt_speedup, (*dataset->decoder).name, {cost->source, cost->basis}};
}

std::int64_t loader_batches(const Loader& loader, std::int64_t gpus) {
  const bool shared = loader.style == LoaderStyle::tensorflow;
  if (!shared && loader.workers_per_gpu == 0) return gpus;  // that each one's process makes
  const std::int64_t builders = shared ? 1 : loader.workers_per_gpu.value;
  return gpus * builders * loader.prefetch_batches;
}

Bytes held_by_loaders(const Workload& workload, const Loader& loader, std::int64_t gpus) {
  const Dataset& dataset = *workload.dataset();
  const auto samples =
      static_cast<double>(loader_batches(loader, gpus) * workload.get<RunsEpochs>().batch_per_gpu);
  const auto* decoder = dataset.decoder && *dataset.decoder ? &**dataset.decoder : nullptr;
  if (!decoder || !decoder->decoded_size) {
    const Bytes decoded = workload.model() ? workload.model()->input_size : Bytes{};
    return (dataset.sample_size + decoded) * samples;
  }
  const std::int64_t workers = std::max<std::int64_t>(1, loader.workers_per_gpu.value);
  const bool shared = loader.style == LoaderStyle::tensorflow;
  const std::int64_t readers = gpus * (shared ? loader.readers.value_or(workers) : workers);
  return *decoder->decoded_size * samples + dataset.sample_size * static_cast<double>(readers);
}

Bytes memory_for_page_cache(const Scenario& scenario) {
  if (scenario.loader.cache_memory) return *scenario.loader.cache_memory;
  Bytes memory{};
  for (const auto& socket : scenario.system->sockets) memory += socket.memory;
  const Bytes held = held_by_loaders(scenario.workload, scenario.loader, gpus_per_node(scenario));
  const bool staged =
      scenario.checkpoint && scenario.checkpoint->mode == CheckpointMode::asynchronous;
  const Bytes saved = staged ? checkpoint_of_node(scenario) : Bytes{};
  return {std::max(0.0, (memory - scenario.system->reserved_memory - held - saved).value)};
}

}  // namespace gpufeed
