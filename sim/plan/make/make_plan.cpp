// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/make_plan.h"

#include <algorithm>
#include <utility>

#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/cache/cache_plan.h"
#include "sim/plan/cache/read_through.h"
#include "sim/plan/checkpoint/plan_checkpoints.h"
#include "sim/plan/exchange/plan_exchange.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/all_nodes.h"
#include "sim/plan/make/compute.h"
#include "sim/plan/make/copies.h"
#include "sim/plan/make/copy_in.h"
#include "sim/plan/make/cores.h"
#include "sim/plan/make/job_length.h"
#include "sim/plan/make/loader_shape.h"
#include "sim/plan/make/reads.h"
#include "sim/plan/make/uncontended.h"
#include "sim/plan/reader_shares.h"
#include "sim/plan/reading.h"

namespace gpufeed {
namespace {

/// What is read for a plan, and what becomes of it besides.
struct Input {
  Sources sources;
  bool copied_in = false;           ///< written to the drives of `data.at`, past the page cache
  std::optional<Sources> far = {};  ///< the store that `sources` are a cache of
};

/// What the loaders of a node share.
struct Shared {
  CorePools pools;
  std::optional<ResourceIndex> copy_in_limit;
};

Plan with_sizes(const Scenario& scenario) {
  const Workload& workload = scenario.workload;
  Plan plan;
  plan.kind = workload.kind();
  plan.nodes = scenario.nodes;
  plan.batch = samples_of_step(workload);
  plan.sample_size = workload.dataset()->sample_size;
  plan.sample_size_deviation = workload.dataset()->sample_size_deviation;
  plan.input_size = copied_size(scenario);
  const JobLength length = job_length(scenario);
  plan.steps_per_epoch = length.steps_per_epoch;
  plan.steps = length.steps;
  plan.epochs = length.epochs;
  return plan;
}

void add_rules(const Scenario& scenario, Plan& plan) {
  plan.loader = loader_shape(scenario);
  plan.shuffle = shuffle_time(scenario);
  plan.index_time = scenario.loader.index_time;
  plan.copies_in_order = scenario.loader.copies_in_order();
  plan.jitter = scenario.loader.jitter;
  plan.sample_jitter = scenario.loader.sample_jitter.value;
  plan.batch_overhead =
      scenario.loader.batch_overhead * static_cast<double>(batches_of_step(scenario.workload));
  if (scenario.loader.starts_workers())
    plan.worker_start =
        scenario.loader.worker_start.value * static_cast<double>(scenario.loader.workers_per_gpu);
  if (scenario.data.path == ReadPath::host && !plan.loader.on_demand) {
    plan.take_over = take_over_time(scenario);
    plan.take_over_wait = scenario.loader.take_over_wait;
    plan.take_over_busy_wait = scenario.loader.take_over_busy_wait;
  }
  // PyTorch pins memory where there is a GPU: nothing pins for a timer
  plan.takes_over_beside = scenario.loader.pinned_memory && !scenario.workload.is<kind::Emulated>();
  plan.synchronous =
      plan.kind != kind_of<kind::Training> || scenario.exchange.mode == ExchangeMode::synchronous;
  plan.staleness = scenario.exchange.staleness;
  // Gradients leave beside the last batch of a step.
  plan.overlap = scenario.exchange.overlap.value *
                 (1 / static_cast<double>(batches_of_step(scenario.workload)));
  if (const auto* emulated = scenario.workload.find<kind::Emulated>()) {
    plan.step_jitter = emulated_jitter(scenario);
    plan.nominal_compute = (*emulated->job)->compute_time;
    plan.worker_start += (*emulated->job)->epoch_start;
  }
}

/// Once the page cache is full, fewer of its pages lie apart in memory.
Sources sources_of_loader(const Scenario& scenario) {
  Sources sources = sources_of(scenario, read_from(scenario));
  if (sources.from.buffered() && fills_cache(scenario))
    sources.reading.access.pieces_per_page *= scenario.system->pages_apart.value;
  return sources;
}

Sources sources_of_store(const Scenario& scenario) {
  ReadFrom from = read_from(scenario);
  from.at = *scenario.data.staging->from;
  return sources_of(scenario, from);
}

/// Where drives are a cache, it asks the store for blocks.
Input input_of(const Scenario& scenario) {
  Input input{sources_of_loader(scenario)};
  if (!reads_through(scenario)) return input;
  input.far = sources_of_store(scenario);
  if (is_read_anywhere(scenario)) {
    Bytes& request = input.far->reading.access.request;
    request = std::max(request, cache_block(scenario));
    const auto& protocol = input.far->store->protocol;
    if (protocol && (*protocol)->largest_request)
      request = std::min(request, *(*protocol)->largest_request);
  }
  return input;
}

Graph graph_of(const Scenario& scenario, const Input& input) {
  StorageAccess access = input.sources.reading.access;
  if (scenario.checkpoint) {
    access.write_request = kCheckpointRequest;
    access.write_run = kInARow;
  }
  if (!input.far) return build_graph(scenario, access);
  return build_graph(scenario, access, input.far->reading.access);
}

Shared add_shared(const Scenario& scenario, const Input& input, Plan& plan) {
  Shared shared;
  shared.pools = core_pools(scenario, gpus_per_node(scenario) * plan.loader.threads());
  plan.cores = shared.pools.cores;
  plan.physical_cores = shared.pools.physical;
  if (cores_of(plan) > plan.physical_cores)
    plan.smt = smt_gain(scenario, scenario.system->sockets.front().model);
  const bool full = fills_cache(scenario);
  const SampleTimes times =
      sample_times(scenario, input.sources, plan.loader, shared.pools.used, full);
  plan.decode = times.decode;
  plan.fetch = times.fetch;
  plan.fill = times.fill * input.sources.reading.read_per_byte;
  plan.reader_time = times.reader;
  plan.decodes_while_reading = times.decodes_while_reading;
  if (!plan.decodes_while_reading && !plan.loader.shared_batches)
    plan.loader.parts_per_batch =
        parts_per_batch(gpus_in_use(scenario) * plan.loader.batches_at_once, plan.batch);
  plan.sources = input.sources.parts;
  plan.read_per_byte = input.sources.reading.read_per_byte;
  plan.whole_files = input.sources.whole_files;
  plan.told_together = told_together(scenario, input.sources);
  if (input.far) {
    plan.reads_through = true;
    plan.pull_per_byte = pulled_per_byte(scenario, input.sources.reading);
    plan.pull = sample_times(scenario, *input.far, plan.loader, shared.pools.used, full).fetch;
  }
  if (input.copied_in || input.far) shared.copy_in_limit = add_copy_in_limit(scenario, plan.graph);
  return shared;
}

void add_cache(const Scenario& scenario, Plan& plan) {
  plan.cache = cache_memory(scenario);
  const double epochs = static_cast<double>(plan.steps) / static_cast<double>(plan.steps_per_epoch);
  CacheHits hits = hits_of_nodes(scenario, epochs, [&](const NodeShare& share) {
    CacheHits found = cache_hits(scenario, share, plan.cache, epochs, plan.read_per_byte);
    if (!plan.reads_through) return found;
    return with_cache_on_drives(scenario, share, found, plan.cache, epochs, plan.pull_per_byte);
  });
  plan.first_hits = hits.first;
  plan.later_hits = hits.later;
  plan.filling = std::move(hits.filling);
}

void add_step(const StepTime& step, Plan& plan, GpuPlan& gpu) {
  gpu.compute = step.all;
  gpu.stages_wait = step.stages_wait;
  const bool beside = step.engine != DecodeEngine::sms;
  (beside ? gpu.decode_by_engine : gpu.decode_in_compute) = step.decode;
  if (beside) plan.decode_engine = step.engine;
  const ComputeTime& compute = step.compute;
  if (plan.gpus.empty() || compute.step > plan.compute.step) plan.compute = compute;
  plan.exchange_included = plan.exchange_included || compute.includes_exchange;
  plan.whole_steps = plan.whole_steps || compute.whole_step;
  if (compute.caveat && !std::ranges::count(plan.warnings, *compute.caveat))
    plan.warnings.push_back(*compute.caveat);
}

void add_gpu(const Scenario& scenario, const Input& input, const Shared& shared,
             RoutesInMaking& routes, Plan& plan) {
  const ReadFrom& from = input.sources.from;
  const bool direct = from.path == ReadPath::gpudirect;
  GpuPlan gpu;
  gpu.number = plan.gpus.size();
  gpu.socket = socket_of_loader(scenario, gpu.number);
  gpu.nic = nic_user(scenario, plan.gpus, gpu);
  gpu.pool = pool_of(shared.pools, gpu.socket);
  gpu.process = gpu.number * static_cast<std::size_t>(loader_processes(scenario)) /
                static_cast<std::size_t>(gpus_per_node(scenario));
  const std::vector<NicUser> cards = input.copied_in
                                         ? std::vector{gpu.nic}
                                         : cards_dealt(input.sources, gpus_per_node(scenario), gpu);
  add_reads(scenario, plan.graph, input.sources, plan.loader.readers_per_batch, cards, routes, gpu);
  if (input.copied_in) copy_in(scenario, plan.graph, shared.copy_in_limit, routes, gpu);
  if (input.far) {
    GpuFeed far = gpu;
    far.reads.clear();
    far.read_latency = {};
    add_reads(scenario, plan.graph, *input.far, plan.loader.readers_per_batch, {gpu.nic}, routes,
              far);
    read_through(scenario, plan.graph, shared.copy_in_limit, routes, far, gpu);
  }
  const bool hits = plan.first_hits.mean() > 0 || plan.later_hits.mean() > 0;
  if (from.buffered() && hits) add_hits(plan.graph, routes, gpu);
  if (plan.kind == kind_of<kind::Training> && !direct) add_copy(scenario, plan.graph, routes, gpu);
  if (plan.kind == kind_of<kind::Training>)
    add_step(training_step(scenario, gpu.number), plan, gpu);
  if (plan.kind == kind_of<kind::Emulated>) add_step(emulated_step(scenario), plan, gpu);
  plan.gpus.push_back(std::move(gpu));
}

void add_shares(const Scenario& scenario, const Input& input, Plan& plan) {
  const Sources& sources = input.far ? *input.far : input.sources;
  if (!sources.store || !sources.store->protocol) return;
  plan.share_deviation = (*sources.store->protocol)->share_deviation;
  draw_shares(static_cast<std::uint64_t>(scenario.run.seed), plan);
}

void add_parts(Plan& plan) {
  const auto parts = parts_of_gpus(plan);
  for (std::size_t g = 0; g < parts.size(); ++g) plan.gpus[g].part = parts[g];
}

void add_training(const Scenario& scenario, Plan& plan) {
  plan.step_jitter = step_jitter(scenario, plan.gpus.front().compute);
  plan.step_loads = step_loads(scenario, plan);
}

/// All that the loaders and GPUs of the first node have.
void add_first_node(const Scenario& scenario, const Input& input, RoutesInMaking& routes,
                    Plan& plan) {
  add_rules(scenario, plan);
  plan.graph = graph_of(scenario, input);
  const Shared shared = add_shared(scenario, input, plan);
  if (!input.copied_in) add_cache(scenario, plan);
  for (std::int64_t i = 0; i < gpus_per_node(scenario); ++i)
    add_gpu(scenario, input, shared, routes, plan);
  if (plan.kind == kind_of<kind::Training>) add_training(scenario, plan);
  routes.throw_if_any_is_missing();
  add_waits_among_readers(scenario, input.sources, plan);
}

void stand_for_all(const Traffic& few, Plan& plan) {
  plan.nodes = static_cast<std::int64_t>(few.stands_for.size());
  for (GpuPlan& gpu : plan.gpus)
    gpu.stands_for = few.stands_for[static_cast<std::size_t>(gpu.node)];
}

enum class For { running, reading };

/// Of many nodes, one of each kind tells which algorithm is fastest, in a time that does not grow
/// with them: nothing where there is no choice, or all have to be shown.
std::optional<Algorithm> algorithm_of_many(const Scenario& scenario, const Input& input,
                                           const Plan& first_node) {
  constexpr std::int64_t kMany = 64;
  if (scenario.nodes < kMany || input.copied_in || !has_choice(scenario, first_node)) return {};
  const auto traffic = traffic_of(scenario);
  if (!traffic || traffic->phases.size() < 2) return {};
  Plan few = first_node;
  Diagnostics missing;  // which all nodes miss as well
  const Nodes nodes(scenario, few.graph, std::ssize(traffic->stands_for), traffic->ring);
  add_nodes(scenario, nodes, input.sources.store != nullptr, few);
  plan_exchange(scenario, nodes, few, missing, &*traffic);
  return missing.empty() ? std::optional(few.algorithm) : std::nullopt;
}

/// \param few  null: all nodes are shown
Plan make(const Scenario& scenario, const Input& input, For use, const Traffic* few = nullptr) {
  Plan plan = with_sizes(scenario);
  RoutesInMaking routes(scenario, plan.routes);
  add_first_node(scenario, input, routes, plan);
  const auto chosen = few ? std::nullopt : algorithm_of_many(scenario, input, plan);
  const Nodes nodes = few ? Nodes(scenario, plan.graph, std::ssize(few->stands_for), few->ring)
                          : Nodes(scenario, plan.graph, Nodes::Copies::taken);
  add_nodes(scenario, nodes, input.sources.store != nullptr, plan);
  if (few) stand_for_all(*few, plan);
  add_shares(scenario, input, plan);
  if (plan.kind == kind_of<kind::Training>)
    plan_exchange(scenario, nodes, plan, routes.missing(), few, chosen);
  add_parts(plan);
  if (input.far) share_drives(nodes, plan.sources, plan);
  if (scenario.checkpoint)
    plan.checkpoint = plan_checkpoints(scenario, nodes, plan, routes.missing());
  routes.throw_if_any_is_missing();
  // Memories carry what is copied in, too; what is not simulated waits for nothing.
  plan.uncontended = use == For::reading || input.copied_in || input.far
                         ? ByResource<bool>(plan.graph.resources.size(), false)
                         : uncontended_memories(plan);
  return plan;
}

}  // namespace

Plan make_plan(const Scenario& scenario) {
  Plan plan = make(scenario, input_of(scenario), For::running);
  if (huge_pages_are_idle(scenario))
    plan.warnings.push_back(
        fact<WarningCode::huge_pages_without_effect>(label_of(scenario, *scenario.data.at)));
  return plan;
}

namespace {

std::optional<Traffic> find_traffic(const Scenario& scenario) {
  Plan plan = with_sizes(scenario);
  RoutesInMaking routes(scenario, plan.routes);
  add_first_node(scenario, input_of(scenario), routes, plan);
  if (plan.kind != kind_of<kind::Training> || plan.whole_steps)
    return Traffic{{static_cast<int>(scenario.nodes)}};
  const Nodes nodes(scenario, plan.graph, 1, false);
  return exchange_traffic(scenario, nodes, plan, routes.missing());
}

thread_local TrafficOnce* last_traffic = nullptr;

}  // namespace

std::optional<Traffic> traffic_of(const Scenario& scenario) {
  if (scenario.nodes == 1 || is_uneven(scenario)) return {};
  if (TrafficOnce* const once = TrafficOnce::of(scenario)) return once->traffic();
  return find_traffic(scenario);
}

TrafficOnce::TrafficOnce(const Scenario& scenario) : scenario_(scenario), before_(last_traffic) {
  last_traffic = this;
}

TrafficOnce::~TrafficOnce() { last_traffic = before_; }

TrafficOnce* TrafficOnce::of(const Scenario& scenario) {
  TrafficOnce* once = last_traffic;
  while (once && &once->scenario_ != &scenario) once = once->before_;
  return once;
}

const std::optional<Traffic>& TrafficOnce::traffic() {
  if (!found_) found_ = find_traffic(scenario_);
  return *found_;
}

Plan make_plan_of_few(const Scenario& scenario, const Traffic& traffic) {
  return make(scenario, input_of(scenario), For::reading, &traffic);
}

Plan make_plan_to_read(const Scenario& scenario, const std::optional<Traffic>& traffic) {
  return make(scenario, input_of(scenario), For::reading, traffic ? &*traffic : nullptr);
}

Plan make_staged_epoch_plan(const Scenario& scenario) {
  return make(scenario, {sources_of_store(scenario), true}, For::running);
}

}  // namespace gpufeed
