// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/totals.h"

#include <algorithm>

namespace gpufeed::cluster {
namespace {

constexpr double kHour = 3600;
constexpr double kShortJob = 10;  ///< s; the bound of the bounded slowdown

double over(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace

double interference(const JobRecord& record) {
  return record.alone > 0 ? record.working / record.alone : 1;
}

double bounded_slowdown(const Job& job, double turnaround) {
  return std::max(1.0, turnaround / std::max(job.work, kShortJob));
}

Totals totals_of(const Case& of, const Outcome& outcome) {
  Totals out;
  double wait = 0;
  double turnaround = 0;
  double slowdown = 0;
  double disturbed = 0;
  for (std::size_t i = 0; i < of.jobs.size(); ++i) {
    const Job& job = of.jobs[i];
    const JobRecord& record = outcome.jobs[i];
    out.jobs_refused += record.refused ? 1 : 0;
    out.allocated_gpu_h += record.held / kHour;
    out.busy_gpu_h += record.busy / kHour;
    out.lost_gpu_h += record.lost / kHour;
    out.bytes += record.bytes;
    if (!record.end) continue;
    ++out.jobs_done;
    const double waited = *record.start - job.arrival;
    const double turned = *record.end - job.arrival;
    wait += waited;
    out.max_wait_s = std::max(out.max_wait_s, waited);
    turnaround += turned;
    slowdown += bounded_slowdown(job, turned);
    out.useful_gpu_h += (record.busy - record.lost) / kHour;
    disturbed += interference(record);
  }
  const auto done = static_cast<double>(out.jobs_done);
  std::int64_t gpus = 0;
  for (const Node& node : of.nodes) gpus += node.gpus;
  out.makespan_s = outcome.last_end - outcome.first_arrival;
  out.mean_wait_s = over(wait, done);
  out.mean_turnaround_s = over(turnaround, done);
  out.mean_bounded_slowdown = over(slowdown, done);
  out.mean_interference = done > 0 ? disturbed / done : 1;
  out.capacity_gpu_h = static_cast<double>(gpus) * out.makespan_s / kHour;
  out.stranded_gpu_h = outcome.stranded / kHour;
  out.jobs_per_h = over(done * kHour, out.makespan_s);
  out.allocated_share = over(out.allocated_gpu_h, out.capacity_gpu_h);
  out.busy_share = over(out.busy_gpu_h, out.capacity_gpu_h);
  return out;
}

}  // namespace gpufeed::cluster
