// SPDX-License-Identifier: Apache-2.0
#include "sim/job/loaders/cores.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpufeed {
namespace {

/// A second of one core, as bytes of the flows that share cores.
constexpr double kCoreSecond = 1e9;

}  // namespace

std::vector<double> most_threads(const Plan& plan) {
  std::vector<double> threads(plan.cores.size(), 0.0);
  for (const auto& gpu : plan.gpus) {
    const auto workers = static_cast<double>(plan.loader.threads());
    threads[gpu.pool] += workers * (plan.fetch.value > 0 ? 2 : 1);
    if (plan.takes_over()) threads[gpu.pool] += 1;
  }
  return threads;
}

Cores::Cores(const Plan& plan, Engine& engine) : plan_(plan), engine_(engine) {
  const auto threads = most_threads(plan);
  for (std::size_t p = 0; p < plan.cores.size(); ++p) {
    Pool& pool = pools_.emplace_back();
    pool.shared = threads[p] > plan.cores[p];
    if (!pool.shared) continue;
    const LinkId link = engine.add_link(fmt::format("cores {}", p), {plan.cores[p] * kCoreSecond});
    for (std::size_t w = 0; w < kCoreWorks; ++w)
      pool.routes[w] =
          engine.add_route(std::array{link}, {threads_of(static_cast<CoreWork>(w)) * kCoreSecond});
  }
}

double Cores::threads_of(CoreWork work) const {
  return work == CoreWork::take_over ? 1 : static_cast<double>(plan_.loader.threads_per_batch);
}

bool Cores::shared(std::size_t pool) const { return pools_[pool].shared; }

void Cores::start(std::size_t pool, CoreWork work, Seconds core_time, Callback done) {
  Pool& of = pools_[pool];
  of.running += threads_of(work);
  if (of.shared)
    engine_.start_flow(of.routes[static_cast<std::size_t>(work)], {core_time.value * kCoreSecond},
                       done);
  else
    engine_.after(core_time / threads_of(work), done);
}

void Cores::end(std::size_t pool, CoreWork work) { pools_[pool].running -= threads_of(work); }

bool Cores::busy(std::size_t pool) const { return pools_[pool].running >= plan_.cores[pool]; }

Seconds Cores::decoded() const {
  Seconds sum{};
  for (const Pool& pool : pools_)
    if (pool.shared)
      sum += {engine_.moved(pool.routes[static_cast<std::size_t>(CoreWork::decode)]).value /
              kCoreSecond};
  return sum;
}

}  // namespace gpufeed
