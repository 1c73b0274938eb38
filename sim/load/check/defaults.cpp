// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/load/check/checks.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Fills in what depends on the kind of workload and on other keys.
class Defaults {
 public:
  Defaults(Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario), loader_(scenario.loader), system_(system), out_(out) {}

  void operator()(kind::Training& own) {
    if (own.global_batch && own.model && own.model->architecture && !own.batch_per_gpu.given)
      fill_together(own, *own.global_batch);
    else
      fill_batch(own, own.global_batch, own.accumulate);
    const bool by_architecture = own.model && own.model->architecture;
    fill(own.optimizer, by_architecture ? Optimizer::adam : own.optimizer.value,
         "workload.optimizer");
    const bool waits = scenario_.exchange.mode == ExchangeMode::synchronous;
    if (waits && own.framework && *own.framework) fill_framework(**own.framework, own);
    fill(own.step_jitter, waits ? own.step_jitter.value : kind::Training::kAsynchronousJitter,
         "workload.step_jitter");
    fill_loader();
    if (!loader_.pinned_memory) fill(loader_.copy, BatchCopy::in_order, "loader.copy");
  }

  void operator()(kind::Loader& own) {
    fill_batch(own, own.global_batch);
    fill_loader();
  }

  void operator()(kind::Emulated& own) {
    if (!own.job || !*own.job) return;
    const Job& job = **own.job;
    if (!own.dataset) own.dataset = job.dataset;
    fill(own.batch_per_gpu, job.batch, "workload.batch_per_gpu");
    if (!own.samples) fill(own.epochs, job.epochs, "workload.epochs");
    fill_dataset_samples(own, job);
    fill(own.step_jitter, job.step_jitter, "workload.step_jitter");
    fill(loader_.sample_jitter, {0.0}, "loader.sample_jitter");
    fill(loader_.style, job.style, "loader.style");
    fill(loader_.between_epochs, BetweenEpochs::restart, "loader.between_epochs");
    fill_shuffle_time();
    fill(loader_.workers_per_gpu, job.read_threads, "loader.workers_per_gpu");
    // PyTorch gives each worker its part of what is to be fetched ahead.
    const bool whole = loader_.style == LoaderStyle::tensorflow;
    const std::int64_t workers =
        whole ? 1 : std::max<std::int64_t>(1, loader_.workers_per_gpu.value);
    fill(loader_.prefetch_batches, (job.prefetch + workers - 1) / workers,
         "loader.prefetch_batches");
  }

  void operator()(auto&) {}

 private:
  template <class T>
  void fill(Defaulted<T>& key, T other, std::string_view name) {
    if (key.given) return;
    key.value = other;
    note(name, toml_value(other));
  }
  template <class T>
  void fill(std::optional<T>& key, T other, std::string_view name) {
    if (key) return;
    key = other;
    note(name, toml_value(other));
  }
  void note(std::string_view name, const std::string& value) {
    scenario_.defaults.push_back({own_path(name), value});
  }

  /// What is said of one way of training, where keys of the scenario say nothing else.
  void fill_framework(const Framework& framework, kind::Training& own) {
    fill_from(framework, scenario_, [this](auto& key, const auto& value, std::string_view name) {
      fill(key, value, name);
    });
    own.step_jitter.given = true;
  }

  void fill_loader() {
    fill(loader_.style, loader_.style.value, "loader.style");
    const bool repeats = loader_.style == LoaderStyle::tensorflow;
    fill(loader_.between_epochs, repeats ? BetweenEpochs::stream : BetweenEpochs::restart,
         "loader.between_epochs");
    fill_shuffle_time();
    fill(loader_.sample_jitter, loader_.sample_jitter.value, "loader.sample_jitter");
    fill(loader_.workers_per_gpu, loader_.workers_per_gpu.value, "loader.workers_per_gpu");
    if (loader_.workers_per_gpu > 0)
      fill(loader_.prefetch_batches, loader_.prefetch_batches.value, "loader.prefetch_batches");
    if (loader_.starts_workers())
      fill(loader_.worker_start, Loader::kPytorchWorkerStart, "loader.worker_start");
  }

  void fill_shuffle_time() {
    if (loader_.style != LoaderStyle::tensorflow) return;
    const auto& speed = system_.sockets.front().model->core_speed;
    fill(loader_.shuffle_time_per_file,
         Loader::kTensorflowShuffle * (speed ? Loader::kShufflingCore / speed->value : 1),
         "loader.shuffle_time_per_file");
  }

  void fill_batch(RunsEpochs& own, const std::optional<std::int64_t>& global_batch,
                  std::int64_t batches = 1) {
    if (!global_batch)
      return fill(own.batch_per_gpu, own.batch_per_gpu.value, "workload.batch_per_gpu");
    const std::int64_t all = gpus() * batches;
    const Location& where = scenario_.workload.where;
    if (own.batch_per_gpu.given)
      out_.refuse("workload.batch_per_gpu", where,
                  " and workload.global_batch exclude each other; leave one "
                  "out")
          .code = ProblemCode::conflict;
    else if (*global_batch % all != 0)
      out_.refuse(ProblemCode::out_of_range, "workload.global_batch", where,
                  " is {}, which {} GPUs cannot share equally{}; the nearest "
                  "that they can is {}",
                  *global_batch, gpus(),
                  batches > 1 ? fmt::format(" in {} batches each", batches) : "",
                  std::max<std::int64_t>((*global_batch + all / 2) / all, 1) * all);
    own.batch_per_gpu.value = std::max<std::int64_t>(*global_batch / all, 1);
  }

  /// Replicas share a decoder's samples; of several steps each GPU takes whole ones.
  void fill_together(kind::Training& own, std::int64_t samples) {
    const std::int64_t replicas = gpus() / gpus_per_replica(scenario_);
    const std::int64_t shares = replicas * own.accumulate;
    if (replicas < 1) return;  // which is reported where the split is checked
    if (samples % shares != 0)
      out_.refuse(ProblemCode::out_of_range, "workload.global_batch", scenario_.workload.where,
                  " is {}, which {} replicas cannot share equally; the nearest that they can is {}",
                  samples, replicas,
                  std::max<std::int64_t>((samples + shares / 2) / shares, 1) * shares);
    const std::int64_t all = gpus() * own.accumulate;
    own.steps_together = all / std::gcd(all, samples);
    own.batch_per_gpu.value = samples * own.steps_together / all;
  }

  /// The rules of a benchmark make the data set long enough and too large for the memory.
  void fill_dataset_samples(kind::Emulated& own, const Job& job) {
    if (own.dataset_samples || !own.dataset) return;
    const std::int64_t step = gpus() * own.batch_per_gpu;
    Bytes memory{};
    for (const auto& socket : system_.sockets)
      memory += socket.memory * static_cast<double>(scenario_.nodes);
    double samples = 0;
    if (job.least_steps) samples = static_cast<double>(*job.least_steps * step);
    if (job.memory_multiple)
      samples = std::max(samples, std::ceil(memory * static_cast<double>(*job.memory_multiple) /
                                            own.dataset->sample_size));
    if (samples > 0)
      fill(own.dataset_samples, static_cast<std::int64_t>(samples), "workload.dataset_samples");
  }

  /// Of all nodes.
  std::int64_t gpus() const { return gpus_in_use(scenario_.workload, system_, scenario_.nodes); }

  Scenario& scenario_;
  Loader& loader_;
  const System& system_;
  Diagnostics& out_;
};

/// GPUDirect Storage goes around the page cache.
void fill_read_mode(Scenario& scenario) {
  Data& data = scenario.data;
  if (data.mode.given) return;
  if (data.path == ReadPath::gpudirect) data.mode.value = ReadMode::direct;
  if (scenario.workload.is<RunsEpochs>() || scenario.workload.is<kind::Inference>())
    scenario.defaults.push_back({"data.mode", toml_value(data.mode.value)});
}

bool exchanges_between_nodes(const Scenario& scenario) {
  return scenario.workload.is<kind::Training>() || scenario.workload.is<kind::Collective>();
}

/// Network cards that reach other nodes over TCP.
std::ptrdiff_t cards_over_tcp(const Scenario& scenario, const System& system) {
  const Fabric fabric = scenario.fabric.value_or(Fabric{});
  return scenario.nodes == 1 ? 0 : std::ranges::count_if(system.nics, [&](const Device<Nic>& card) {
    return card.model && fabric.transport_of(*card.model) == Transport::tcp;
  });
}

void refuse_keys_of_tcp(const Scenario& scenario, Diagnostics& out) {
  const Exchange usual;
  const Exchange& own = scenario.exchange;
  const bool exchanges = exchanges_between_nodes(scenario);
  const auto refuse = [&](bool given, const char* key, const Location& where) {
    if (!given) return;
    const KeyPath path(key);
    Problem& idle =
        out.refuse(ProblemCode::idle_key, path, where, " has no effect: {}",
                   exchanges ? "no network card reaches other nodes over TCP (`fabric.transport`)"
                             : "nodes exchange nothing");
    idle.fixes.push_back({Fix::Kind::remove, path});
  };
  if (scenario.fabric && !exchanges)
    refuse(scenario.fabric->transport.has_value(), "fabric.transport", scenario.fabric->where);
  refuse(own.channels.has_value(), "exchange.channels", own.where);
  refuse(own.sockets != usual.sockets, "exchange.sockets", own.where);
  refuse(own.socket_bandwidth != usual.socket_bandwidth, "exchange.socket_bandwidth", own.where);
  if (!scenario.fabric) return;
  const Fabric& fabric = *scenario.fabric;
  refuse(fabric.flow_bandwidth.has_value(), "fabric.flow_bandwidth", fabric.where);
  refuse(fabric.overlay != Overlay::none, "fabric.overlay", fabric.where);
  refuse(fabric.pair_share.has_value(), "fabric.pair_share", fabric.where);
}

/// What all ways between two nodes share is timed where one ring takes it over one card.
void check_overlay(const Scenario& scenario, const System& system, Diagnostics& out) {
  if (!scenario.fabric || scenario.fabric->overlay == Overlay::none) return;
  const Location& where = scenario.fabric->where;
  if (system.nics.size() > 1)
    out.refuse(ProblemCode::conflict, "fabric.overlay", where,
               ": containers reach other nodes over one network card, and the system has {}; "
               "describe the one that they take",
               system.nics.size());
  const auto* training = scenario.workload.find<kind::Training>();
  if (training && training->model && training->model->architecture)
    out.refuse(ProblemCode::conflict, "fabric.overlay", where,
               ": what groups of a language model's GPUs get of the one connection between two "
               "nodes is not known; leave it out, or give the model's rate without its "
               "architecture");
}

/// Sockets are read and written by processors.
void fill_exchange_path(Scenario& scenario, const System& system, Diagnostics& out) {
  const std::ptrdiff_t over_tcp = cards_over_tcp(scenario, system);
  if (over_tcp == 0 || !exchanges_between_nodes(scenario)) return refuse_keys_of_tcp(scenario, out);
  check_overlay(scenario, system, out);
  if (over_tcp < std::ssize(system.nics)) return;
  auto& path = scenario.exchange.path;
  if (path.given && path.value == ReadPath::gpudirect) {
    Problem& problem = out.refuse(ProblemCode::conflict, "exchange.path", scenario.exchange.where,
                                  " is gpudirect, which takes RDMA; {} speaks TCP (`transport`)",
                                  system.nics.front().model.name);
    problem.fixes.push_back({Fix::Kind::remove, KeyPath("exchange.path")});
  }
  path.value = ReadPath::host;
}

}  // namespace

void fill_defaults(Scenario& scenario, const System& system, Diagnostics& out) {
  fill_read_mode(scenario);
  fill_exchange_path(scenario, system, out);
  std::visit(Defaults(scenario, system, out), scenario.workload.of_kind);
}

}  // namespace gpufeed
