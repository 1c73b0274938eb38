// SPDX-License-Identifier: Apache-2.0
// Queues and failures whose means are known, and a scheduler in a dozen lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

#include "sim/base/numbers/random.h"
#include "sim/cluster/outcome.h"
#include "sim/cluster/shares.h"
#include "sim/cluster/totals.h"
#include "tests/support/draws.h"

using namespace gpufeed;
using namespace gpufeed::cluster;

namespace {

double exponential(Random& random, double mean) {
  return -mean * std::log(1 - random.uniform(0, 1));
}

/// Jobs of one GPU at random times, of 100 s on the mean.
Case random_queue(int servers, double load, bool random_length, int jobs) {
  Random random(11);
  Case out;
  Node node;
  node.gpus = servers;
  out.nodes = {node};
  out.policy.backfill = Backfill::none;
  double date = 0;
  for (int i = 0; i < jobs; ++i) {
    Job job;
    job.arrival = date += exponential(random, 100 / load / servers);
    job.work = job.estimate = random_length ? exponential(random, 100) : 100;
    out.jobs.push_back(job);
  }
  return out;
}

double mean_wait(const Case& of) { return totals_of(of, run(of)).mean_wait_s; }

}  // namespace

TEST_CASE("waits are those of M/M/1, M/M/4 and M/D/1") {
  // Erlang; Pollaczek and Khinchine: rho / (1 - rho) times the service, half of it where it is
  // fixed
  const int jobs = draws(400000);
  const double accuracy = 0.04 * std::sqrt(400000.0 / jobs);
  CHECK(mean_wait(random_queue(1, 0.7, true, jobs)) == doctest::Approx(233.3).epsilon(accuracy));
  CHECK(mean_wait(random_queue(4, 0.8, true, jobs)) == doctest::Approx(74.55).epsilon(accuracy));
  CHECK(mean_wait(random_queue(1, 0.7, false, jobs)) == doctest::Approx(116.7).epsilon(accuracy));
}

TEST_CASE("jobs that each could take the whole store share it as one processor") {
  // M/M/1 with processor sharing: the time alone over 1 - rho
  const int jobs = draws(200000);
  Case of = random_queue(200, 0.6 / 200, true, jobs);
  of.stores = {{1e9}};
  for (Job& job : of.jobs) job.io = 1e9;
  const Totals totals = totals_of(of, run(of));
  CHECK(totals.mean_wait_s == doctest::Approx(0));
  CHECK(totals.mean_turnaround_s ==
        doctest::Approx(250).epsilon(0.04 * std::sqrt(200000.0 / jobs)));
}

TEST_CASE("a job with checkpoints and failures takes as long as the formula says") {
  // A piece of t, its checkpoint d, restarts R, failures every M: M e^(R/M) (e^((t+d)/M) - 1).
  constexpr double kPieces = 200;
  constexpr double kEvery = 600, kCost = 60, kRestart = 120, kBetween = 3600;
  Case of;
  Node node;
  node.gpus = 1;
  of.nodes = {node};
  Job job;
  job.work = job.estimate = kPieces * kEvery;
  job.checkpoint_every = kEvery;
  job.checkpoint_cost = kCost;
  job.restart_cost = kRestart;
  of.jobs = {job};
  double sum = 0;
  double useful = 0;
  const int tries = draws(200);
  for (int seed = 1; seed <= tries; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    of.failures.clear();
    for (double date = 0; date < 1e6;)
      of.failures.push_back({date += exponential(random, kBetween), 0, 0});
    const Totals totals = totals_of(of, run(of));
    sum += totals.mean_turnaround_s / tries;
    useful += totals.useful_gpu_h / totals.allocated_gpu_h / tries;
  }
  const auto piece = [](double length) {
    return kBetween * std::exp(kRestart / kBetween) * (std::exp(length / kBetween) - 1);
  };
  const double formula = (kPieces - 1) * piece(kEvery + kCost) + piece(kEvery);  // none at the end
  CHECK(formula == doctest::Approx(149711).epsilon(1e-5));
  CHECK(sum == doctest::Approx(formula).epsilon(0.01 * std::sqrt(200.0 / tries)));
  CHECK(useful ==
        doctest::Approx(kPieces * kEvery / formula).epsilon(0.01 * std::sqrt(200.0 / tries)));
}

TEST_CASE("first come, first served is what a dozen lines make of it") {
  for (int seed = 1; seed <= draws(100); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Case of;
    Node node;
    node.gpus = 8;
    of.nodes = {node};
    of.policy.backfill = Backfill::none;
    double date = 0;
    for (int i = 0; i < 100; ++i) {
      Job job;
      job.arrival = date += static_cast<double>(random.integer(0, 60));
      job.gpus = static_cast<int>(random.integer(1, 8));
      job.work = job.estimate = static_cast<double>(random.integer(1, 200));
      of.jobs.push_back(job);
    }
    const Outcome outcome = run(of);
    std::priority_queue<std::pair<double, int>, std::vector<std::pair<double, int>>, std::greater<>>
        ends;
    int free = 8;
    double now = 0;
    for (std::size_t i = 0; i < of.jobs.size(); ++i) {
      now = std::max(now, of.jobs[i].arrival);
      while (!ends.empty() && (ends.top().first <= now || free < of.jobs[i].gpus)) {
        now = std::max(now, ends.top().first);
        free += ends.top().second;
        ends.pop();
      }
      free -= of.jobs[i].gpus;
      ends.emplace(now + of.jobs[i].work, of.jobs[i].gpus);
      CHECK(*outcome.jobs[i].start == now);
    }
  }
}

TEST_CASE("flows rise together until a demand or a resource is met") {
  // One of weight 2 and two of 1 on 8 B/s; the last wants 1 B/s alone: 7 B/s are shared 2 : 1.
  const std::vector<Flow> flows{{10, 2, {{0, 1.0}}}, {10, 1, {{0, 1.0}}}, {1, 1, {{0, 1.0}}}};
  const auto rates = fair_rates(flows, {8});
  CHECK(rates[0].rate == doctest::Approx(14.0 / 3));
  CHECK(rates[1].rate == doctest::Approx(7.0 / 3));
  CHECK(rates[2].rate == doctest::Approx(1));
  // half of the second crosses a link of 1 B/s: it stops at 2, what it leaves goes to the first
  const auto linked = fair_rates({{10, 1, {{0, 1.0}}}, {10, 1, {{0, 1.0}, {1, 0.5}}}}, {8, 1});
  CHECK(linked[0].rate == doctest::Approx(6));
  CHECK(linked[1].rate == doctest::Approx(2));
}
