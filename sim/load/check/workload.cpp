// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "sim/load/check/checks.h"
#include "sim/load/read/access_log.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/compute.h"

namespace gpufeed {
namespace {

class WorkloadChecker {
 public:
  WorkloadChecker(Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario), workload_(scenario.workload), system_(system), out_(out) {}

  void check() {
    fill_defaults();
    check_amount();
    check_gpus();
    check_nodes(scenario_, system_, out_);
    if (workload_.kind == WorkloadKind::transfers) return check_copies();
    if (workload_.kind == WorkloadKind::io) return check_io();
    if (workload_.kind == WorkloadKind::pipeline) return check_pipeline(scenario_, system_, out_);
    if (workload_.kind == WorkloadKind::inference) return check_serving();
    if (!reads_dataset(workload_.kind)) return;
    if (!workload_.dataset) return;
    check_decoding();
    check_batch_size();
    check_one_step();
  }

 private:
  void check_serving() {
    if (workload_.dataset) check_decoding();
    check_inference(scenario_, system_, out_);
  }

  template <class T, class V>
  void fill(std::optional<T>& value, V standard, std::string_view key) {
    if (value) return;
    value = static_cast<T>(standard);
    scenario_.defaults.push_back(fmt::format("{} = {}", key, toml_value(*value)));
  }

  void fill_defaults() {
    if (!reads_dataset(workload_.kind)) return;
    auto& loader = scenario_.loader;
    if (workload_.kind == WorkloadKind::emulated) {
      if (!workload_.job || !*workload_.job) return;
      const Job& job = **workload_.job;
      if (!workload_.dataset) workload_.dataset = job.dataset;
      fill(workload_.batch_per_gpu, job.batch, "workload.batch_per_gpu");
      if (!workload_.samples) fill(workload_.epochs, job.epochs, "workload.epochs");
      fill_dataset_samples(job);
      fill(workload_.step_jitter, job.step_jitter, "workload.step_jitter");
      fill(loader.style, job.style, "loader.style");
      fill_shuffle_time();
      fill(loader.workers_per_gpu, job.read_threads, "loader.workers_per_gpu");
      // PyTorch gives each worker its part of what is to be fetched ahead.
      const bool whole = *loader.style == LoaderStyle::tensorflow;
      const std::int64_t workers = whole ? 1 : *loader.workers_per_gpu;
      fill(loader.prefetch_batches, (job.prefetch + workers - 1) / workers,
           "loader.prefetch_batches");
      return;
    }
    fill_batch();
    fill_jitter();
    fill(loader.style, LoaderStyle::pytorch, "loader.style");
    fill_shuffle_time();
    fill(loader.workers_per_gpu, 8, "loader.workers_per_gpu");
    fill(loader.prefetch_batches, 2, "loader.prefetch_batches");
  }

  /// Every rank's tf.data passes the names of all files through a shuffle buffer. Calibrated: the
  /// first steps of MLPerf Storage's CosmoFlow on one Micron 9400 with 485,909 files lasted 0.3 s.
  void fill_shuffle_time() {
    if (scenario_.loader.style == LoaderStyle::tensorflow)
      fill(scenario_.loader.shuffle_time_per_file, Seconds{0.65e-6},
           "loader.shuffle_time_per_file");
  }

  /// GPUs that are equally fast in every step and wait for none fall into step all the same, and
  /// then exchange together for ever. Steps of real ones vary by a few percent: an estimate.
  void fill_jitter() {
    if (workload_.kind != WorkloadKind::training) return;
    const bool waits = scenario_.exchange.mode == ExchangeMode::synchronous;
    fill(workload_.step_jitter, Ratio{waits ? 0 : 0.05}, "workload.step_jitter");
  }

  void fill_batch() {
    if (!workload_.global_batch) return fill(workload_.batch_per_gpu, 64, "workload.batch_per_gpu");
    const std::int64_t all = gpus();
    if (workload_.batch_per_gpu)
      out_.error(workload_.where,
                 "workload.batch_per_gpu and workload.global_batch exclude each other; leave one "
                 "out");
    else if (*workload_.global_batch % all != 0)
      out_.error(
          workload_.where,
          "workload.global_batch is {}, which {} GPUs cannot share equally; the nearest that "
          "they can is {}",
          *workload_.global_batch, all,
          std::max<std::int64_t>((*workload_.global_batch + all / 2) / all, 1) * all);
    workload_.batch_per_gpu = std::max<std::int64_t>(*workload_.global_batch / all, 1);
  }

  /// The rules of a benchmark make the data set long enough and too large for the memory.
  void fill_dataset_samples(const Job& job) {
    if (workload_.dataset_samples || !workload_.dataset) return;
    const std::int64_t step = gpus() * *workload_.batch_per_gpu;
    Bytes memory{};
    for (const auto& socket : system_.sockets)
      memory += socket.memory * static_cast<double>(scenario_.nodes);
    double samples = 0;
    if (job.least_steps) samples = static_cast<double>(*job.least_steps * step);
    if (job.memory_multiple)
      samples = std::max(samples, std::ceil(memory * static_cast<double>(*job.memory_multiple) /
                                            workload_.dataset->sample_size));
    if (samples > 0)
      fill(workload_.dataset_samples, static_cast<std::int64_t>(samples),
           "workload.dataset_samples");
  }

  void check_amount() {
    if (workload_.samples && workload_.epochs)
      out_.error(workload_.where,
                 "workload.samples and workload.epochs exclude each other; leave one out");
  }

  void check_gpus() {
    using enum WorkloadKind;
    const auto present = static_cast<std::int64_t>(system_.gpus.size());
    const bool on_gpus = workload_.kind == training || workload_.kind == inference;
    if (present == 0 && on_gpus) {
      out_.error(system_.where, "{} has no [[gpu]]; {} needs one at least", system_.name,
                 name_of(workload_.kind));
      return;
    }
    if (on_gpus && workload_.gpus.value_or(0) > present)
      out_.error(workload_.where, "workload.gpus is {}, but {} has {} GPUs", *workload_.gpus,
                 scenario_.system.name, present);
    const std::int64_t jobs = scenario_.loader.jobs;
    if (workload_.kind == training && gpus_of_node() % jobs != 0)
      out_.error(scenario_.loader.where,
                 "loader.jobs is {}, but {} GPUs cannot be shared equally among them", jobs,
                 gpus_of_node());
  }

  /// Of all nodes.
  std::int64_t gpus() const { return gpus_of_node() * scenario_.nodes; }
  std::int64_t gpus_of_node() const { return gpus_per_node(workload_, system_); }

  void check_one_step() {
    const std::int64_t batch = gpus() * *workload_.batch_per_gpu;
    const std::int64_t samples = dataset_samples(workload_);
    const std::int64_t fewest = std::min(samples, workload_.samples.value_or(samples));
    if (fewest < batch)
      out_.error(workload_.where,
                 "one step of all GPUs takes {} samples, but there are only {}; lower "
                 "workload.batch_per_gpu or workload.gpus",
                 batch, fewest);
  }

  /// The engines count bytes exactly up to 1 PiB a flow.
  void check_batch_size() {
    using namespace literals;
    const auto samples = static_cast<double>(*workload_.batch_per_gpu);
    const auto refuse = [&](Bytes batch, std::string_view what) {
      if (batch > 1_PB)
        out_.error(workload_.where, "a batch of {} {} is {}; at most 1 PB can be simulated",
                   *workload_.batch_per_gpu, what, text(batch, 3));
    };
    refuse(workload_.dataset->sample_size * samples, "stored samples");
    if (workload_.model) refuse(workload_.model->input_size * samples, "decoded samples");
  }

  void check_decoding() {
    const Dataset& dataset = *workload_.dataset;
    const DecodeOn on = scenario_.loader.decode;
    if (on == DecodeOn::none) return;
    if (on == DecodeOn::cpu && dataset.decode_time) return;
    const bool known = dataset.decoder && *dataset.decoder;
    if (!known) {
      if (dataset.decoder) return;  // reported where it was not found
      out_.error(workload_.dataset.where,
                 "workload.dataset: {} has no {}; add {}, or set loader.decode = \"none\" where "
                 "samples are stored ready for training",
                 workload_.dataset.name, on == DecodeOn::cpu ? "decode_time" : "decoder",
                 on == DecodeOn::cpu ? "it or a decoder" : "one that decodes on GPUs");
      return;
    }
    const Decoder& decoder = **dataset.decoder;
    if (decoder.reader_bandwidth && !decoder.decodes_while_reading)
      out_.error(workload_.dataset.where,
                 "workload.dataset: decoder {} has a reader_bandwidth, but does not decode while "
                 "reading; add decodes_while_reading = true to it",
                 decoder.name);
    if (on == DecodeOn::gpu) {
      for (const auto& gpu : system_.gpus)
        need_cost(**dataset.decoder, dataset, {}, gpu.model.name);
      return;
    }
    for (const auto& socket : system_.sockets)
      need_cost(**dataset.decoder, dataset, socket.model.name, {});
  }

  void need_cost(const Decoder& decoder, const Dataset& dataset, const std::string& cpu,
                 const std::string& gpu) {
    const DecodeCost* cost = decode_cost(decoder, cpu, gpu);
    if (!cost)
      out_.error(workload_.dataset.where,
                 "workload.dataset: decoder {} has no cost on {}; add a [[cost]] table to it",
                 decoder.name, cpu.empty() ? gpu : cpu);
    else if (cost->pixel_rate && !dataset.pixels)
      out_.error(workload_.dataset.where,
                 "workload.dataset: decoder {} counts pixels, but {} does not say how many a "
                 "sample has; add pixels to it",
                 decoder.name, workload_.dataset.name);
  }

  void check_io() {
    if (!workload_.io) return;
    IoJob& io = *workload_.io;
    load_log(io);
    Names sockets;
    for (const auto& socket : system_.sockets) sockets.push_back(socket.id);
    if (!io.memory.id.empty() && !std::ranges::count(sockets, io.memory.id))
      out_.error(io.memory.where, "workload.io.memory: there is no socket \"{}\"; {}", io.memory.id,
                 suggestion(io.memory.id, sockets));
    if (scenario_.data.path != ReadPath::host)
      out_.error(workload_.where,
                 "data.path: an io workload moves data to and from host memory; "
                 "leave it at \"host\"");
    if (scenario_.data.staging)
      out_.error(scenario_.data.staging->from.where,
                 "data.staging: an io workload copies nothing in; leave it out");
  }

  void load_log(IoJob& io) {
    if (!io.log || io.log->path.empty()) return;
    namespace fs = std::filesystem;
    const bool on_command_line = io.log->where.file.starts_with("--");
    const fs::path folder = on_command_line ? "" : fs::path(io.log->where.file).parent_path();
    io.requests = load_access_log(folder / io.log->path, out_);
  }

  void check_copies() {
    Names ends;
    for (const auto& part : system_.sockets) ends.push_back(part.id);
    for (const auto& part : system_.gpus) ends.push_back(part.id);
    for (const auto& part : system_.drives) ends.push_back(part.id);
    for (const auto& part : system_.volumes) ends.push_back(part.id);
    for (const auto& [name, store] : scenario_.store) ends.push_back(name);
    Names gpus;
    for (const auto& part : system_.gpus) gpus.push_back(part.id);
    for (auto& copy : workload_.copies) {
      refer(copy.from, "from", ends);
      refer(copy.to, "to", ends);
      check_writable(scenario_, copy.to, "workload.copy.to", out_);
      if (!copy.via) continue;
      refer(*copy.via, "via", gpus);
      for (const PartRef* end : {&copy.from, &copy.to}) {
        if (end->id == copy.via->id)
          out_.error(end->where,
                     "workload.copy.via: \"{}\" is an end of the copy; name a third GPU", end->id);
        if (std::ranges::count(ends, end->id) && !std::ranges::count(gpus, end->id))
          out_.error(end->where, "workload.copy.via: \"{}\" is no GPU; only GPUs pass data on",
                     end->id);
      }
    }
    for (const auto& copy : workload_.copies)
      if (copy.from.id == copy.to.id && !copy.from.id.empty())
        out_.error(copy.where, "workload.copy: from and to are both \"{}\"; name two parts",
                   copy.from.id);
    if (!workload_.tests.empty() && system_.gpus.empty())
      out_.error(workload_.where, "workload.tests copy to and from GPUs, and {} has none",
                 scenario_.system.name);
  }

  void refer(const PartRef& part, std::string_view key, const Names& known) {
    if (part.id.empty() || std::ranges::count(known, part.id)) return;
    out_.error(part.where, "workload.copy.{}: there is no \"{}\"; {}", key, part.id,
               suggestion(part.id, known));
  }

  Scenario& scenario_;
  Workload& workload_;
  const System& system_;
  Diagnostics& out_;
};

constexpr std::string_view kEntry = "a name in the catalog, a path to a file, or a table";

}  // namespace

void check_workload_keys(const Scenario& scenario,
                         const std::set<std::string, std::less<>>& misspelt, Diagnostics& out) {
  using enum WorkloadKind;
  const Workload& workload = scenario.workload;
  if (workload.where.line == 0) return;  // the whole table is missing
  const auto need = [&](bool there, const char* key, const std::string& what) {
    if (!there && !misspelt.contains(fmt::format("workload.{}", key)))
      out.error(workload.where, "workload: \"{}\" is missing; {} needs {}", key,
                name_of(workload.kind), what);
  };
  const bool has_model = !workload.model.name.empty() || workload.model;
  const bool has_data = !workload.dataset.name.empty() || workload.dataset;
  switch (workload.kind) {
    case training:
      need(has_model, "model", fmt::format("the network to train: {}", kEntry));
      [[fallthrough]];
    case loader:
      need(has_data, "dataset", fmt::format("the data to read: {}", kEntry));
      break;
    case pipeline:
      need(has_data || workload.input, "dataset",
           fmt::format("the data that its first stage reads: {}; or input = \"2 TB\"", kEntry));
      need(!workload.stages.empty(), "stage", "one at least: [[workload.stage]] tables");
      break;
    case inference:
      need(has_model, "model", fmt::format("the network to serve: {}", kEntry));
      need(has_data, "dataset", fmt::format("the inputs of requests: {}", kEntry));
      need(workload.serving.has_value(), "serving",
           "the requests, such as { request_rate = \"100 samples/s\", largest_batch = 8 }");
      break;
    case emulated:
      need(workload.job.has_value(), "job", fmt::format("the benchmark to emulate: {}", kEntry));
      break;
    case io:
      need(workload.io.has_value(), "io",
           "the requests, such as { block_size = \"4096 B\", queue_depth = 32 }");
      break;
    case transfers:
      need(!workload.tests.empty() || !workload.copies.empty(), "tests",
           "some, such as [\"host_to_device\"], or [[workload.copy]] tables");
      break;
  }
}

void check_writable(const Scenario& scenario, const PartRef& place, std::string_view key,
                    Diagnostics& out) {
  const auto store = scenario.store.find(place.id);
  if (store == scenario.store.end() || !store->second.model) return;
  if (!store->second.model->write_bandwidth)
    out.error(place.where, "{}: what \"{}\" takes is not known; add write_bandwidth to {}", key,
              place.id, store->second.model.name);
}

void check_workload(Scenario& scenario, const System& system, Diagnostics& out) {
  WorkloadChecker(scenario, system, out).check();
}

}  // namespace gpufeed
