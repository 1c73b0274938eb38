// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/clusters.h"

#include <chrono>
#include <cmath>

#include "sim/base/numbers/random.h"
#include "sim/cluster/outcome.h"
#include "sim/cluster/totals.h"

using namespace gpufeed;
using Json = nlohmann::ordered_json;

namespace {

/// Jobs of 1 to 32 GPUs, two thirds of which read one of two stores; half of the GPUs too few.
cluster::Case crowded(int nodes, int jobs, cluster::Backfill backfill) {
  constexpr double kMeanGpus = 3.6;
  constexpr double kMeanWork = 1800;
  constexpr double kLoad = 1.3;
  Random random(1);
  cluster::Case out;
  cluster::Node node;
  node.gpus = 8;
  node.switches = 2;
  out.nodes.assign(static_cast<std::size_t>(nodes), node);
  out.stores = {{nodes * 5e8}, {nodes * 3e8}};
  out.policy.backfill = backfill;
  double date = 0;
  for (int i = 0; i < jobs; ++i) {
    cluster::Job job;
    job.arrival = date +=
        -std::log(1 - random.uniform(0, 1)) * kMeanGpus * kMeanWork / (8.0 * nodes * kLoad);
    job.gpus = 1 << std::min<std::int64_t>(5, random.integer(0, 5) * random.integer(0, 5) / 4);
    job.work = kMeanWork * random.lognormal(1) * std::exp(-0.5);
    job.estimate = job.work * random.uniform(1, 5);
    if (random.integer(0, 2) > 0) job.io = 1e8 * job.gpus * random.uniform(0, 1);
    job.store = static_cast<int>(random.integer(0, 1));
    out.jobs.push_back(job);
  }
  return out;
}

double seconds(const cluster::Case& of, cluster::Totals& totals) {
  const auto start = std::chrono::steady_clock::now();
  totals = cluster::totals_of(of, cluster::run(of));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Json cluster_times() {
  Json out = Json::array();
  for (const auto backfill : {cluster::Backfill::easy, cluster::Backfill::skip}) {
    double least = 0;
    for (const auto& [nodes, jobs] : {std::pair{125, 1250},
                                      {125, 2500},
                                      {125, 5000},
                                      {125, 10000},
                                      {250, 10000},
                                      {500, 10000}}) {
      cluster::Totals totals;
      const double time = seconds(crowded(nodes, jobs, backfill), totals);
      if (least == 0) least = time;
      out.push_back({{"backfill", name_of(backfill)},
                     {"nodes", nodes},
                     {"jobs", jobs},
                     {"time_s", time},
                     {"to_the_first", time / least},
                     {"allocated_share", totals.allocated_share},
                     {"mean_wait_s", totals.mean_wait_s}});
    }
  }
  return out;
}
