// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/study/study_pool.h"
#include "reports/study/sweep_merge.h"
#include "reports/study/sweep_workers.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

/// Few enough that what each costs (two files) is lost in what its points take, enough that
/// hundreds of workers share them.
constexpr std::int64_t kMostChunks = 1024;
constexpr double kAhead_s = 0.5;  ///< work that a worker takes before it needs it

std::int64_t points_in_chunk(const SweepPlan& plan) {
  return (plan.points.count() + kMostChunks - 1) / kMostChunks;
}

std::string identity_of(const SweepPlan& plan) {
  return identity_of(plan.parts) + fmt::format("the number of points\t{}\n", plan.points.count());
}

class PooledSweep {
 public:
  PooledSweep(const SweepPlan& plan, const fs::path& folder, const PoolRun& run)
      : plan_(plan),
        folder_(folder),
        run_(run),
        chunk_(points_in_chunk(plan)),
        chunks_((plan.points.count() + chunk_ - 1) / chunk_),
        pool_(folder, identity_of(plan), chunks_, run.rules),
        store_(folder / (pool_.id() + ".sqlite"), plan, {}),
        workers_(plan, plan.one_at_a_time ? 1 : run.jobs) {}

  std::unique_ptr<SweepStore> complete() {
    std::vector<SweepRow> rows;
    double committed = steady_seconds();
    while (true) {
      const bool stopped = run_.stop();
      if (!stopped) feed();
      if (stopped) workers_.stop();
      const std::size_t before = rows.size();
      workers_.collect(rows);
      simulated_ += static_cast<std::int64_t>(rows.size() - before);
      beat();
      const bool idle = workers_.load().none;
      if (idle || stopped || steady_seconds() - committed >= 1e-3 * double(kCommit.count())) {
        keep(rows);
        committed = steady_seconds();
      }
      pool_.look();
      run_.progress(std::min(pool_.finished() * chunk_, plan_.points.count()),
                    plan_.points.count());
      if (pool_.ended()) return joined();
      if (stopped) return nullptr;
    }
  }

 private:
  /// As much as half a second needs, and for each idle thread a point.
  void feed() {
    const double rate = static_cast<double>(simulated_) / (steady_seconds() - began_s_);
    while (true) {
      const auto load = workers_.load();
      if (static_cast<double>(load.waiting) >= kAhead_s * rate && load.waiting >= load.idle) return;
      const auto chunk = pool_.take();
      if (!chunk) return;
      if (*chunk == chunks_) return join();
      std::vector<std::int64_t> points;
      for (std::int64_t point = *chunk * chunk_;
           point < std::min((*chunk + 1) * chunk_, plan_.points.count()); ++point)
        points.push_back(point);
      open_[*chunk] = static_cast<std::int64_t>(points.size());
      workers_.add(points);
    }
  }

  void beat() {
    const double now = steady_seconds();
    if (now - beat_s_ < run_.rules.beat_s()) return;
    pool_.beat();
    beat_s_ = now;
  }

  void keep(std::vector<SweepRow>& rows) {
    store_.add(plan_, rows);
    for (const SweepRow& row : rows)
      if (const auto chunk = open_.find(row.point / chunk_); --chunk->second == 0) {
        pool_.finish(chunk->first);
        open_.erase(chunk);
      }
    rows.clear();
  }

  void join() {
    std::vector<fs::path> others;
    for (const std::string& id : pool_.contributors())
      if (id != pool_.id()) others.push_back(folder_ / (id + ".sqlite"));
    made_ = join_sweeps(pooled_store(folder_), store_, others);
    pool_.finish(chunks_);
  }

  std::unique_ptr<SweepStore> joined() const {
    const fs::path file = pooled_store(folder_);
    if (made_) return std::make_unique<SweepStore>(file, Database::Mode::own);
    return std::make_unique<SweepStore>(file, plan_, Shard{});
  }

  const SweepPlan& plan_;
  const fs::path folder_;
  const PoolRun& run_;
  const std::int64_t chunk_;
  const std::int64_t chunks_;
  WorkPool pool_;
  SweepStore store_;
  SweepWorkers workers_;
  std::map<std::int64_t, std::int64_t> open_;  ///< chunks that are held: points not yet stored
  bool made_ = false;                          ///< the joined store, by this worker
  std::int64_t simulated_ = 0;
  double began_s_ = steady_seconds();
  double beat_s_ = steady_seconds();
};

}  // namespace

fs::path pooled_store(const fs::path& folder) { return folder / "all.sqlite"; }

std::unique_ptr<SweepStore> run_in_pool(const SweepPlan& plan, const fs::path& folder,
                                        const PoolRun& run) {
  if (std::error_code unknown; fs::exists(pooled_store(folder), unknown))
    return std::make_unique<SweepStore>(pooled_store(folder), plan, Shard{});
  return PooledSweep(plan, folder, run).complete();
}

}  // namespace gpufeed
