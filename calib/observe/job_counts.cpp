// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/job_counts.h"

#include <algorithm>
#include <vector>

namespace gpufeed {
namespace {

/// Generations between a process and the one that it descends from; none where it does not.
std::optional<std::size_t> generations(pid_t pid, pid_t from,
                                       const std::map<pid_t, pid_t>& parents) {
  for (std::size_t i = 0; i <= parents.size() && pid > 0; ++i) {
    if (pid == from) return i;
    const auto found = parents.find(pid);
    pid = found == parents.end() ? 0 : found->second;
  }
  return {};
}

/// Children before their parents.
std::vector<pid_t> job_of(pid_t root, const std::map<pid_t, pid_t>& parents) {
  std::multimap<std::size_t, pid_t> by_generation;
  for (const auto& [pid, parent] : parents)
    if (const auto found = generations(pid, root, parents)) by_generation.emplace(*found, pid);
  std::vector<pid_t> job;
  for (const auto& [generation, pid] : by_generation) job.push_back(pid);
  std::ranges::reverse(job);
  return job;
}

struct Look {
  ProcessCounts sum{0, 0.0};
  std::vector<pid_t> counted;
};

Look look_at(const std::vector<pid_t>& job, const Processes& processes) {
  Look out;
  for (const pid_t pid : job) {
    const auto one = processes.counts(pid);
    if (!one) continue;  // its parent, which is asked later, has taken over what it took
    out.counted.push_back(pid);
    out.sum.ticks += one->ticks;
    if (out.sum.read_B && one->read_B)
      *out.sum.read_B += *one->read_B;
    else
      out.sum.read_B.reset();
  }
  return out;
}

}  // namespace

std::optional<ProcessCounts> counts_of_job(pid_t root, const Processes& processes) {
  constexpr int kMostLooks = 20;
  Look look;
  for (int i = 0; i < kMostLooks; ++i) {
    const auto parents = processes.parents();
    if (!parents.contains(root)) return {};
    look = look_at(job_of(root, parents), processes);
    // what was counted and has gone since may have been counted at its parent, too
    if (std::ranges::all_of(look.counted,
                            [&](pid_t pid) { return processes.counts(pid).has_value(); }))
      break;
  }
  return look.sum;
}

}  // namespace gpufeed
