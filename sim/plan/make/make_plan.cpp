// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/make_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "sim/base/random.h"
#include "sim/plan/cache/cache_plan.h"
#include "sim/plan/checkpoint/plan_checkpoints.h"
#include "sim/plan/exchange/plan_exchange.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/passes.h"
#include "sim/plan/reading.h"

namespace gpufeed {
namespace {

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
        reading_(reading_of(scenario)),
        random_(static_cast<std::uint64_t>(scenario.run.seed)) {}

  Plan make() {
    plan_.kind = workload_.kind();
    plan_.graph = build_graph(scenario_, access());
    fill_sizes();
    fill_loader();
    fill_cores();
    find_sources();
    plan_.cache = cache_memory(scenario_);
    plan_.hit_rate = later_hit_rate(scenario_, plan_);
    add_processes();
    for (int gpu = 0; gpu < static_cast<int>(gpus_per_node(scenario_)); ++gpu) add_gpu(gpu);
    missing_.throw_if_any();
    const Nodes nodes(scenario_, plan_.graph);
    add_nodes(nodes);
    if (plan_.kind == kind_of<kind::Training>) plan_exchange(scenario_, nodes, plan_, missing_);
    share_batches(plan_);
    if (scenario_.checkpoint)
      plan_.checkpoint = plan_checkpoints(scenario_, nodes, plan_, missing_);
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
    const Dataset& dataset = *workload_.dataset();
    const RunsEpochs& length = workload_.get<RunsEpochs>();
    plan_.batch = length.batch_per_gpu;
    plan_.sample_size = dataset.sample_size;
    plan_.sample_size_deviation = dataset.sample_size_deviation;
    if (workload_.model()) plan_.input_size = workload_.model()->input_size;
    const std::int64_t step = global_batch(scenario_) / scenario_.loader.jobs;
    plan_.steps_per_epoch = dataset_samples(workload_) / step;
    plan_.steps = length.epochs ? *length.epochs * plan_.steps_per_epoch
                                : length.samples.value_or(dataset_samples(workload_)) / step;
    plan_.epochs = (plan_.steps + plan_.steps_per_epoch - 1) / plan_.steps_per_epoch;
  }

  bool shared_readers() const { return scenario_.loader.style == LoaderStyle::tensorflow; }

  void fill_loader() {
    const Loader& loader = scenario_.loader;
    const std::int64_t workers = loader.workers_per_gpu;
    const std::int64_t prefetch = loader.prefetch_batches;
    const bool shared = shared_readers();
    plan_.threads = shared ? workers : 1;
    plan_.readers = shared ? loader.readers.value_or(workers) : 1;
    plan_.workers_per_gpu = shared ? prefetch : workers;
    plan_.prefetch = shared ? 1 : prefetch;
    plan_.shuffle = loader.shuffle_time_per_file.value *
                    (static_cast<double>(dataset_samples(workload_)) /
                     static_cast<double>(workload_.dataset()->samples_per_file));
    plan_.jitter = loader.jitter;
    plan_.batch_overhead = loader.batch_overhead;
    plan_.synchronous =
        !workload_.is<kind::Training>() || scenario_.exchange.mode == ExchangeMode::synchronous;
    plan_.staleness = scenario_.exchange.staleness;
    plan_.overlap = scenario_.exchange.overlap;
    if (const auto* training = workload_.find<kind::Training>())
      plan_.step_jitter = training->step_jitter;
    if (const auto* emulated = workload_.find<kind::Emulated>())
      plan_.step_jitter = emulated->step_jitter;
    plan_.nodes = scenario_.nodes;
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
        static_cast<double>(gpus_per_node(scenario_) * plan_.workers_per_gpu * plan_.threads);
    plan_.physical_cores = wanted;
    used_cores_ = std::min(wanted, threads) / all;
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

  /// Of one sample, with as many cores at work as the loaders may use.
  Seconds decode_time_on(const Cpu& cpu, const std::string& name) const {
    const Dataset& dataset = *workload_.dataset();
    const auto speed = [&](double load) {
      return 1 - load * (1 - cpu.all_core_speed.value_or(Ratio{1.0}).value);
    };
    const auto here = [&](Seconds time, const std::optional<Ratio>& load) {
      return load ? time * (speed(load->value) / speed(used_cores_)) : time;
    };
    if (dataset.decode_time) return here(*dataset.decode_time, dataset.decode_load);
    const DecodeCost& cost = *decode_cost(**dataset.decoder, name, {});
    return here(time_of(cost, dataset), cost.load);
  }

  void fill_core_time() {
    const Dataset& dataset = *workload_.dataset();
    const Loader& loader = scenario_.loader;
    const Cpu& cpu = *system_.sockets.front().model;
    if (loader.decode == DecodeOn::cpu) {
      if (dataset.decoder && *dataset.decoder) {
        const Decoder& decoder = **dataset.decoder;
        plan_.decodes_while_reading = decoder.decodes_while_reading;
        // Batches that are read at the same time share the readers.
        if (decoder.reader_bandwidth)
          plan_.reader_time = dataset.sample_size / *decoder.reader_bandwidth *
                              (shared_readers() ? static_cast<double>(plan_.workers_per_gpu) /
                                                      static_cast<double>(plan_.readers)
                                                : 1.0);
      }
      for (const auto& socket : system_.sockets)
        plan_.decode = std::max(plan_.decode, decode_time_on(*socket.model, socket.model.name));
    }
    // The rate of a decoder that works while it reads is that of its whole way, copy included.
    if (cpu.core_copy_bandwidth && scenario_.data.mode == ReadMode::buffered &&
        scenario_.data.path == ReadPath::host && !plan_.decodes_while_reading)
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

  /// All batches of a process pass one thread, on their way from the workers.
  void add_processes() {
    const Loader& loader = scenario_.loader;
    if (!loader.process_bandwidth) return;
    first_process_ = static_cast<int>(plan_.graph.resources.size());
    for (std::int64_t i = 0; i < loader_processes(scenario_); ++i)
      plan_.graph.resources.push_back({fmt::format("loader process {}", i),
                                       ResourceKind::process,
                                       *loader.process_bandwidth,
                                       {"the scenario's loader", Basis::estimate}});
  }

  void pass_process(GpuPlan& gpu) {
    if (gpu.copy < 0) gpu.copy = add_route(Route{}, "");
    const auto process = gpu.number * loader_processes(scenario_) / gpus_per_node(scenario_);
    plan_.routes[static_cast<std::size_t>(gpu.copy)].resources.push_back(first_process_ +
                                                                         static_cast<int>(process));
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
    const double readers = static_cast<double>(plan_.readers) /
                           (plan_.whole_files ? static_cast<double>(plan_.sources_at_once()) : 1.0);
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
    most = most * readers;
    if (most < route.cap.value_or(Bandwidth{std::numeric_limits<double>::infinity()}))
      route.cap = most;
  }

  /// Readers that compete for a store share it unevenly, by chance.
  Weight share_of_store() {
    const Store* from = store();
    if (!from || !from->protocol) return {};
    const double share = random_.lognormal((*from->protocol)->share_deviation.value);
    return {std::max(1, static_cast<int>(std::lround(share * Weight{}.eighths)))};
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
    gpu.share = share_of_store();
    const bool direct = scenario_.data.path == ReadPath::gpudirect;
    const bool on_gpu = plan_.kind == kind_of<kind::Training>;
    const int memory = plan_.graph.memory_of(gpu.socket);
    const int target = direct ? plan_.graph.gpu(number) : memory;
    const bool buffered = scenario_.data.mode == ReadMode::buffered && !direct;
    for (const auto& source : plan_.sources) {
      auto route = read_route(scenario_, plan_.graph, source, target, number);
      if (route) {
        gpu.read_latency = std::max(gpu.read_latency, route->latency * reading_.waits_per_sample);
        // A buffered read is copied on by software: read, write-allocate, write.
        if (buffered) pass_memory(*route, gpu.socket, kCopyPasses);
        cap_stream(*route, source, gpu);
      }
      gpu.reads.push_back(add_route(
          std::move(route), fmt::format("from {} to {}", source, plan_.graph.node(target).id)));
    }
    if (buffered && plan_.hit_rate > 0) {
      Route hits;
      pass_memory(hits, gpu.socket, kCopyPasses);
      gpu.hits = add_route(std::move(hits), "");
    }
    if (on_gpu && !direct) add_copy(gpu);
    if (!direct && scenario_.loader.process_bandwidth) pass_process(gpu);
    if (on_gpu) add_compute(gpu);
    if (plan_.kind == kind_of<kind::Emulated>) emulate_compute(gpu);
    if (plan_.cores.size() > 1)
      gpu.pool = static_cast<int>(std::ranges::find(system_.sockets, gpu.socket, &Socket::id) -
                                  system_.sockets.begin());
    plan_.gpus.push_back(std::move(gpu));
  }

  /// Copies the first node's loaders and GPUs, their routes and their cores.
  void add_nodes(const Nodes& nodes) {
    const auto first_node = plan_.gpus;
    const auto routes = plan_.routes;
    const auto cores = plan_.cores;
    const auto pools = static_cast<int>(cores.size());
    const auto at = [&](int route) { return routes[static_cast<std::size_t>(route)]; };
    for (int node = 0; node < static_cast<int>(nodes.count()); ++node)
      for (std::size_t g = 0; g < first_node.size(); ++g) {
        if (node > 0) plan_.gpus.push_back(first_node[g]);
        GpuPlan& gpu = plan_.gpus[static_cast<std::size_t>(node) * first_node.size() + g];
        gpu.node = node;
        gpu.pool += node * pools;
        if (node > 0) gpu.share = share_of_store();
        for (int& read : gpu.reads)
          read = put(node, read,
                     store() ? nodes.to_store(node, at(read), true) : nodes.on(node, at(read)));
        for (int* route : {&gpu.hits, &gpu.copy})
          if (*route >= 0) *route = put(node, *route, nodes.on(node, at(*route)));
      }
    for (std::int64_t node = 1; node < nodes.count(); ++node)
      plan_.cores.insert(plan_.cores.end(), cores.begin(), cores.end());
    plan_.physical_cores *= static_cast<double>(nodes.count());
  }

  /// The number of what becomes of the first node's route at `node`.
  int put(int node, int route, Route copy) {
    if (node == 0) {
      plan_.routes[static_cast<std::size_t>(route)] = std::move(copy);
      return route;
    }
    plan_.routes.push_back(std::move(copy));
    return static_cast<int>(plan_.routes.size()) - 1;
  }

  /// Bytes per second of gradients on each resource, while most of them travel: asynchronous, as if
  /// all GPUs sent and fetched at the same time.
  std::vector<double> gradient_rates() const {
    std::vector<double> most(plan_.graph.resources.size(), 0.0);
    PhaseTimes times(plan_);
    const auto rates = [&](const ExchangePhase& phase) {
      std::map<std::size_t, double> out;
      const Seconds time = times.of(phase);
      for (const auto& flow : phase.flows)
        for (const int resource : plan_.route(flow.route).resources)
          out[static_cast<std::size_t>(resource)] += flow.size.value / time.value;
      return out;
    };
    for (const auto& phase : plan_.exchange)
      for (const auto& [r, rate] : rates(phase)) most[r] = std::max(most[r], rate);
    for (const auto& gpu : plan_.gpus)
      for (const auto& phase : gpu.exchange)
        for (const auto& [r, rate] : rates(phase)) most[r] += rate;
    return most;
  }

  /// Below half load, even at the rate that nothing exceeds, and not full while gradients travel,
  /// bursts hardly ever fill a memory; but a checkpoint may.
  std::vector<bool> quiet_memories() const {
    constexpr double kQuiet = 0.5;
    const Rate most = throughput_bound(plan_).rate;
    const Loads loads = loads_of(plan_);
    const auto gradients = gradient_rates();
    std::vector<bool> quiet(loads.read.size(), false);
    for (std::size_t r = 0; r < quiet.size(); ++r) {
      const Resource& resource = plan_.graph.resources[r];
      quiet[r] =
          resource.kind == ResourceKind::memory && !plan_.checkpoint &&
          loads.total(r) * most.value < kQuiet * resource.capacity.value &&
          (loads.read[r] + loads.copied[r]) * most.value + gradients[r] < resource.capacity.value;
    }
    return quiet;
  }

  void add_copy(GpuPlan& gpu) {
    const auto& part = system_.gpus[static_cast<std::size_t>(gpu.number)];
    auto route =
        shortest_route(plan_.graph, plan_.graph.memory_of(gpu.socket), plan_.graph.gpu(gpu.number));
    if (route) {
      // Decoding has written what is copied: write-allocate, write.
      if (scenario_.loader.decode == DecodeOn::cpu) pass_memory(*route, gpu.socket, kCopyWrites);
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
    const std::int64_t replica = gpus_per_replica(scenario_);
    const auto& training = workload_.get<kind::Training>();
    ComputeTime time = compute_time(training, part.model.name, plan_.batch * replica);
    time.step = time.step * (pipeline_stretch(scenario_) / static_cast<double>(replica));
    // GPUs that worked together when the rate was measured shared their power then.
    if (!time.includes_exchange)
      time.step = time.step / shared_power_factor(scenario_, static_cast<std::size_t>(gpu.number));
    gpu.compute = time.step + host_time(training.step_overhead, training.crowding_overhead);
    if (scenario_.loader.decode == DecodeOn::gpu) {
      const Dataset& dataset = *workload_.dataset();
      const DecodeCost& cost = *decode_cost(**dataset.decoder, {}, part.model.name);
      gpu.compute += time_of(cost, dataset) * static_cast<double>(plan_.batch);
      plan_.input_size = dataset.sample_size;  // what is copied is not decoded yet
    }
    if (time.step > plan_.compute.step) plan_.compute = time;
    plan_.exchange_included = plan_.exchange_included || time.includes_exchange;
    if (!time.caveat.empty() && !std::ranges::count(plan_.warnings, time.caveat))
      plan_.warnings.push_back(time.caveat);
  }

  /// Of every step, more where a core serves many GPUs.
  Seconds host_time(Seconds alone, Seconds crowded) const {
    double cores = 0;
    for (const auto& socket : system_.sockets) cores += static_cast<double>(socket.model->cores);
    return alone + crowded * (static_cast<double>(gpus_per_node(scenario_)) / cores);
  }

  void emulate_compute(GpuPlan& gpu) {
    const Job& job = **workload_.get<kind::Emulated>().job;
    plan_.nominal_compute = job.compute_time;
    gpu.compute = job.compute_time + host_time(job.step_overhead, job.crowding_overhead);
    plan_.compute = {gpu.compute, false, job.provenance.basis, job.provenance.source, ""};
  }

  const Scenario& scenario_;
  const System& system_;
  const Workload& workload_;
  const Reading reading_;
  Random random_;  ///< of the readers' shares
  int first_process_ = -1;
  double used_cores_ = 1;  ///< by loaders, of all
  Plan plan_;
  Diagnostics missing_;
};

}  // namespace

Plan make_plan(const Scenario& scenario) { return Planner(scenario).make(); }

}  // namespace gpufeed
