// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/job_order.h"

#include <algorithm>
#include <map>
#include <queue>

namespace gpufeed {
namespace {

/// Whether no job from `from` to `to` was submitted before one above it; among those alike only.
bool is_sorted(const JobLog& log, std::size_t from, std::size_t to,
               std::optional<std::size_t> column) {
  std::map<int, double> latest;
  for (std::size_t j = from; j < to; ++j) {
    const LoggedJob& job = log.jobs[j];
    if (!job.submitted_s) continue;
    const auto [at, first] = latest.try_emplace(column ? job.words[*column] : 0, *job.submitted_s);
    if (*job.submitted_s < at->second) return false;
    at->second = *job.submitted_s;
  }
  return true;
}

bool is_sorted(const JobLog& log, std::optional<std::size_t> column) {
  return is_sorted(log, 0, log.first, column) && is_sorted(log, log.first, log.past_it, column);
}

std::vector<LogEvent> events_by_rows(const JobLog& log) {
  std::vector<LogEvent> out;
  for (std::size_t j = 0; j < log.jobs.size(); ++j) {
    out.push_back({j, false});
    if (j < log.past_it) out.push_back({j, true});
  }
  return out;
}

bool take_own_clocks(JobLog& log) {
  for (std::size_t c = 0; c < log.words.size(); ++c)
    if (is_sorted(log, c)) {
      log.own_clocks = log.words[c];
      for (LoggedJob& job : log.jobs) job.clock = job.words[c];
      return true;
    }
  return false;
}

/// Whether a job of the log was submitted before an older one of its clock: then times begin anew.
bool log_starts_anew(const JobLog& log) {
  std::map<int, double> latest;
  for (std::size_t j = 0; j < log.first; ++j) {
    const LoggedJob& job = log.jobs[j];
    const auto [at, first] = latest.try_emplace(job.clock, *job.submitted_s);
    at->second = std::max(at->second, *job.submitted_s);
  }
  for (std::size_t j = log.first; j < log.past_it; ++j) {
    const auto at = latest.find(log.jobs[j].clock);
    if (at != latest.end() && *log.jobs[j].submitted_s < at->second) return true;
  }
  return false;
}

using Running = std::pair<double, std::size_t>;  // until when, and which job
using RunningJobs = std::priority_queue<Running, std::vector<Running>, std::greater<>>;

void end_until(double now, RunningJobs& running, std::vector<LogEvent>& out) {
  for (; !running.empty() && running.top().first <= now; running.pop())
    out.push_back({running.top().second, true});
}

}  // namespace

void put_in_order(JobLog& log, bool dated) {
  const auto has = [](const auto& time) { return time.has_value(); };
  log.timed = std::ranges::all_of(log.jobs, has, &LoggedJob::submitted_s) &&
              std::ranges::any_of(log.jobs, has, &LoggedJob::ended_s);
  if (!log.timed) return;
  if (!is_sorted(log, std::nullopt) && !(!dated && take_own_clocks(log))) {
    const auto at = [&](std::size_t j) {
      return log.jobs.begin() + static_cast<std::ptrdiff_t>(j);
    };
    std::ranges::stable_sort(at(0), at(log.first), {}, &LoggedJob::submitted_s);
    std::ranges::stable_sort(at(log.first), at(log.past_it), {}, &LoggedJob::submitted_s);
  }
  constexpr int kLater = 1 << 24;  // above all words' places
  if (log_starts_anew(log))
    for (std::size_t j = log.first; j < log.past_it; ++j) log.jobs[j].clock += kLater;
}

std::vector<LogEvent> events_of(const JobLog& log, Clock clock) {
  if (clock == Clock::rows) return events_by_rows(log);
  std::vector<int> clocks;
  std::map<int, std::vector<std::size_t>> of_clock;
  for (std::size_t j = 0; j < log.past_it; ++j) {
    auto& jobs = of_clock[log.jobs[j].clock];
    if (jobs.empty()) clocks.push_back(log.jobs[j].clock);
    jobs.push_back(j);
  }
  constexpr double kEver = 1e300;
  std::vector<LogEvent> out;
  for (const int one : clocks) {
    RunningJobs running;
    for (const std::size_t j : of_clock[one]) {
      end_until(*log.jobs[j].submitted_s, running, out);
      out.push_back({j, false});
      if (log.jobs[j].ended_s) running.emplace(*log.jobs[j].ended_s, j);
    }
    end_until(kEver, running, out);
  }
  for (std::size_t j = log.past_it; j < log.jobs.size(); ++j) out.push_back({j, false});
  return out;
}

}  // namespace gpufeed
