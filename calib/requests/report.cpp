// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/report.h"

#include <algorithm>
#include <set>

#include "calib/requests/classes.h"
#include "calib/requests/requests.h"

namespace gpufeed {
namespace {

/// Adds up what requests made in one way cost.
class Account {
 public:
  Account(const JobLog& log, Need need) : log_(log), need_(static_cast<std::size_t>(need)) {}

  void add(std::size_t j, std::optional<double> first) {
    const LoggedJob& job = log_.jobs[j];
    if (!first || !job.used[need_]) return;
    const double all = allocated(*first, *job.used[need_], job.asked[need_]);
    allocated_ += all;
    used_ += *job.used[need_];
    ++jobs_;
    if (*first < *job.used[need_]) ++too_small_;
    if (const auto& time = job.used[static_cast<std::size_t>(Need::time)]) held_s_ += all * *time;
  }
  std::int64_t jobs() const { return jobs_; }
  double excess() const { return allocated_ - used_; }
  double waste() const { return excess() / used_; }

  RequestOutcome outcome(std::string name) const {
    const bool timed = held_s_ > 0 && need_ != static_cast<std::size_t>(Need::time);
    return {std::move(name), jobs_, waste(),
            static_cast<double>(too_small_) / static_cast<double>(jobs_),
            timed ? std::optional(held_s_) : std::nullopt};
  }

 private:
  const JobLog& log_;
  std::size_t need_;
  double allocated_ = 0, used_ = 0, held_s_ = 0;
  std::int64_t jobs_ = 0, too_small_ = 0;
};

struct Accounts {
  Account poll, largest, user;
};

/// Commands whose jobs cost less by one of the simpler requests, by a hundredth of what they use.
std::vector<SimplerWins> simpler_of(const std::map<std::string, Accounts>& commands) {
  constexpr double kWorthIt = 0.01;
  std::vector<std::pair<double, SimplerWins>> found;
  for (const auto& [command, one] : commands) {
    const bool users = one.user.jobs() == one.poll.jobs();
    double least = one.largest.waste();
    if (users) least = std::min(least, one.user.waste());
    if (one.poll.waste() < least + kWorthIt) continue;
    found.push_back({one.poll.excess() * (1 - least / one.poll.waste()),
                     {command, one.poll.jobs(), one.poll.waste(), one.largest.waste(),
                      users ? std::optional(one.user.waste()) : std::nullopt}});
  }
  std::ranges::stable_sort(found, std::greater<>{}, &std::pair<double, SimplerWins>::first);
  std::vector<SimplerWins> out;
  out.reserve(found.size());
  for (auto& [cost, one] : found) out.push_back(std::move(one));
  return out;
}

void report_outcomes(const JobLog& log, Need need, const std::vector<JobRequests>& requests,
                     ClockReport& out) {
  const auto n = static_cast<std::size_t>(need);
  const Account none(log, need);
  Accounts all{none, none, none};
  std::vector<Account> learners(kLearners, none);
  std::map<std::string, Accounts> commands;
  for (std::size_t j = log.first; j < log.past_it; ++j) {
    if (!requests[j].poll || !log.jobs[j].used[n]) continue;
    const auto asked = log.jobs[j].asked[n];
    Accounts& command =
        commands.try_emplace(log.jobs[j].command, Accounts{none, none, none}).first->second;
    for (Accounts* one : {&all, &command}) {
      one->poll.add(j, requests[j].poll);
      one->largest.add(j, requests[j].largest);
      one->user.add(j, asked);
    }
    for (std::size_t l = 0; l < kLearners; ++l) learners[l].add(j, requests[j].learners[l]);
  }
  out.requested = all.poll.jobs();
  if (out.requested == 0) return;
  out.requests.push_back(all.poll.outcome("poll of the cheapest"));
  out.requests.push_back(all.largest.outcome("largest so far x 1.1"));
  if (all.user.jobs() > 0) out.requests.push_back(all.user.outcome("the users' own"));
  for (std::size_t l = 0; l < kLearners; ++l)
    out.requests.push_back(learners[l].outcome(std::string(name_of(static_cast<Learner>(l)))));
  out.simpler = simpler_of(commands);
}

class Reporter {
 public:
  Reporter(const JobLog& log, RequestReport& out) : log_(log), out_(out) {}

  void report(Need need) {
    const auto n = static_cast<std::size_t>(need);
    NeedReport one{need, 0, {}};
    for (std::size_t j = log_.first; j < log_.past_it; ++j)
      one.jobs += log_.jobs[j].used[n] ? 1 : 0;
    if (one.jobs < static_cast<std::int64_t>(kSegments)) return;
    for (const Clock clock : {Clock::rows, Clock::submission})
      if (clock == Clock::rows || log_.timed) one.clocks.push_back(by_clock(need, clock));
    out_.needs.push_back(std::move(one));
  }

 private:
  ClockReport by_clock(Need need, Clock clock) {
    const auto events = events_of(log_, clock);
    const auto guesses = guesses_of(log_, need, events);
    const auto requests = requests_of(log_, need, out_.policy, events, guesses);
    ClassScores scores = class_scores(log_, need, events, guesses);
    ClockReport report{clock, scores.jobs, std::move(scores.rows), 0, {}, {}};
    report_outcomes(log_, need, requests, report);
    if (clock == Clock::rows)  // whose end knows all jobs
      for (std::size_t j = log_.past_it; j < log_.jobs.size(); ++j)
        add_new(need, j, guesses[j], requests[j]);
    return report;
  }

  void add_new(Need need, std::size_t j, const std::optional<Guess>& guess,
               const JobRequests& requests) {
    out_.new_jobs.push_back({log_.jobs[j].command, need, requests.poll, requests.low,
                             requests.middle, requests.high, guess ? guess->level : Level::all,
                             guess ? static_cast<std::int64_t>(guess->jobs) : 0});
  }

  const JobLog& log_;
  RequestReport& out_;
};

}  // namespace

RequestReport report_requests(const JobLog& log, RequestPolicy policy, std::string name) {
  RequestReport out;
  out.log = std::move(name);
  out.jobs = static_cast<std::int64_t>(log.past_it - log.first);
  out.history = static_cast<std::int64_t>(log.first);
  out.policy = policy;
  std::set<std::string> commands;
  for (std::size_t j = log.first; j < log.past_it; ++j) commands.insert(log.jobs[j].command);
  out.commands = static_cast<std::int64_t>(commands.size());
  out.known = log.words;
  out.known.insert(out.known.end(), log.numbers.begin(), log.numbers.end());
  out.measured = log.measured;
  out.own_clocks = log.own_clocks;
  out.timed = log.timed;
  for (std::size_t need = 0; need < kNeeds; ++need)
    Reporter(log, out).report(static_cast<Need>(need));
  return out;
}

}  // namespace gpufeed
