// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "sim/job/epochs/run_memory.h"

namespace gpufeed {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kGlance = 100ms;  ///< between two looks at what has come
constexpr auto kCommit = 500ms;  ///< work that a kill may cost

/// Threads that take points from a list, and rows that wait to be written.
class Workers {
 public:
  Workers(const SweepPlan& plan, const std::vector<std::int64_t>& todo, unsigned count)
      : plan_(plan), todo_(todo), busy_(count) {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Workers() {
    stop();
    for (auto& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// No further point is begun.
  void stop() { stopped_ = true; }

  /// Moves what has finished to the end of `rows`, after a while or when all has.
  /// \return whether there may be more
  bool collect(std::vector<SweepRow>& rows) {
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, kGlance, [&] { return busy_ == 0; });
    std::ranges::move(rows_, std::back_inserter(rows));
    rows_.clear();
    return busy_ > 0;
  }

 private:
  void work() {
    const RunMemory::InUse in_use(memory_);
    for (std::size_t i = next_++; i < todo_.size() && !stopped_; i = next_++) {
      SweepRow row = evaluate(plan_, todo_[i]);
      const std::scoped_lock lock(mutex_);
      rows_.push_back(std::move(row));
    }
    const std::scoped_lock lock(mutex_);
    --busy_;
    ended_.notify_one();
  }

  const SweepPlan& plan_;
  const std::vector<std::int64_t>& todo_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<SweepRow> rows_;
  RunMemory memory_;
  unsigned busy_;
  std::vector<std::thread> threads_;
};

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
  Workers workers(plan, todo, static_cast<unsigned>(most));
  std::vector<SweepRow> rows;
  auto last = Clock::now();
  for (bool more = true; more;) {
    const std::size_t waiting = rows.size();
    more = workers.collect(rows);
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
