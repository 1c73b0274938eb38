// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/limits/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "sim/model/workload.h"
#include "sim/plan/limits/expected_slowest.h"
#include "sim/plan/limits/loads.h"
#include "sim/plan/limits/own_pace.h"

namespace gpufeed {
namespace {

constexpr Rate kUnlimitedRate{std::numeric_limits<double>::infinity()};

/// The resource with the least capacity per load among those `wanted` says.
template <class Wanted>
PathStageLimit narrowest(const Plan& plan, PathStage kind, const ByResource<double>& loads,
                         Wanted wanted) {
  PathStageLimit limit{kind, kUnlimitedRate, {}};
  for (const ResourceIndex r : loads.indices()) {
    if (loads[r] == 0 || !wanted(plan.graph.resources[r].kind)) continue;
    const Rate rate{plan.graph.resources[r].capacity.value / loads[r]};
    if (rate < limit.capacity) limit = {kind, rate, r};
  }
  return limit;
}

/// The rate of all, where one batch takes a GPU `time_of`: each trains its part, or as many as it
/// can. Those that it takes no time are not limited.
template <class TimeOf>
Rate rate_of_gpus(const Plan& plan, TimeOf time_of) {
  Rate least = kUnlimitedRate, sum{};
  double part = 0, all = 0;
  for (const auto& gpu : plan.gpus) {
    all += gpu.part;
    const Seconds time = time_of(gpu);
    if (time.value == 0) continue;
    const Rate own{static_cast<double>(plan.batch) / time.value};
    least = std::min(least, own * (1 / gpu.part));
    sum += own;
    part += gpu.part;
  }
  return plan.parts_equal() || part == 0 ? least : sum * (all / part);
}

Seconds core_time(const Plan& plan, const NodeHits& found) {
  return plan.decode + (plan.fetch + plan.fill) * plan.from_sources(found) +
         plan.pull * plan.from_store(found) +
         (plan.batch_overhead + plan.take_over) / static_cast<double>(plan.batch);
}

/// Every pool serves its GPUs.
Rate decode_limit(const Plan& plan) {
  std::vector<double> parts(plan.cores.size(), 0.0);
  std::vector<Seconds> times(plan.cores.size());
  for (const auto& gpu : plan.gpus) {
    parts[gpu.pool] += gpu.part;
    times[gpu.pool] = core_time(plan, gpu);  // its GPUs are of one node, and find as much
  }
  Rate least = kUnlimitedRate;
  for (std::size_t pool = 0; pool < plan.cores.size(); ++pool)
    if (times[pool].value > 0)
      least = std::min(least, Rate{plan.cores[pool] / parts[pool] / times[pool].value});
  return least;
}

Rate worker_limit(const Plan& plan) {
  return rate_of_gpus(plan, [&](const GpuPlan& gpu) { return worker_time(plan, gpu); });
}

/// Every process takes over the batches of its GPUs, one after the other.
Rate process_limit(const Plan& plan) {
  if (plan.least_take_over().value == 0) return kUnlimitedRate;
  std::map<std::size_t, double> parts;
  for (const auto& gpu : plan.gpus) parts[gpu.process] += gpu.part;
  double most = 0;
  for (const auto& [process, part] : parts) most = std::max(most, part);
  return {static_cast<double>(plan.batch) / (plan.least_take_over().value * most)};
}

PathStageLimit copy_limit(const Plan& plan, const Loads& loads) {
  using enum ResourceKind;
  ByResource<double> copied = loads.copied;
  for (const ResourceIndex r : copied.indices())
    if (copied[r] > 0) copied[r] += loads.in_steps[r];
  PathStageLimit limit =
      narrowest(plan, PathStage::copy, copied, [](ResourceKind kind) { return kind != memory; });
  limit.capacity = std::min(
      limit.capacity, rate_of_gpus(plan, [&](const GpuPlan& gpu) { return copy_time(plan, gpu); }));
  return limit;
}

PathStageLimit exchange_limit(const Plan& plan, const Loads& loads) {
  PathStageLimit limit =
      narrowest(plan, PathStage::exchange, loads.exchanged, [](ResourceKind) { return true; });
  if (plan.synchronous && !plan.exchange.empty())
    limit.capacity = {plan.global_batch() / exchange_time(plan).value};
  PhaseTimes times(plan);
  limit.capacity =
      std::min(limit.capacity,
               rate_of_gpus(plan, [&](const GpuPlan& gpu) { return times.of(gpu.exchange); }));
  return limit;
}

/// Of the GPUs' processors, decoding included.
Rate compute_limit(const Plan& plan) {
  return rate_of_gpus(plan, [](const GpuPlan& gpu) { return gpu.compute; });
}

/// What GPUs decode by themselves, as if they did nothing else.
PathStageLimit gpu_decode_limit(const Plan& plan) {
  return {PathStage::gpu_decode, rate_of_gpus(plan, [](const GpuPlan& gpu) {
            return gpu.decode_in_compute + gpu.decode_by_engine;
          })};
}

/// And what they compute, so.
PathStageLimit gpu_compute_limit(const Plan& plan) {
  return {PathStage::compute, rate_of_gpus(plan, [](const GpuPlan& gpu) {
            return gpu.compute - gpu.decode_in_compute;
          })};
}

/// What of an exchange is not hidden behind the computing that comes before.
Seconds with_exchange(const Plan& plan, PhaseTimes& times, Seconds compute,
                      const std::vector<ExchangePhase>& phases) {
  Seconds end{};
  for (const auto& phase : phases)
    end = std::max(end, compute * (1 - plan.overlap.value * (1 - phase.ready))) + times.of(phase);
  return std::max(compute, end);
}

/// Whether every sample is read into a memory and copied from there to a GPU.
bool feeds_gpus(const Plan& plan) {
  return plan.kind != kind_of<kind::Loader> && plan.kind != kind_of<kind::Emulated> &&
         std::ranges::all_of(plan.gpus, [](const GpuPlan& gpu) { return gpu.copy.has_value(); });
}

/// The first node of each kind (GpuFeed::finds).
std::vector<int> unlike_nodes(const Plan& plan) {
  std::vector<int> nodes;
  std::set<std::size_t> kinds;
  for (const GpuPlan& gpu : plan.gpus)
    if (kinds.insert(gpu.finds).second) nodes.push_back(gpu.node);
  return nodes;
}

FeedDemand demand_of(const Plan& plan, int node) {
  FeedDemand demand{plan.sources, {}, plan.input_size, {}, {}};
  for (const auto& gpu : plan.gpus) {
    if (gpu.node != node) continue;  // by whose numbers the graph shows the first one
    demand.read_per_sample = read_of_sample(plan, gpu);
    demand.gpus.push_back(gpu.number);
    demand.sockets.push_back(gpu.socket);
  }
  return demand;
}

bool is_lower(Rate rate, Rate other) {
  constexpr double kRounding = 1e-9;  // keeps the better names where two ways give one rate
  return rate.value < other.value * (1 - kRounding);
}

/// What a node trains at most holds all to as much of each GPU.
/// \return `known`, or what the machine allows where that is no more: a cut has the better names
Bound with_cut(const Plan& plan, Bound known) {
  for (const int node : unlike_nodes(plan)) {
    const FeedDemand demand = demand_of(plan, node);
    const double nodes =
        static_cast<double>(plan.gpus.size()) / static_cast<double>(demand.gpus.size());
    const FeedBound feed = feed_bound(plan.graph, demand, known.rate * (1 / nodes));
    const Rate rate = feed.rate * nodes;
    if (!std::isfinite(rate.value) || is_lower(known.rate, rate)) continue;
    known = {std::min(rate, known.rate), {}};
    for (const ResourceIndex resource : feed.cut)
      known.cut.push_back(limit_of(plan.resource(resource)));
  }
  return known;
}

}  // namespace

Seconds worker_time(const Plan& plan, const GpuPlan& gpu) {
  const double samples = static_cast<double>(plan.batch);
  const double missed = 1 - plan.hit_rate(gpu);
  const double near = plan.from_sources(plan.hits(gpu));
  const double far = plan.from_store(plan.hits(gpu));
  const double threads = static_cast<double>(plan.loader.threads_per_batch);
  Seconds read{};
  for (const RouteIndex route : gpu.reads) {
    const Bytes part =
        read_of_sample(plan, gpu) * (samples / static_cast<double>(gpu.reads.size()));
    const Seconds one = part / solo_rate(plan.graph, plan.route(route));
    read = plan.whole_files ? read + one : std::max(read, one);
  }
  if (plan.whole_files) read = read / static_cast<double>(plan.sources_at_once());
  const auto pull = [&](const std::vector<RouteIndex>& routes, Bytes size) {
    for (const RouteIndex route : routes)
      read = std::max(read, size * (samples / static_cast<double>(routes.size())) /
                                solo_rate(plan.graph, plan.route(route)));
  };
  pull(gpu.pulls, pulled_of_sample(plan, gpu));
  pull(gpu.passes, passed_of_sample(plan, gpu));
  const double readers = static_cast<double>(plan.loader.readers_per_batch);
  const Seconds wait =
      gpu.read_latency * (samples * near / readers) + gpu.pull_latency * (samples * far / readers);
  // A kernel's client fetches on another core while bytes arrive.
  const Seconds fetch =
      plan.fetch * (near * samples / threads) + plan.pull * (far * samples / threads);
  const Seconds decode =
      ((plan.decode + plan.fill * near) * samples + plan.batch_overhead) / threads;
  const Seconds reader = plan.reader_time * (samples * missed);
  const Seconds batch = plan.decodes_while_reading ? std::max({wait + read, fetch, decode, reader})
                                                   : std::max(wait + read, fetch) + decode;
  return batch / static_cast<double>(plan.loader.batches_at_once);
}

Seconds copy_time(const Plan& plan, const GpuPlan& gpu) {
  if (!gpu.copy) return {};
  const Route& route = plan.route(*gpu.copy);
  const Bytes size = plan.input_size * static_cast<double>(plan.batch);
  return route.latency + size / solo_rate(plan.graph, route);
}

Seconds core_time(const Plan& plan) { return core_time(plan, plan.hits()); }
Seconds core_time(const Plan& plan, const GpuPlan& gpu) { return core_time(plan, plan.hits(gpu)); }

Rate engine_limit(const Plan& plan) {
  return rate_of_gpus(plan, [](const GpuPlan& gpu) { return gpu.decode_by_engine; });
}

Seconds PhaseTimes::of(const ExchangePhase& phase) {
  std::vector<ResourceIndex> crossed;
  Seconds slowest{};
  for (const auto& flow : phase.flows) {
    const Route& route = plan_.route(flow.route);
    for (const ResourceIndex resource : route.resources) {
      if (bytes_[resource] == 0) crossed.push_back(resource);
      bytes_[resource] += flow.size.value;
    }
    if (route.cap) slowest = std::max(slowest, flow.size / solo_rate(plan_.graph, route));
  }
  bool all_tell = true;  // of each flow alone, too: all of them are no less
  for (const ResourceIndex r : crossed) {
    const Bytes all{std::exchange(bytes_[r], 0.0)};
    const Resource& resource = plan_.resource(r);
    slowest = std::max(slowest, all * resource.stands_for / resource.capacity);
    all_tell = all_tell && resource.stands_for >= 1;
  }
  if (!all_tell)
    for (const auto& flow : phase.flows)
      slowest = std::max(slowest, flow.size / solo_rate(plan_.graph, plan_.route(flow.route)));
  return phase.latency + slowest;
}

Seconds PhaseTimes::of(const std::vector<ExchangePhase>& phases) {
  Seconds all{};
  for (const auto& phase : phases) all += of(phase);
  return all;
}

/// What a GPU waits for in every step, if only because nobody did it before.
Seconds time_before_step(const Plan& plan, const GpuPlan& gpu) {
  Seconds time{};
  if (plan.loader.on_demand) time += worker_time(plan, gpu);
  if (!plan.takes_over_beside) time += plan.least_take_over();
  if (plan.copies_in_order) time += copy_time(plan, gpu) + gpu.decode_by_engine;
  return time;
}

Seconds time_before_step(const Plan& plan) {
  Seconds least = time_before_step(plan, plan.gpus.front());
  for (const auto& gpu : plan.gpus) least = std::min(least, time_before_step(plan, gpu));
  return least;
}

Seconds own_step(const Plan& plan, PhaseTimes& times, const GpuPlan& gpu) {
  return time_before_step(plan, gpu) + with_exchange(plan, times, gpu.compute, gpu.exchange);
}

Seconds exchange_time(const Plan& plan) {
  PhaseTimes times(plan);
  Seconds slowest = times.of(plan.exchange);
  for (const auto& gpu : plan.gpus) slowest = std::max(slowest, times.of(gpu.exchange));
  return slowest;
}

Seconds undisturbed_step(const Plan& plan) {
  PhaseTimes times(plan);
  if (plan.synchronous)
    return time_before_step(plan) +
           with_exchange(plan, times, expected_slowest(plan), plan.exchange);
  const Rate rate =
      rate_of_gpus(plan, [&](const GpuPlan& gpu) { return own_step(plan, times, gpu); });
  return {plan.global_batch() / rate.value};
}

Seconds fed_step(const Plan& plan) {
  return std::max(undisturbed_step(plan), {plan.global_batch() / engine_limit(plan).value});
}

std::vector<double> parts_of_gpus(const Plan& plan) {
  PhaseTimes times(plan);
  double all = 0;
  std::vector<double> parts;
  for (const auto& gpu : plan.gpus) {
    const Seconds step = std::max(own_step(plan, times, gpu), gpu.decode_by_engine);
    parts.push_back(plan.parts_equal() ? 1 : 1 / step.value);
    all += parts.back();
  }
  for (double& part : parts) part /= all;
  return parts;
}

std::vector<PathStageLimit> stage_limits(const Plan& plan, const Loads& loads) {
  using enum ResourceKind;
  ByResource<double> all(loads.read.size());
  for (const ResourceIndex r : all.indices()) all[r] = loads.all(r);
  std::vector<PathStageLimit> limits{
      narrowest(plan, PathStage::storage, loads.read,
                [](ResourceKind k) { return k == drive || k == array; }),
      narrowest(plan, PathStage::network, loads.read, [](ResourceKind k) { return k == network; }),
      narrowest(plan, PathStage::pcie, loads.read,
                [](ResourceKind k) { return k == bus || k == socket_link; }),
      {PathStage::decode, decode_limit(plan), {}},
      {PathStage::workers, worker_limit(plan), {}},
      copy_limit(plan, loads),
      narrowest(plan, PathStage::memory, all, [](ResourceKind k) { return k == memory; }),
      gpu_compute_limit(plan),
      exchange_limit(plan, loads),
  };
  for (const PathStageLimit& shared : limits_of_shared_drives(plan, loads))
    if (shared.capacity < limits.front().capacity) limits.front() = shared;
  const auto copying = std::ranges::find(limits, PathStage::copy, &PathStageLimit::kind);
  if (plan.least_take_over().value > 0)
    limits.insert(copying, {PathStage::process, process_limit(plan), {}});
  const auto computing = std::ranges::find(limits, PathStage::compute, &PathStageLimit::kind);
  if (const PathStageLimit decode = gpu_decode_limit(plan); std::isfinite(decode.capacity.value))
    limits.insert(computing, decode);
  return limits;
}

Bound throughput_bound(const Plan& plan) { return throughput_bound(plan, loads_of(plan)); }

Bound throughput_bound(const Plan& plan, const Loads& loads) {
  Bound bound{kUnlimitedRate, {}};
  const auto lower = [&](Rate rate, std::vector<Limiter> what) {
    if (is_lower(rate, bound.rate)) bound = {rate, std::move(what)};
  };
  using enum LimiterCode;
  if (plan.parts_equal()) {
    for (const ResourceIndex r : loads.read.indices()) {
      if (!(loads.total(r) > 0)) continue;
      const Rate rate{plan.graph.resources[r].capacity.value / loads.total(r)};
      if (is_lower(rate, bound.rate)) bound = {rate, {limit_of(plan.graph.resources[r])}};
    }
    for (const PathStageLimit& shared : limits_of_shared_drives(plan, loads))
      lower(shared.capacity, {limit_of(plan.resource(*shared.resource))});
    lower(decode_limit(plan), {fact<decode_cores>()});
    lower(worker_limit(plan), {fact<loader_workers>()});
    lower(process_limit(plan), {fact<loader_process>()});
    lower(engine_limit(plan), {fact<gpu_decode>()});
  }
  if (const Seconds step = undisturbed_step(plan); step.value > 0) {
    const Rate rate{plan.global_batch() / step.value};
    const bool exchange_counts =
        1 / (1 / rate.value - time_before_step(plan).value / plan.global_batch()) <
        compute_limit(plan).value * (1 - 1e-9);
    const bool decodes = plan.decodes_on_processors();
    // Where nothing is exchanged, it is the wait for the slowest that counts.
    const Limiter of_gpus = exchange_counts && plan.exchange.empty() ? fact<slowest_compute>()
                            : exchange_counts && decodes ? fact<decode_compute_and_exchange>()
                            : exchange_counts            ? fact<compute_and_exchange>()
                            : decodes                    ? fact<decode_and_compute>()
                                                         : fact<gpu_compute>();
    const double before = time_before_step(plan) / step;
    if (before > 0.5)
      lower(rate, {fact<before_step>(), of_gpus});
    else if (before > 0)
      lower(rate, {of_gpus, fact<before_step>()});
    else
      lower(rate, {of_gpus});
  }
  if (!plan.parts_equal())
    for (const auto& shared : shared_by_own_pace(plan)) lower(shared.most, {shared.limit});
  else if (feeds_gpus(plan))
    bound = with_cut(plan, std::move(bound));
  return bound;
}

}  // namespace gpufeed
