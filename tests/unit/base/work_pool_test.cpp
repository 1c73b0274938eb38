// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/work_pool.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <random>
#include <vector>

#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// Workers of a pool under a clock of their own: a task takes 1 s divided by the worker's speed.
class VirtualPool {
 public:
  explicit VirtualPool(std::int64_t tasks)
      : tasks_(tasks), times_(static_cast<std::size_t>(tasks) + 1) {}

  void comes(double speed) {
    offsets_.push_back(0);
    PoolRules rules;
    rules.now = [this, number = workers_.size()] { return now_ + offsets_[number]; };
    workers_.push_back(
        {std::make_unique<WorkPool>(folder_ / "pool", "the test\t1\n", tasks_, rules), speed});
    waiting_.push({now_, workers_.size() - 1});
  }
  /// Its clock is set.
  void jumps(std::size_t worker, double by_s) { offsets_[worker] += by_s; }
  /// Says nothing any more, as after kill -9.
  void dies(std::size_t worker) { workers_[worker].lives = false; }
  std::size_t count() const { return workers_.size(); }

  /// Until all is done, or `until`; what is under way stays so. \return whether all is done
  bool run(double until = 1e6) {
    while (!waiting_.empty() && waiting_.top().first <= until) {
      const std::size_t number = waiting_.top().second;
      now_ = waiting_.top().first;
      waiting_.pop();
      Worker& worker = workers_[number];
      if (!worker.lives) continue;
      worker.pool->beat();
      if (worker.task) {
        ++times_[static_cast<std::size_t>(*worker.task)];
        worker.pool->finish(*worker.task);
      }
      if (worker.pool->ended()) {
        ended_s_ = now_;
        return true;
      }
      worker.task = worker.pool->take();
      constexpr double kPoll_s = 0.1;
      waiting_.push({now_ + (worker.task ? 1 / worker.speed : kPoll_s), number});
    }
    now_ = until;
    return false;
  }

  double ended_s() const { return ended_s_; }
  double now() const { return now_; }
  /// How often each task was done, and the one that joins.
  const std::vector<int>& times() const { return times_; }

 private:
  struct Worker {
    std::unique_ptr<WorkPool> pool;
    double speed = 1;
    bool lives = true;
    std::optional<std::int64_t> task{};
  };
  using Event = std::pair<double, std::size_t>;

  TemporaryFolder folder_;
  std::int64_t tasks_;
  std::vector<int> times_;
  std::vector<double> offsets_;  ///< of the workers' clocks
  std::vector<Worker> workers_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> waiting_;
  double now_ = 0;
  double ended_s_ = 0;
};

int sum(const std::vector<int>& of) {
  int all = 0;
  for (const int one : of) all += one;
  return all;
}

}  // namespace

TEST_CASE("sixteen workers of which one is ten times slower take at most a twentieth more") {
  constexpr std::int64_t kTasks = 700;
  VirtualPool pool(kTasks);
  for (int i = 0; i < 15; ++i) pool.comes(1);
  pool.comes(0.1);
  REQUIRE(pool.run());
  const double ideal_s = kTasks / 15.1;
  CHECK(ideal_s / (pool.ended_s() - 1) >= 0.95);  // but for the second that joining takes
  CHECK(*std::ranges::min_element(pool.times()) == 1);
  CHECK(sum(pool.times()) <= kTasks + 1 + 7);  // a hundredth done twice
}

TEST_CASE("a pool ends whoever dies, and when those who went are all that it had") {
  for (const unsigned seed : {1U, 2U, 3U}) {
    VirtualPool pool(60);
    std::mt19937 random(seed);
    for (int i = 0; i < 4; ++i) pool.comes(1);
    for (int kills = 0; kills < 12; ++kills) {
      if (pool.run(pool.now() + 0.4 * static_cast<double>(random() % 10))) break;
      pool.dies(random() % pool.count());
      pool.comes(1);
    }
    REQUIRE(pool.run());
    CHECK(*std::ranges::min_element(pool.times()) == 1);
  }
  VirtualPool pool(2);
  pool.comes(1);
  pool.comes(1);
  pool.run(0.5);
  pool.dies(0);
  pool.dies(1);
  pool.comes(1);  // has nothing to judge by but the lease
  REQUIRE(pool.run());
  CHECK(pool.ended_s() > 60);
  CHECK(pool.ended_s() < 66);
}

TEST_CASE("clocks that differ, and jump by an hour, cost a task done twice, and no answer") {
  constexpr std::int64_t kTasks = 120;
  for (const unsigned seed : {1U, 2U, 3U}) {
    VirtualPool pool(kTasks);
    std::mt19937 random(seed);
    for (int i = 0; i < 4; ++i) {
      pool.comes(1);
      pool.jumps(pool.count() - 1, 86400.0 * i);
    }
    int jumps = 0;
    for (; !pool.run(pool.now() + 2); ++jumps)
      pool.jumps(random() % pool.count(), random() % 2 == 0 ? 3600 : -3600);
    CHECK(jumps > 10);
    CHECK(*std::ranges::min_element(pool.times()) == 1);
    CHECK(sum(pool.times()) <= kTasks + 1 + 4 * jumps);
  }
}

TEST_CASE("what a worker leaves behind is free at once") {
  const TemporaryFolder folder;
  double now = 0;
  PoolRules rules;
  rules.now = [&] { return now; };
  {
    WorkPool first(folder / "pool", "a\t1\n", 1, rules);
    CHECK(first.take() == 0);
    WorkPool second(folder / "pool", "a\t1\n", 1, rules);
    CHECK(second.take() == std::nullopt);
  }
  WorkPool third(folder / "pool", "a\t1\n", 1, rules);
  CHECK(third.take() == 0);
  third.finish(0);
  CHECK_FALSE(third.ended());
  CHECK(third.take() == 1);  // joins
  third.finish(1);
  CHECK(third.ended());
  CHECK(third.contributors() == std::set<std::string>{third.id()});
}

TEST_CASE("a pool of something else is refused by what differs") {
  const TemporaryFolder folder;
  const WorkPool first(folder / "pool", "the sweep\t1\nthe catalog\t2\n", 3);
  CHECK(refusal_of([&] {
          WorkPool(folder / "pool", "the sweep\t1\nthe catalog\t3\n", 3);
        }).find("pool.txt: error: the pool is of something else: the catalog differs") !=
        std::string::npos);
}
