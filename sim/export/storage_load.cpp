// SPDX-License-Identifier: Apache-2.0
#include "sim/export/storage_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/diagnostics.h"
#include "sim/kinds/checkpointing/saved_state.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// O_DIRECT takes whole pages only.
constexpr double kPage = 4096;
/// Where no scenario says how large a file is: more than caches of drives hold.
constexpr double kUsualFile = 1073741824;
/// What a reader of a saved state is asked for at once, and its copies of ten.
constexpr double kSavedRequest = 1048576;
constexpr std::int64_t kSaves = 10;

double up_to_page(double bytes) { return std::max(1.0, std::ceil(bytes / kPage)) * kPage; }

/// Requests of fio.
StorageLoad load_of_io(ExportTool tool, const ExportSource& source) {
  const IoJob& io = *source.scenario.workload.get<kind::Io>().io;
  if (io.log)
    throw InputError({{io.log->where,
                       fmt::format("workload.io.log replays the requests of a log at their times, "
                                   "which {} is not told here: export a job of one request size",
                                   name_of(tool)),
                       ProblemCode::conflict, KeyPath("workload.io.log")}});
  StorageLoad load;
  load.readers = io.jobs;
  load.request = io.block_size;
  load.file = io.file_size.value_or(Bytes{std::max(kUsualFile, io.block_size.value)});
  load.depth = io.queue_depth;
  load.batch = io.batch;
  load.read_share = io.read_share.value;
  load.direct = io.direct;
  load.random = io.pattern == AccessPattern::random;
  load.engine = io.engine;
  load.timed = true;
  load.endless = !io.file_size;
  load.notes.said = {"workload.kind",          "workload.io.block_size", "workload.io.queue_depth",
                     "workload.io.jobs",       "workload.io.pattern",    "workload.io.file_size",
                     "workload.io.read_share", "workload.io.direct"};
  if (!io.file_size)
    load.notes.chosen.push_back(
        fmt::format("files of {}, for the scenario's have no end", text(load.file)));
  return load;
}

/// A file for each sample is asked for as a whole, records of a file by themselves.
void take_samples(StorageLoad& load, const ExportSource& source) {
  const Scenario& scenario = source.scenario;
  const Dataset& dataset = *scenario.workload.dataset();
  const double sample = dataset.sample_size.value;
  const auto per_file = static_cast<double>(dataset.samples_per_file);
  load.direct = scenario.data.mode == ReadMode::direct;
  const double asked = load.direct ? scenario.data.request.value_or(Bytes{sample}).value : sample;
  load.request = {load.direct ? up_to_page(asked) : std::max(1.0, std::round(asked))};
  const double file = std::round(sample * per_file);
  load.file = {std::max(load.direct ? up_to_page(file) : file, load.request.value)};
  if (load.file.value != file)
    load.notes.left_out.push_back(
        fmt::format("files of {} B: direct requests are whole pages of 4 KiB, so they are of {} B",
                    whole_bytes(file), whole_bytes(load.file.value)));
  const double files =
      std::ceil(static_cast<double>(dataset_samples(scenario.workload)) / per_file);
  const auto all = static_cast<double>(load.nodes * load.readers);
  load.files = static_cast<std::int64_t>(std::max(1.0, std::ceil(files / all)));
  load.random = scenario.loader.order != SampleOrder::sequential;
  if (scenario.loader.order == SampleOrder::shards)
    load.random = dataset.samples_per_file == 1 && load.request.value == load.file.value;
  if (dataset.sample_size_deviation.value > 0)
    load.notes.left_out.push_back(fmt::format("sizes of samples deviate by {}: all are {} here",
                                              text(dataset.sample_size_deviation),
                                              text(dataset.sample_size)));
}

/// What the loaders of a job read.
StorageLoad load_of_loaders(const ExportSource& source) {
  const Scenario& scenario = source.scenario;
  StorageLoad load;
  load.nodes = scenario.nodes;
  load.gpus = gpus_per_node(scenario);
  load.readers = load.gpus * std::max<std::int64_t>(1, scenario.loader.workers_per_gpu.value);
  load.gpudirect = scenario.data.path == ReadPath::gpudirect;
  load.notes.said = {"workload.kind",
                     "workload.dataset",
                     "workload.dataset_samples",
                     "workload.gpus",
                     "workload.job.dataset",
                     "workload.job",
                     "loader.style",
                     "loader.workers_per_gpu",
                     "loader.order",
                     "loader.readers",
                     "workload.batch_per_gpu",
                     "workload.global_batch",
                     "workload.model",
                     "workload.framework",
                     "workload.precision",
                     "workload.compute",
                     "workload.samples",
                     "workload.epochs",
                     "data.mode",
                     "data.path",
                     "data.request",
                     "nodes"};
  load.notes.left_out.push_back(
      "what is done with the data: decoding, batches, computing, exchange, epochs; readers ask for "
      "the next as soon as they can, as where GPUs never keep up");
  if (scenario.workload.is<kind::Emulated>())
    load.notes.left_out.push_back(
        fmt::format("the {} of a step that accelerators sleep",
                    text((*scenario.workload.get<kind::Emulated>().job)->compute_time)));
  take_samples(load, source);
  return load;
}

/// A state is saved and loaded ten times, each rank files of its own: of equal sizes here.
StorageLoad load_of_saving(const ExportSource& source) {
  const Scenario& scenario = source.scenario;
  const auto& keys = scenario.workload.get<kind::Checkpointing>();
  const SavedState state = saved_state(keys.model);
  const auto ranks = static_cast<double>(state.ranks());
  StorageLoad load;
  load.nodes = scenario.nodes;
  load.readers = static_cast<std::int64_t>(std::ceil(ranks / static_cast<double>(scenario.nodes)));
  load.request = {kSavedRequest};
  double files = 0;
  for (const auto& of_rank : state.files) files += static_cast<double>(of_rank.size());
  load.files = static_cast<std::int64_t>(std::max(1.0, std::round(files / ranks)));
  load.file = {up_to_page(state.size().value / ranks / static_cast<double>(load.files))};
  load.file = {std::max(load.file.value, load.request.value)};
  load.synced = true;
  load.saves = true;
  load.repeat = kSaves;
  load.notes.said = {"workload.kind", "workload.model", "nodes"};
  load.notes.left_out.push_back(
      fmt::format("{} files of {} ranks that differ: here each rank has {} of {}",
                  static_cast<std::int64_t>(files), state.ranks(), load.files, text(load.file)));
  load.notes.left_out.emplace_back("caches that are empty before each load");
  load.notes.chosen.emplace_back("requests of 1 MiB");
  return load;
}

}  // namespace

StorageLoad storage_load(ExportTool tool, const ExportSource& source) {
  const Workload& workload = source.scenario.workload;
  if (workload.is<kind::Io>() && workload.get<kind::Io>().io) return load_of_io(tool, source);
  if (workload.is<kind::Checkpointing>()) return load_of_saving(source);
  if (workload.is<RunsEpochs>()) return load_of_loaders(source);
  refuse_kind(tool, source,
              "it reads and writes files, as jobs of io, training, emulated, loader and "
              "checkpointing do");
}

}  // namespace gpufeed
