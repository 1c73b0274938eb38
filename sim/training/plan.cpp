// SPDX-License-Identifier: Apache-2.0
#include "sim/training/plan.h"

#include <algorithm>
#include <map>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

double bytes_per_gradient(const std::string& precision) {
  return precision == "fp16" || precision == "bf16" ? 2 : 4;
}

class Planner {
 public:
  explicit Planner(const Scenario& scenario)
      : scenario_(scenario), system_(*scenario.system), workload_(scenario.workload) {}

  Plan make() {
    plan_.graph = build_graph(scenario_, workload_.dataset->sample_size);
    fill_sizes();
    fill_loader();
    if (scenario_.store.contains(scenario_.data.at.id))
      plan_.sources = {scenario_.data.at.id};
    else
      for (const std::size_t i : drives_of(system_, scenario_.data.at.id))
        plan_.sources.push_back(system_.drives[i].id);
    for (int gpu = 0; gpu < static_cast<int>(gpus_in_use(scenario_)); ++gpu) add_gpu(gpu);
    if (plan_.gpus.size() > 1 && !plan_.exchange_included) add_exchange();
    missing_.throw_if_any();
    return std::move(plan_);
  }

 private:
  void fill_sizes() {
    const Dataset& dataset = *workload_.dataset;
    plan_.batch = workload_.batch_per_gpu;
    plan_.sample_size = dataset.sample_size;
    plan_.sample_size_deviation = dataset.sample_size_deviation;
    plan_.input_size = workload_.model->input_size;
    plan_.decode = dataset.decode_time;
    const std::int64_t step = global_batch(scenario_);
    plan_.steps_per_epoch = dataset.samples / step;
    plan_.steps = workload_.epochs ? *workload_.epochs * plan_.steps_per_epoch
                                   : workload_.samples.value_or(dataset.samples) / step;
    plan_.epochs = (plan_.steps + plan_.steps_per_epoch - 1) / plan_.steps_per_epoch;
  }

  void fill_loader() {
    const Loader& loader = scenario_.loader;
    std::int64_t cores = 0;
    for (const auto& socket : system_.sockets) cores += socket.model->cores;
    plan_.cores = loader.decode_cores.value_or(cores);
    plan_.workers_per_gpu = loader.workers_per_gpu;
    plan_.prefetch = loader.prefetch_batches;
    plan_.jitter = loader.jitter;
    plan_.overlap = scenario_.exchange.overlap;
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

  void add_gpu(int number) {
    const auto& part = system_.gpus[static_cast<std::size_t>(number)];
    const std::string local = socket_of(system_, part);
    const std::string& placed = scenario_.loader.placement.id;
    GpuPlan gpu{number, placed == "local" ? local : placed, {}, {}, -1, {}};
    for (const auto& source : plan_.sources) {
      const auto route = read_route(scenario_, plan_.graph, source, gpu.socket, number);
      gpu.read_latency = std::max(gpu.read_latency, route ? route->latency : Seconds{});
      gpu.reads.push_back(add_route(route, fmt::format("from {} to {}", source, gpu.socket)));
    }
    gpu.copy = add_route(
        shortest_route(plan_.graph, plan_.graph.memory_of(gpu.socket), plan_.graph.gpu(number)),
        fmt::format("from {} to {}", gpu.socket, part.id));
    const ComputeTime time = compute_time(compute_rows(workload_, part.model.name), plan_.batch);
    gpu.compute = time.step;
    if (time.step > plan_.compute.step) plan_.compute = time;
    plan_.exchange_included = plan_.exchange_included || time.includes_exchange;
    if (!time.caveat.empty() && !std::ranges::count(plan_.warnings, time.caveat))
      plan_.warnings.push_back(time.caveat);
    plan_.gpus.push_back(std::move(gpu));
  }

  /// Ring all-reduce: every rank sends 2 (n-1)/n of the gradients to the next, in 2 (n-1) rounds;
  /// the rings share the gradients by their bricks.
  void add_exchange() {
    const int ranks = static_cast<int>(plan_.gpus.size());
    const auto rings = find_rings(system_, ranks);
    const Bytes gradients{static_cast<double>(workload_.model->parameters) *
                          bytes_per_gradient(workload_.precision)};
    double bricks = 0;
    for (const auto& ring : rings) bricks += ring.bricks;
    for (const auto& ring : rings) {
      const Bytes sent = gradients * (ring.bricks / bricks * 2 * (ranks - 1) / ranks);
      for (std::size_t hop = 0; hop < ring.order.size(); ++hop) {
        const int from = ring.order[hop];
        const int to = ring.order[(hop + 1) % ring.order.size()];
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
  Plan plan_;
  Diagnostics missing_;
};

}  // namespace

Bandwidth solo_rate(const Plan& plan, const Route& route) {
  Bandwidth rate = route.cap.value_or(Bandwidth{std::numeric_limits<double>::infinity()});
  for (const int resource : route.resources)
    rate = std::min(rate, plan.resource(resource).capacity);
  return rate;
}

Plan make_plan(const Scenario& scenario) { return Planner(scenario).make(); }

}  // namespace gpufeed
