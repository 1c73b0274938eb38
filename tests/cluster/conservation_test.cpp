// SPDX-License-Identifier: Apache-2.0
// Random clusters and jobs: what there is, is handed out once, and what is done adds up.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "sim/base/numbers/random.h"
#include "sim/cluster/outcome.h"
#include "sim/cluster/totals.h"
#include "tests/support/draws.h"

using namespace gpufeed;
using namespace gpufeed::cluster;

namespace {

constexpr double kGpuPower = 400;     ///< W of one that computes, beside its idle node
constexpr double kJoulePrice = 3e-8;  ///< USD

template <class E>
E one_of(Random& random, int count) {
  return static_cast<E>(random.integer(0, count - 1));
}

Job random_job(Random& random, int pools, int stores) {
  Job job;
  job.arrival = static_cast<double>(random.integer(0, 5000));
  job.gpus = static_cast<int>(random.integer(0, 10));
  if (job.gpus == 1 && random.integer(0, 1) == 1)
    job.milli = static_cast<int>(random.integer(1, 9)) * 100;
  if (random.integer(0, 4) == 0) job.types = {static_cast<int>(random.integer(0, 1))};
  job.pool = static_cast<int>(random.integer(0, pools - 1));
  job.cpu_milli = random.integer(0, 20000);
  job.memory = random.integer(0, 1000);
  job.work = random.uniform(1, 3000);
  job.estimate = job.work * random.uniform(0.5, 4);
  job.priority = static_cast<double>(random.integer(0, 3));
  if (random.integer(0, 1) == 1) job.io = random.uniform(1e8, 5e9);
  job.store = static_cast<int>(random.integer(0, stores - 1));
  if (random.integer(0, 1) == 1) job.checkpoint_every = random.uniform(50, 1000);
  job.checkpoint_cost = random.integer(0, 1) == 1 ? random.uniform(1, 60) : 0;
  job.restart_cost = random.integer(0, 1) == 1 ? random.uniform(1, 100) : 0;
  job.over_switches = random.uniform(0.6, 1);
  job.over_nodes = random.uniform(0.4, 1);
  job.preemptible = random.integer(0, 1) == 1;
  job.gpu_busy = random.uniform(0.3, 1);
  job.user = static_cast<int>(random.integer(0, 2));
  return job;
}

Case random_case(std::uint64_t seed) {
  Random random(seed);
  Case out;
  out.pools = static_cast<int>(random.integer(1, 2));
  const int stores = static_cast<int>(random.integer(1, 3));
  for (int i = 0; i < stores; ++i) out.stores.push_back({random.uniform(1e9, 2e10)});
  const int nodes = static_cast<int>(random.integer(2, 8));
  for (int i = 0; i < nodes; ++i) {
    Node node;
    node.gpus = static_cast<int>(random.integer(0, 8));
    node.switches = static_cast<int>(random.integer(1, 3));
    node.type = static_cast<int>(random.integer(0, 1));
    node.pool = static_cast<int>(random.integer(0, out.pools - 1));
    node.cpu_milli = 64000;
    node.memory = 4000;
    node.speed = random.uniform(0.5, 2);
    if (random.integer(0, 1) == 1) node.link = random.uniform(1e9, 1e10);
    node.idle_W = random.uniform(0, 2000);
    node.gpu_W = kGpuPower;
    node.cost_per_s = random.uniform(0, 0.01);
    node.cost_per_J = kJoulePrice;
    out.nodes.push_back(node);
  }
  out.users = {{1, kPlenty}, {2, kPlenty}, {1, std::int64_t{6} * kMilli}};
  for (int i = 0; i < 60; ++i) out.jobs.push_back(random_job(random, out.pools, stores));
  for (auto left = random.integer(0, 8); left > 0; --left)
    out.failures.push_back({random.uniform(0, 9000), static_cast<int>(random.integer(0, nodes - 1)),
                            random.integer(0, 1) == 1 ? random.uniform(1, 2000) : 0});
  out.policy.order = one_of<Order>(random, 4);
  out.policy.backfill = one_of<Backfill>(random, 4);
  out.policy.placement = one_of<Placed>(random, 3);
  out.policy.split = random.integer(0, 1) == 1;
  out.policy.preempt = random.integer(0, 1) == 1;
  if (random.integer(0, 2) == 0) out.policy.storage_aware = random.uniform(0.5, 1.5);
  out.policy.storage_soft = random.integer(0, 1) == 1;
  return out;
}

std::int64_t on_node(std::int64_t of_job, const Job& job, std::size_t gpus) {
  if (job.gpus <= 1) return of_job;
  return (of_job + job.gpus - 1) / job.gpus * static_cast<std::int64_t>(gpus);
}

/// At every date at which an attempt began: no GPU twice, cores and memory suffice.
void check_nothing_twice(const Case& of, const Outcome& outcome) {
  for (const Attempt& moment : outcome.attempts) {
    std::map<std::pair<int, int>, int> milli;
    std::map<int, std::pair<std::int64_t, std::int64_t>> taken;
    for (const Attempt& one : outcome.attempts) {
      if (one.start > moment.start || one.end <= moment.start) continue;
      const Job& job = of.jobs[at(one.job)];
      int gpus = 0;
      for (const cluster::Part& part : one.at.parts) {
        CHECK(of.nodes[at(part.node)].pool == job.pool);
        for (const int gpu : part.gpus) milli[{part.node, gpu}] += job.milli;
        gpus += static_cast<int>(part.gpus.size());
        taken[part.node].first += on_node(job.cpu_milli, job, part.gpus.size());
        taken[part.node].second += on_node(job.memory, job, part.gpus.size());
      }
      CHECK(gpus == job.gpus);
    }
    for (const auto& [gpu, used] : milli) CHECK(used <= kMilli);
    for (const auto& [node, used] : taken) {
      CHECK(used.first <= of.nodes[at(node)].cpu_milli);
      CHECK(used.second <= of.nodes[at(node)].memory);
    }
  }
}

void check_sums(const Case& of, const Outcome& outcome) {
  std::vector<double> held(of.jobs.size(), 0.0);
  for (const Attempt& one : outcome.attempts)
    held[at(one.job)] +=
        (one.end - one.start) * static_cast<double>(of.jobs[at(one.job)].held_milli()) / kMilli;
  for (std::size_t i = 0; i < of.jobs.size(); ++i) {
    const Job& job = of.jobs[i];
    const JobRecord& record = outcome.jobs[i];
    CHECK(held[i] == doctest::Approx(record.held));
    CHECK(record.busy <= record.held * (1 + 1e-9) / 0.5);  // the slowest node has half the speed
    CHECK(record.refused != record.end.has_value());
    if (!record.end) continue;
    CHECK(*record.start >= job.arrival);
    // what was done is the work, and what was done again
    const double work = job.io > 0 ? record.bytes / job.io : job.work;
    CHECK(work >= job.work * (1 - 1e-9));
    if (record.attempts == 1) CHECK(work == doctest::Approx(job.work));
    if (record.attempts == 1) CHECK(record.lost == 0);
    CHECK(record.working >= record.alone * (1 - 1e-9));
  }
  for (const Moment& moment : outcome.moments)
    for (std::size_t s = 0; s < moment.stores.size(); ++s)
      CHECK(moment.stores[s] <= of.stores[s].bandwidth * (1 + 1e-9));
}

/// How long a node is away of what is simulated: failures that find it away count for nothing.
double time_away(const Case& of, const Outcome& outcome, int node) {
  std::vector<Failure> own;
  for (const Failure& one : of.failures)
    if (one.node == node && one.at >= outcome.first_arrival) own.push_back(one);
  std::ranges::stable_sort(own, {}, &Failure::at);
  double away = 0;
  double back = 0;
  for (const Failure& one : own) {
    if (one.at < back || one.at >= outcome.last_end) continue;
    back = one.at + one.repair;
    away += std::min(back, outcome.last_end) - one.at;
  }
  return away;
}

/// What nodes draw and cost while they are up and while jobs hold them, added up from attempts and
/// failures alone.
void check_energy(const Case& of, const Outcome& outcome) {
  double idle = 0;
  double nodes_cost = 0;
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const double up =
        outcome.last_end - outcome.first_arrival - time_away(of, outcome, static_cast<int>(n));
    idle += of.nodes[n].idle_W * up;
    nodes_cost += of.nodes[n].cost_per_s * (outcome.last_end - outcome.first_arrival);
  }
  CHECK(outcome.idle_energy == doctest::Approx(idle).epsilon(1e-9));
  CHECK(outcome.idle_energy_cost == doctest::Approx(idle * kJoulePrice).epsilon(1e-9));
  std::vector<double> held(of.jobs.size(), 0.0);
  std::vector<double> rent(of.jobs.size(), 0.0);
  double held_of_all = 0;
  double rent_of_all = 0;
  for (const Attempt& one : outcome.attempts)
    for (const cluster::Part& part : one.at.parts) {
      const Node& node = of.nodes[at(part.node)];
      if (part.gpus.empty()) continue;
      const double share = static_cast<double>(part.gpus.size()) * of.jobs[at(one.job)].milli /
                           kMilli / node.gpus * (one.end - one.start);
      held[at(one.job)] += share * node.idle_W;
      rent[at(one.job)] += share * node.cost_per_s;
      held_of_all += share * node.idle_W;
      rent_of_all += share * node.cost_per_s;
    }
  for (std::size_t i = 0; i < of.jobs.size(); ++i) {
    const JobRecord& record = outcome.jobs[i];
    const double energy = held[i] + kGpuPower * record.busy;
    CHECK(record.energy == doctest::Approx(energy).epsilon(1e-9));
    CHECK(record.cost == doctest::Approx(rent[i] + kJoulePrice * energy).epsilon(1e-9));
  }
  CHECK(outcome.held_idle_energy == doctest::Approx(held_of_all).epsilon(1e-9));
  CHECK(outcome.held_idle_energy <= idle * (1 + 1e-9));  // nobody holds a node that is away
  CHECK(rent_of_all <= nodes_cost * (1 + 1e-9));
  CHECK(outcome.held_cost ==
        doctest::Approx(rent_of_all + kJoulePrice * held_of_all).epsilon(1e-9));
}

/// What stores deliver from date to date is what jobs read and write.
void check_bytes(const Case& of, const Outcome& outcome) {
  std::vector<double> delivered(of.stores.size(), 0.0);
  std::vector<double> taken(of.stores.size(), 0.0);
  for (std::size_t m = 0; m < outcome.moments.size(); ++m) {
    const double end =
        m + 1 < outcome.moments.size() ? outcome.moments[m + 1].at : outcome.last_end;
    for (std::size_t s = 0; s < outcome.moments[m].stores.size(); ++s)
      delivered[s] += outcome.moments[m].stores[s] * (end - outcome.moments[m].at);
  }
  for (std::size_t i = 0; i < of.jobs.size(); ++i)
    taken[at(of.jobs[i].store)] += outcome.jobs[i].bytes + outcome.jobs[i].written;
  for (std::size_t s = 0; s < of.stores.size(); ++s)
    CHECK(delivered[s] == doctest::Approx(taken[s]).epsilon(1e-6));
}

}  // namespace

TEST_CASE("on random logs nothing is handed out twice, and what is done adds up") {
  int stopped = 0;
  int held_back = 0;
  for (int seed = 1; seed <= draws(300); ++seed) {
    CAPTURE(seed);
    const Case of = random_case(static_cast<std::uint64_t>(seed));
    const Outcome outcome = run(of);
    check_nothing_twice(of, outcome);
    check_sums(of, outcome);
    check_energy(of, outcome);
    check_bytes(of, outcome);
    const Totals totals = totals_of(of, outcome);
    CHECK(totals.jobs_done + totals.jobs_refused == static_cast<std::int64_t>(of.jobs.size()));
    stopped += totals.lost_gpu_h > 0 ? 1 : 0;
    held_back += totals.mean_interference > 1.01 ? 1 : 0;
  }
  CHECK(stopped > draws(300) / 3);
  CHECK(held_back > draws(300) / 3);
}

TEST_CASE("the same case gives the same outcome, and a store that nobody fills changes nothing") {
  Case of = random_case(5);
  const Totals first = totals_of(of, run(of));
  CHECK(totals_of(of, run(of)).mean_wait_s == first.mean_wait_s);
  for (Store& store : of.stores) store.bandwidth = 1e15;
  for (Node& node : of.nodes) node.link = 1e15;
  of.policy.storage_aware = 0;
  const Totals wide = totals_of(of, run(of));
  for (Job& job : of.jobs) job.io = 0;
  CHECK(totals_of(of, run(of)).mean_turnaround_s == doctest::Approx(wide.mean_turnaround_s));
  CHECK(wide.mean_interference == doctest::Approx(1).epsilon(1e-12));
}
