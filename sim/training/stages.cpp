// SPDX-License-Identifier: Apache-2.0
#include "sim/training/stages.h"

#include <algorithm>
#include <limits>
#include <string>

namespace gpufeed {
namespace {

constexpr Rate kUnlimitedRate{std::numeric_limits<double>::infinity()};

void add_load(std::vector<double>& loads, const Route& route, double bytes) {
  for (const int resource : route.resources) loads[static_cast<std::size_t>(resource)] += bytes;
}

/// The resource with the least capacity per load among those `wanted` says.
template <class Wanted>
StageLimit narrowest(const Plan& plan, StageKind kind, const std::vector<double>& loads,
                     Wanted wanted) {
  StageLimit limit{kind, kUnlimitedRate, -1};
  for (std::size_t r = 0; r < loads.size(); ++r) {
    if (loads[r] == 0 || !wanted(plan.graph.resources[r].kind)) continue;
    const Rate rate{plan.graph.resources[r].capacity.value / loads[r]};
    if (rate < limit.capacity) limit = {kind, rate, static_cast<int>(r)};
  }
  return limit;
}

/// Every pool serves its GPUs, which advance in step.
Rate decode_limit(const Plan& plan) {
  const Seconds time = core_time(plan);
  if (time.value == 0) return kUnlimitedRate;
  std::vector<std::size_t> served(plan.cores.size(), 0);
  for (const auto& gpu : plan.gpus) ++served[static_cast<std::size_t>(gpu.pool)];
  Rate least = kUnlimitedRate;
  for (std::size_t pool = 0; pool < plan.cores.size(); ++pool) {
    if (served[pool] == 0) continue;
    const double share = static_cast<double>(served[pool]) / static_cast<double>(plan.gpus.size());
    least = std::min(least, Rate{plan.cores[pool] / share / time.value});
  }
  return least;
}

/// Every worker builds one batch after the other, at best as fast as if it were alone.
Rate worker_limit(const Plan& plan) {
  Seconds slowest{};
  const double samples = static_cast<double>(plan.batch);
  const double missed = 1 - plan.hit_rate;
  const double threads = static_cast<double>(plan.threads);
  for (const auto& gpu : plan.gpus) {
    Seconds read{};
    for (const int route : gpu.reads) {
      const Bytes part =
          plan.sample_size * (samples * missed / static_cast<double>(gpu.reads.size()));
      const Seconds one = part / solo_rate(plan, plan.route(route));
      read = plan.whole_files ? read + one : std::max(read, one);
    }
    if (plan.whole_files) read = read / static_cast<double>(plan.sources_at_once());
    const Seconds cores = core_time(plan) * (samples / threads);
    const Seconds wait = gpu.read_latency * (samples * missed / threads);
    slowest = std::max(
        slowest, plan.decodes_while_reading ? std::max(wait + read, cores) : wait + read + cores);
  }
  return {plan.global_batch() * static_cast<double>(plan.workers_per_gpu) / slowest.value};
}

/// The copies of one GPU follow one another; so each also pays its latency.
StageLimit copy_limit(const Plan& plan, const Loads& loads) {
  const auto any = [](ResourceKind kind) { return kind != ResourceKind::memory; };
  StageLimit limit = narrowest(plan, StageKind::copy, loads.copied, any);
  for (const auto& gpu : plan.gpus) {
    if (gpu.copy < 0) continue;
    const Route& route = plan.route(gpu.copy);
    const Bytes size = plan.input_size * static_cast<double>(plan.batch);
    const Seconds one = route.latency + size / solo_rate(plan, route);
    const Rate rate{plan.global_batch() / one.value};
    if (rate < limit.capacity) limit.capacity = rate;
  }
  return limit;
}

StageLimit exchange_limit(const Plan& plan, const Loads& loads) {
  StageLimit limit =
      narrowest(plan, StageKind::exchange, loads.exchanged, [](ResourceKind) { return true; });
  if (!plan.exchange.empty()) limit.capacity = {plan.global_batch() / exchange_time(plan).value};
  return limit;
}

Seconds slowest_compute(const Plan& plan) {
  Seconds slowest{};
  for (const auto& gpu : plan.gpus) slowest = std::max(slowest, gpu.compute);
  return slowest;
}

Rate compute_limit(const Plan& plan) {
  const Seconds slowest = slowest_compute(plan);
  return slowest.value == 0 ? kUnlimitedRate : Rate{plan.global_batch() / slowest.value};
}

/// Whether every sample is read into a memory and copied from there to a GPU.
bool feeds_gpus(const Plan& plan) {
  return std::ranges::all_of(plan.gpus, [](const GpuPlan& gpu) { return gpu.copy >= 0; });
}

FeedDemand demand_of(const Plan& plan) {
  FeedDemand demand{plan.sources, plan.sample_size * (1 - plan.hit_rate), plan.input_size, {}, {}};
  for (const auto& gpu : plan.gpus) {
    if (gpu.node > 0) break;  // the graph shows the first node
    demand.gpus.push_back(gpu.number);
    demand.sockets.push_back(gpu.socket);
  }
  return demand;
}

}  // namespace

Loads loads_of(const Plan& plan) {
  const std::vector<double> none(plan.graph.resources.size(), 0.0);
  Loads loads{none, none, none};
  const auto gpus = static_cast<double>(plan.gpus.size());
  for (const auto& gpu : plan.gpus) {
    for (const int route : gpu.reads)
      add_load(loads.read, plan.route(route),
               plan.sample_size.value * (1 - plan.hit_rate) / gpus /
                   static_cast<double>(gpu.reads.size()));
    if (gpu.hits >= 0)
      add_load(loads.read, plan.route(gpu.hits), plan.sample_size.value * plan.hit_rate / gpus);
    if (gpu.copy >= 0) add_load(loads.copied, plan.route(gpu.copy), plan.input_size.value / gpus);
  }
  for (const auto& phase : plan.exchange)
    for (const auto& flow : phase.flows)
      add_load(loads.exchanged, plan.route(flow.route), flow.size.value / plan.global_batch());
  return loads;
}

Seconds core_time(const Plan& plan) {
  return plan.decode + plan.fetch * (1 - plan.hit_rate) +
         plan.batch_overhead / static_cast<double>(plan.batch);
}

Seconds exchange_time(const Plan& plan, const std::vector<ExchangePhase>& phases) {
  std::vector<double> bytes(plan.graph.resources.size(), 0.0);
  Seconds all{};
  for (const auto& phase : phases) {
    std::ranges::fill(bytes, 0.0);
    Seconds slowest{};
    for (const auto& flow : phase.flows) {
      add_load(bytes, plan.route(flow.route), flow.size.value);
      slowest = std::max(slowest, flow.size / solo_rate(plan, plan.route(flow.route)));
    }
    for (std::size_t r = 0; r < bytes.size(); ++r)
      slowest = std::max(slowest, Bytes{bytes[r]} / plan.graph.resources[r].capacity);
    all += phase.latency + slowest;
  }
  return all;
}

Seconds exchange_time(const Plan& plan) { return exchange_time(plan, plan.exchange); }

Seconds undisturbed_step(const Plan& plan) {
  const Seconds compute = slowest_compute(plan);
  return std::max(compute, compute * (1 - plan.overlap.value) + exchange_time(plan));
}

std::vector<StageLimit> stage_limits(const Plan& plan, const Loads& loads) {
  using enum ResourceKind;
  std::vector<double> all(loads.read.size());
  for (std::size_t r = 0; r < all.size(); ++r) all[r] = loads.total(r);
  return {
      narrowest(plan, StageKind::storage, loads.read,
                [](ResourceKind k) { return k == drive || k == array; }),
      narrowest(plan, StageKind::network, loads.read, [](ResourceKind k) { return k == network; }),
      narrowest(plan, StageKind::pcie, loads.read,
                [](ResourceKind k) { return k == bus || k == socket_link; }),
      {StageKind::decode, decode_limit(plan), -1},
      {StageKind::workers, worker_limit(plan), -1},
      copy_limit(plan, loads),
      narrowest(plan, StageKind::memory, all, [](ResourceKind k) { return k == memory; }),
      {StageKind::compute, compute_limit(plan), -1},
      exchange_limit(plan, loads),
  };
}

Bound throughput_bound(const Plan& plan) {
  Bound bound{kUnlimitedRate, {}};
  if (feeds_gpus(plan)) {
    const FeedBound feed = feed_bound(plan.graph, demand_of(plan));
    bound.rate = feed.rate * static_cast<double>(plan.nodes);
    for (const int resource : feed.cut) bound.cut.push_back(plan.resource(resource).id);
  }
  const auto lower = [&](Rate rate, const std::string& what) {
    if (rate < bound.rate) bound = {rate, {what}};
  };
  const Loads loads = loads_of(plan);
  constexpr double kRounding = 1e-9;  // keeps the cut's names where both ways give one rate
  for (std::size_t r = 0; r < loads.read.size(); ++r) {
    if (loads.total(r) == 0) continue;
    const Rate rate{plan.graph.resources[r].capacity.value / loads.total(r)};
    if (rate.value < bound.rate.value * (1 - kRounding)) lower(rate, plan.graph.resources[r].id);
  }
  lower(decode_limit(plan), "decode cores");
  lower(worker_limit(plan), "loader workers");
  const bool exchange_counts = undisturbed_step(plan) > slowest_compute(plan);
  if (undisturbed_step(plan).value > 0)
    lower({plan.global_batch() / undisturbed_step(plan).value},
          exchange_counts ? "GPU compute and gradient exchange" : "GPU compute");
  return bound;
}

}  // namespace gpufeed
