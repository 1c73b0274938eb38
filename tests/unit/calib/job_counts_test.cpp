// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/job_counts.h"

#include <doctest/doctest.h>

#include <functional>
#include <utility>
#include <vector>

using namespace gpufeed;

namespace {

/// In which something happens at one of the questions.
class Told : public Processes {
 public:
  struct One {
    pid_t parent = 0;
    double took = 0;
  };

  std::map<pid_t, pid_t> parents() const override {
    ask();
    std::map<pid_t, pid_t> out;
    for (const auto& [pid, one] : all) out[pid] = one.parent;
    return out;
  }
  std::optional<ProcessCounts> counts(pid_t pid) const override {
    ask();
    const auto found = all.find(pid);
    if (found == all.end()) return {};
    return ProcessCounts{found->second.took, 4096 * found->second.took};
  }
  /// Its parent waits for it, and has its counts from then on.
  void reap(pid_t pid) const {
    const One one = all.at(pid);
    all.at(one.parent).took += one.took;
    all.erase(pid);
  }

  mutable std::map<pid_t, One> all{{1, {0, 1000}}, {7, {1, 1}}, {8, {7, 10}},
                                   {9, {8, 100}},  {5, {8, 0}}, {40, {1, 5000}}};
  std::map<int, std::function<void()>> events;  ///< by the question that they come before
  mutable int asked = 0;

 private:
  void ask() const {
    if (const auto found = events.find(asked++); found != events.end()) found->second();
  }
};

constexpr double kOfJob = 111;  // 7, 8, 9 and 5

}  // namespace

TEST_CASE("observe: a job is what descends from its process, and nothing of others") {
  const Told told;
  const auto job = counts_of_job(7, told);
  REQUIRE(job);
  CHECK(job->ticks == kOfJob);
  CHECK(*job->read_B == 4096 * kOfJob);
  CHECK(!counts_of_job(6, told));
}

TEST_CASE("observe: a child that is waited for at any moment of a look is counted once") {
  for (int first = 0; first < 12; ++first)
    for (int second = first; second < 12; ++second) {
      CAPTURE(first);
      CAPTURE(second);
      Told told;
      told.events[second] = [&told] { told.reap(8); };
      told.events[first] = [&told, first, second] {
        told.reap(9);
        told.all[5].parent = 7;  // whoever is left over goes to the one above, here
        if (first == second) told.reap(8);
      };
      const auto job = counts_of_job(7, told);
      REQUIRE(job);
      CHECK(job->ticks == kOfJob);
      CHECK(*job->read_B == 4096 * kOfJob);
    }
}

TEST_CASE("observe: processes that come and go at every question do not hold a look up") {
  Told told;
  for (int i = 1; i < 1000; ++i)
    told.events[i] = [&told, i] {
      if (told.all.contains(100 + i - 1)) told.reap(100 + i - 1);
      told.all[100 + i] = {8, 0};
    };
  const auto job = counts_of_job(7, told);
  REQUIRE(job);
  CHECK(job->ticks == kOfJob);
  CHECK(told.asked < 1000);
}

TEST_CASE("observe: reads of another user's process leave those of the job unknown") {
  class Hidden : public Told {
    std::optional<ProcessCounts> counts(pid_t pid) const override {
      auto one = Told::counts(pid);
      if (one && pid == 9) one->read_B.reset();
      return one;
    }
  };
  const auto job = counts_of_job(7, Hidden());
  REQUIRE(job);
  CHECK(job->ticks == kOfJob);
  CHECK(!job->read_B);
}
