// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_run.h"

#include <algorithm>
#include <chrono>

#include "reports/study/sweep_workers.h"

namespace gpufeed {
namespace {

using Clock = std::chrono::steady_clock;

/// Points of the shard that the store lacks, and how many it has.
std::vector<std::int64_t> missing_points(const SweepPlan& plan, SweepStore& store,
                                         const Shard& shard) {
  const auto finished = store.finished();
  std::vector<std::int64_t> todo;
  for (std::int64_t point = 0; point < plan.points.count(); ++point)
    if (shard.has(point) && !std::ranges::binary_search(finished, point)) todo.push_back(point);
  return todo;
}

}  // namespace

bool run_sweep(const SweepPlan& plan, SweepStore& store, const SweepRun& run) {
  const auto todo = missing_points(plan, store, run.shard);
  const std::int64_t before = store.counts().finished;
  const auto all = before + static_cast<std::int64_t>(todo.size());
  std::int64_t finished = before;
  run.progress(finished, all);
  if (todo.empty()) return true;
  const auto most =
      plan.one_at_a_time ? std::size_t{1} : std::min<std::size_t>(run.jobs, todo.size());
  SweepWorkers workers(plan, static_cast<unsigned>(most));
  workers.add(todo);
  std::vector<SweepRow> rows;
  auto last = Clock::now();
  for (bool more = true; more;) {
    const std::size_t waiting = rows.size();
    workers.collect(rows);
    more = !workers.load().none;
    finished += static_cast<std::int64_t>(rows.size() - waiting);
    run.progress(finished, all);
    const bool stopped = run.stop();
    if (stopped) workers.stop();
    if (more && !stopped && Clock::now() - last < kCommit) continue;
    store.add(plan, rows);
    rows.clear();
    last = Clock::now();
  }
  return finished == all;
}

}  // namespace gpufeed
