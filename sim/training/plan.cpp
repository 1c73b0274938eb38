// SPDX-License-Identifier: Apache-2.0
#include "sim/training/plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/training/cache_plan.h"
#include "sim/training/reading.h"
#include "sim/training/stages.h"

namespace gpufeed {
namespace {

/// How often a copy by software moves each byte over the memory: read, write-allocate, write.
/// Stores that bypass the cache save one; the kernel's copy does not use them.
constexpr int kSoftwareCopyPasses = 3;
constexpr int kWritePasses = 2;         ///< write-allocate, write
constexpr int kPageableCopyPasses = 2;  ///< into the driver's pinned buffer: read, write

double bytes_per_gradient(const std::string& precision) {
  return precision == "fp16" || precision == "bf16" ? 2 : 4;
}

/// What a core or GPU needs for one sample of the data set.
Seconds time_of(const DecodeCost& cost, const Dataset& dataset) {
  Seconds time = cost.per_sample;
  if (cost.byte_rate) time += dataset.sample_size / *cost.byte_rate;
  if (cost.pixel_rate)
    time += {static_cast<double>(dataset.pixels.value_or(0)) / cost.pixel_rate->value};
  return time;
}

class Planner {
 public:
  explicit Planner(const Scenario& scenario)
      : scenario_(scenario),
        system_(*scenario.system),
        workload_(scenario.workload),
        reading_(reading_of(scenario)) {}

  Plan make() {
    plan_.kind = workload_.kind;
    plan_.graph = build_graph(scenario_, access());
    fill_sizes();
    fill_loader();
    fill_cores();
    find_sources();
    plan_.cache = cache_memory(scenario_, plan_);
    plan_.hit_rate = later_hit_rate(scenario_, plan_);
    for (int gpu = 0; gpu < static_cast<int>(gpus_in_use(scenario_)); ++gpu) add_gpu(gpu);
    if (plan_.kind == WorkloadKind::training && !plan_.exchange_included) add_exchanges();
    if (scenario_.checkpoint) plan_.checkpoint = plan_checkpoints(scenario_, plan_, missing_);
    missing_.throw_if_any();
    plan_.quiet = quiet_memories();
    return std::move(plan_);
  }

 private:
  StorageAccess access() const {
    StorageAccess access = reading_.access;
    if (scenario_.checkpoint) access.write_request = kCheckpointRequest;
    return access;
  }

  void fill_sizes() {
    const Dataset& dataset = *workload_.dataset;
    plan_.batch = workload_.batch_per_gpu.value_or(1);
    plan_.sample_size = dataset.sample_size;
    plan_.sample_size_deviation = dataset.sample_size_deviation;
    if (workload_.model) plan_.input_size = workload_.model->input_size;
    const std::int64_t step = global_batch(scenario_) / scenario_.loader.jobs;
    plan_.steps_per_epoch = dataset_samples(workload_) / step;
    plan_.steps = workload_.epochs ? *workload_.epochs * plan_.steps_per_epoch
                                   : workload_.samples.value_or(dataset_samples(workload_)) / step;
    plan_.epochs = (plan_.steps + plan_.steps_per_epoch - 1) / plan_.steps_per_epoch;
  }

  void fill_loader() {
    const Loader& loader = scenario_.loader;
    const std::int64_t workers = loader.workers_per_gpu.value_or(1);
    const std::int64_t prefetch = loader.prefetch_batches.value_or(1);
    const bool shared = loader.style == LoaderStyle::tensorflow;
    plan_.threads = shared ? workers : 1;
    plan_.workers_per_gpu = shared ? prefetch : workers;
    plan_.prefetch = shared ? 1 : prefetch;
    plan_.jitter = loader.jitter;
    plan_.batch_overhead = loader.batch_overhead;
    plan_.overlap = scenario_.exchange.overlap;
  }

  const Store* store() const {
    const auto it = scenario_.store.find(scenario_.data.at.id);
    return it == scenario_.store.end() ? nullptr : &it->second;
  }

  /// Threads beyond the cores share them: SMT makes the pool somewhat larger.
  double with_smt(double cores, double threads, const Cpu& cpu) const {
    const double more = static_cast<double>(cpu.threads_per_core - 1);
    if (threads <= cores || more <= 0 || !cpu.smt_speedup) return cores;
    const double used = std::min((threads - cores) / (cores * more), 1.0);
    return cores * (1 + (cpu.smt_speedup->value - 1) * used);
  }

  void fill_cores() {
    const Loader& loader = scenario_.loader;
    double all = 0;
    for (const auto& socket : system_.sockets) all += static_cast<double>(socket.model->cores);
    const double wanted = loader.decode_cores ? static_cast<double>(*loader.decode_cores) : all;
    const double threads =
        static_cast<double>(gpus_in_use(scenario_) * plan_.workers_per_gpu * plan_.threads);
    plan_.physical_cores = wanted;
    for (const auto& socket : system_.sockets) {
      const double cores = wanted * static_cast<double>(socket.model->cores) / all;
      plan_.cores.push_back(with_smt(cores, threads * cores / wanted, *socket.model));
    }
    if (loader.cores == CorePool::machine) {
      const double sum = std::accumulate(plan_.cores.begin(), plan_.cores.end(), 0.0);
      plan_.cores = {sum};
    }
    fill_core_time();
  }

  void fill_core_time() {
    const Dataset& dataset = *workload_.dataset;
    const Loader& loader = scenario_.loader;
    const Cpu& cpu = *system_.sockets.front().model;
    if (dataset.decoder && *dataset.decoder)
      plan_.decodes_while_reading = (*dataset.decoder)->decodes_while_reading;
    if (loader.decode == DecodeOn::cpu) {
      plan_.decode = dataset.decode_time.value_or(Seconds{});
      if (!dataset.decode_time)
        for (const auto& socket : system_.sockets)
          plan_.decode =
              std::max(plan_.decode,
                       time_of(*decode_cost(**dataset.decoder, socket.model.name, {}), dataset));
    }
    if (cpu.core_copy_bandwidth && scenario_.data.mode == ReadMode::buffered &&
        scenario_.data.path == ReadPath::host)
      plan_.decode += dataset.sample_size / *cpu.core_copy_bandwidth;
    const Store* from = store();
    if (from && from->protocol && (*from->protocol)->core_bandwidth)
      plan_.fetch = dataset.sample_size / *(*from->protocol)->core_bandwidth;
  }

  void find_sources() {
    if (store()) {
      plan_.sources = {scenario_.data.at.id};
      return;
    }
    for (const std::size_t i : drives_of(system_, scenario_.data.at.id))
      plan_.sources.push_back(system_.drives[i].id);
    const Volume* volume = volume_of(system_, scenario_.data.at.id);
    plan_.whole_files = volume && volume->layout == Layout::files && plan_.sources.size() > 1;
  }

  /// The number of a route; -1 and a problem where there is none.
  int add_route(std::optional<Route> route, const std::string& what) {
    if (!route) {
      missing_.error(scenario_.where, "there is no way {} in system {}", what,
                     scenario_.system.name);
      return -1;
    }
    plan_.routes.push_back(std::move(*route));
    return static_cast<int>(plan_.routes.size()) - 1;
  }

  int memory_resource(const std::string& socket) const {
    const auto& resources = plan_.graph.resources;
    const auto it = std::ranges::find(resources, socket + " memory", &Resource::id);
    return static_cast<int>(it - resources.begin());
  }

  void pass_memory(Route& route, const std::string& socket, int times) {
    route.resources.insert(route.resources.end(), static_cast<std::size_t>(times),
                           memory_resource(socket));
  }

  /// The most that one reader receives from one source, where that is less than its links carry.
  void cap_stream(Route& route, const std::string& source, const GpuPlan& gpu) const {
    const auto sources = static_cast<double>(plan_.sources.size());
    const auto threads = static_cast<double>(plan_.threads);
    Bandwidth most{std::numeric_limits<double>::infinity()};
    if (const Store* from = store()) {
      if (from->stripes && from->model->stripe_bandwidth)
        most = *from->model->stripe_bandwidth * static_cast<double>(*from->stripes);
    } else {
      const auto drive = std::ranges::find(system_.drives, source, &Device<Drive>::id);
      // A striped sample comes from several drives, a whole file from one after the other.
      const double share = plan_.whole_files ? 1 : reading_.drives_at_once / sources;
      most = drive->model->read_law().request_bandwidth * share;
    }
    const auto socket = std::ranges::find(system_.sockets, gpu.socket, &Socket::id);
    const auto& thread = scenario_.data.path == ReadPath::gpudirect
                             ? socket->model->thread_gpudirect_bandwidth
                             : socket->model->thread_read_bandwidth;
    if (thread) most = std::min(most, *thread / (plan_.whole_files ? 1 : sources));
    most = most * threads;
    if (most < route.cap.value_or(Bandwidth{std::numeric_limits<double>::infinity()}))
      route.cap = most;
  }

  std::string socket_of_loader(int number) const {
    const std::string& placed = scenario_.loader.placement.id;
    if (placed != "local") return placed;
    if (number < std::ssize(system_.gpus))
      return socket_of(system_, system_.gpus[static_cast<std::size_t>(number)]);
    return system_.sockets[static_cast<std::size_t>(number) % system_.sockets.size()].id;
  }

  void add_gpu(int number) {
    GpuPlan gpu;
    gpu.number = number;
    gpu.socket = socket_of_loader(number);
    const bool direct = scenario_.data.path == ReadPath::gpudirect;
    const bool on_gpu = plan_.kind == WorkloadKind::training;
    const int memory = plan_.graph.memory_of(gpu.socket);
    const int target = direct ? plan_.graph.gpu(number) : memory;
    const bool buffered = scenario_.data.mode == ReadMode::buffered && !direct;
    for (const auto& source : plan_.sources) {
      auto route = read_route(scenario_, plan_.graph, source, target, number);
      if (route) {
        gpu.read_latency = std::max(gpu.read_latency, route->latency * reading_.waits_per_sample);
        // A buffered read is copied on by software: read, write-allocate, write.
        if (buffered) pass_memory(*route, gpu.socket, kSoftwareCopyPasses);
        cap_stream(*route, source, gpu);
      }
      gpu.reads.push_back(add_route(
          std::move(route), fmt::format("from {} to {}", source, plan_.graph.node(target).id)));
    }
    if (buffered && plan_.hit_rate > 0) {
      Route hits;
      pass_memory(hits, gpu.socket, kSoftwareCopyPasses);
      gpu.hits = add_route(std::move(hits), "");
    }
    if (on_gpu && !direct) add_copy(gpu);
    if (on_gpu) add_compute(gpu);
    if (plan_.kind == WorkloadKind::emulated) emulate_compute(gpu);
    if (plan_.cores.size() > 1)
      gpu.pool = static_cast<int>(std::ranges::find(system_.sockets, gpu.socket, &Socket::id) -
                                  system_.sockets.begin());
    plan_.gpus.push_back(std::move(gpu));
  }

  /// Below half load, even at the rate that nothing exceeds, bursts hardly ever fill a memory;
  /// but a checkpoint may.
  std::vector<bool> quiet_memories() const {
    constexpr double kQuiet = 0.5;
    const Rate most = throughput_bound(plan_).rate;
    const Loads loads = loads_of(plan_);
    std::vector<bool> quiet(loads.read.size(), false);
    for (std::size_t r = 0; r < quiet.size(); ++r) {
      const Resource& resource = plan_.graph.resources[r];
      quiet[r] = resource.kind == ResourceKind::memory && !plan_.checkpoint &&
                 loads.total(r) * most.value < kQuiet * resource.capacity.value;
    }
    return quiet;
  }

  void add_copy(GpuPlan& gpu) {
    const auto& part = system_.gpus[static_cast<std::size_t>(gpu.number)];
    auto route =
        shortest_route(plan_.graph, plan_.graph.memory_of(gpu.socket), plan_.graph.gpu(gpu.number));
    if (route) {
      // Decoding has written what is copied: write-allocate, write.
      if (scenario_.loader.decode == DecodeOn::cpu) pass_memory(*route, gpu.socket, kWritePasses);
      if (!scenario_.loader.pinned_memory) {
        pass_memory(*route, gpu.socket, kPageableCopyPasses);
        const auto socket = std::ranges::find(system_.sockets, gpu.socket, &Socket::id);
        if (socket->model->core_copy_bandwidth) route->cap = socket->model->core_copy_bandwidth;
      }
    }
    gpu.copy = add_route(std::move(route), fmt::format("from {} to {}", gpu.socket, part.id));
  }

  void add_compute(GpuPlan& gpu) {
    const auto& part = system_.gpus[static_cast<std::size_t>(gpu.number)];
    const ComputeTime time = compute_time(compute_rows(workload_, part.model.name), plan_.batch);
    gpu.compute = time.step;
    if (scenario_.loader.decode == DecodeOn::gpu) {
      const Dataset& dataset = *workload_.dataset;
      const DecodeCost& cost = *decode_cost(**dataset.decoder, {}, part.model.name);
      gpu.compute += time_of(cost, dataset) * static_cast<double>(plan_.batch);
      plan_.input_size = dataset.sample_size;  // what is copied is not decoded yet
    }
    if (time.step > plan_.compute.step) plan_.compute = time;
    plan_.exchange_included = plan_.exchange_included || time.includes_exchange;
    if (!time.caveat.empty() && !std::ranges::count(plan_.warnings, time.caveat))
      plan_.warnings.push_back(time.caveat);
  }

  void emulate_compute(GpuPlan& gpu) {
    const Job& job = **workload_.job;
    double cores = 0;
    for (const auto& socket : system_.sockets) cores += static_cast<double>(socket.model->cores);
    const double crowding = static_cast<double>(gpus_in_use(scenario_)) / cores;
    plan_.nominal_compute = job.compute_time;
    gpu.compute = job.compute_time + job.step_overhead + job.crowding_overhead * crowding;
    plan_.compute = {gpu.compute, false, job.provenance.basis, job.provenance.source, ""};
  }

  /// One all-reduce in each job.
  void add_exchanges() {
    const auto jobs = static_cast<std::size_t>(scenario_.loader.jobs);
    const std::size_t ranks = plan_.gpus.size() / jobs;
    if (ranks < 2) return;
    for (std::size_t job = 0; job < jobs; ++job) add_exchange(job * ranks, ranks);
  }

  /// Ring all-reduce: every rank sends 2 (n-1)/n of the gradients to the next, in 2 (n-1) rounds;
  /// the rings share the gradients by their bricks.
  void add_exchange(std::size_t first, std::size_t count) {
    const int ranks = static_cast<int>(count);
    System part = system_;
    part.gpus.erase(part.gpus.begin(), part.gpus.begin() + static_cast<std::ptrdiff_t>(first));
    const auto rings = find_rings(part, ranks);
    const Bytes gradients{static_cast<double>(workload_.model->parameters) *
                          bytes_per_gradient(workload_.precision)};
    double bricks = 0;
    for (const auto& ring : rings) bricks += ring.bricks;
    for (const auto& ring : rings) {
      const Bytes sent = gradients * (ring.bricks / bricks * 2 * (ranks - 1) / ranks);
      for (std::size_t hop = 0; hop < ring.order.size(); ++hop) {
        const int from = static_cast<int>(first) + ring.order[hop];
        const int to = static_cast<int>(first) + ring.order[(hop + 1) % ring.order.size()];
        const int route = add_route(peer_route(scenario_, plan_.graph, from, to, ring.nvlink),
                                    fmt::format("from {} to {}", id_of(from), id_of(to)));
        if (route < 0) continue;
        plan_.exchange_latency =
            std::max(plan_.exchange_latency, plan_.route(route).latency * (2.0 * (ranks - 1)));
        plan_.exchange.push_back({route, sent});
      }
    }
  }

  const std::string& id_of(int gpu) const { return system_.gpus[static_cast<std::size_t>(gpu)].id; }

  const Scenario& scenario_;
  const System& system_;
  const Workload& workload_;
  const Reading reading_;
  Plan plan_;
  Diagnostics missing_;
};

}  // namespace

Bandwidth solo_rate(const Plan& plan, const Route& route) {
  Bandwidth rate = route.cap.value_or(Bandwidth{std::numeric_limits<double>::infinity()});
  for (const int resource : route.resources)
    rate = std::min(
        rate, plan.resource(resource).capacity / static_cast<double>(times_taken(route, resource)));
  return rate;
}

double cores_of(const Plan& plan) {
  return std::accumulate(plan.cores.begin(), plan.cores.end(), 0.0);
}

Plan make_plan(const Scenario& scenario) { return Planner(scenario).make(); }

}  // namespace gpufeed
