// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/serving/serving_plan.h"

#include <algorithm>
#include <map>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/model/step_estimate.h"
#include "sim/plan/compute_time.h"
#include "sim/plan/make/copies.h"
#include "sim/plan/make/cores.h"
#include "sim/plan/make/loader_shape.h"
#include "sim/plan/make/reads.h"

namespace gpufeed {
namespace {

/// Hardware threads that decode for each GPU.
std::int64_t threads_per_gpu(const Scenario& scenario) {
  std::int64_t threads = 0;
  for (const auto& socket : scenario.system->sockets)
    threads += socket.model->cores * socket.model->threads_per_core;
  const std::int64_t gpus = gpus_per_node(scenario);
  return (threads + gpus - 1) / gpus;
}

/// Every thread reads for itself. Inputs that arrive in memory take nothing of the storage, but
/// the model lies there.
ReadFrom inputs_from(const Scenario& scenario, std::int64_t threads) {
  ReadFrom from{*scenario.data.at, scenario.data.mode, scenario.data.path, threads};
  if (scenario.workload.get<kind::Inference>().serving->inputs == InputsFrom::storage) return from;
  from.path = ReadPath::host;
  from.mode = ReadMode::direct;
  return from;
}

class ServingPlanner {
 public:
  explicit ServingPlanner(const Scenario& scenario)
      : scenario_(scenario), workload_(scenario.workload.get<kind::Inference>()) {}

  ServingPlan make() {
    out_.reads = workload_.serving->inputs == InputsFrom::storage;
    out_.sample_size = workload_.dataset->sample_size;
    out_.sample_size_deviation = workload_.dataset->sample_size_deviation;
    out_.input_size = copied_size(scenario_);
    const std::int64_t threads = threads_per_gpu(scenario_);
    const std::int64_t gpus = gpus_per_node(scenario_);
    const Sources sources = sources_of(scenario_, inputs_from(scenario_, gpus * threads));
    out_.whole_files = sources.whole_files;
    out_.graph = build_graph(scenario_, sources.reading.access);
    const CorePools pools = core_pools(scenario_, gpus * threads);
    out_.cores = pools.cores;
    const SampleTimes times =
        sample_times(scenario_, sources, {.batches_at_once = threads}, pools.used, false);
    out_.core_time = times.decode;
    if (out_.reads) out_.core_time += times.fetch + times.fill;
    add_gpus(sources, pools);
    add_forward();
    return std::move(out_);
  }

 private:
  void add_gpus(const Sources& sources, const CorePools& pools) {
    const auto process = add_processes(scenario_, out_.graph);
    const bool direct = sources.from.path == ReadPath::gpudirect;
    RoutesInMaking routes(scenario_, out_.routes);
    for (std::int64_t i = 0; i < gpus_per_node(scenario_); ++i) {
      GpuFeed gpu;
      gpu.number = out_.gpus.size();
      gpu.socket = socket_of_loader(scenario_, gpu.number);
      gpu.nic = {.gpu = gpu.number};
      gpu.pool = pool_of(pools, gpu.socket);
      if (out_.reads) add_reads(scenario_, out_.graph, sources, 1, {gpu.nic}, routes, gpu);
      if (!direct) add_copy(scenario_, out_.graph, routes, gpu);
      if (!direct && process) pass_process(scenario_, *process, routes, gpu);
      out_.gpus.push_back(std::move(gpu));
    }
    routes.throw_if_any_is_missing();
  }

  void add_forward() {
    std::map<std::string, std::vector<Seconds>> known;
    for (const auto& gpu : out_.gpus) {
      const auto& name = scenario_.system->gpus[gpu.number].model.name;
      if (!known.contains(name)) known[name] = times_of(name);
      out_.forward.push_back(known[name]);
    }
  }

  std::vector<Seconds> times_of(const std::string& gpu) {
    const bool own = !workload_.forward.empty();
    const auto rows = own ? forward_rows(workload_, gpu) : compute_rows(workload_, gpu);
    const auto smallest = rows.empty() ? 1 : rows.front().batch;
    std::vector<Seconds> times;
    ComputeTime last;
    for (std::int64_t batch = 1; batch <= workload_.serving->largest_batch; ++batch) {
      last = own ? compute_time(rows, batch) : compute_time(workload_, gpu, batch);
      times.push_back(last.step / (own ? 1 : kForwardsPerStep));
    }
    out_.basis = own ? last.basis : Basis::estimate;
    if (smallest > 1) warn(way_below(rows, own ? nullptr : line_of(gpu), gpu));
    if (last.caveat && (rows.empty() || workload_.serving->largest_batch > smallest))
      warn(*last.caveat);
    if (!own && last.includes_exchange) warn(fact<WarningCode::forward_with_exchange>(gpu));
    return times;
  }

  const StepLine* line_of(const std::string& gpu) const {
    const auto line = std::ranges::find(workload_.step_lines, gpu, &StepLine::gpu);
    return line == workload_.step_lines.end() ? nullptr : &*line;
  }
  /// How `compute_time` goes below the first row.
  static Warning way_below(const std::vector<ComputeRow>& rows, const StepLine* line,
                           const std::string& gpu) {
    using enum WarningCode;
    const std::int64_t smallest = rows.front().batch;
    if (rows.size() > 1) return fact<forward_by_two_batches>(gpu, smallest);
    return line ? fact<forward_by_line>(gpu, smallest, line->source)
                : fact<forward_in_proportion>(gpu, smallest);
  }

  void warn(const Warning& warning) {
    if (!std::ranges::count(out_.warnings, warning)) out_.warnings.push_back(warning);
  }

  const Scenario& scenario_;
  const kind::Inference& workload_;
  ServingPlan out_;
};

}  // namespace

ServingPlan make_serving_plan(const Scenario& scenario) { return ServingPlanner(scenario).make(); }

}  // namespace gpufeed
