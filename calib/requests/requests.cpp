// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/requests.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

constexpr double kUsualMargin = 1.1;
constexpr double kMayBeTooSmall = 0.01;
constexpr auto kLargest = static_cast<std::size_t>(Learner::largest);
constexpr double kOthers = 4;  ///< jobs of a command that what is known of others weighs as much as

/// Sums over jobs of what one way of asking cost.
struct Tally {
  double allocated = 0, used = 0, jobs = 0, too_small = 0;

  void add(double first, double use, std::optional<double> asked) {
    allocated += gpufeed::allocated(first, use, asked);
    used += use;
    ++jobs;
    if (first < use) ++too_small;
  }
  bool is_safe() const { return too_small <= kMayBeTooSmall * jobs + 1; }
};

constexpr std::array kRisks{1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5};

/// Squares of a learner's errors, of logarithms, each way.
struct Spread {
  double up = 0, down = 0, jobs = 0;

  void add(double error) {
    (error > 0 ? up : down) += error * error;
    ++jobs;
  }
  /// How far jobs go beyond with a chance of `risk`.
  double limit(double squares, double risk) const {
    const double usual = std::log(kUsualMargin) / t_quantile(kOthers, 1 - kMayBeTooSmall);
    const double in_all = kOthers + jobs;
    const double deviation = std::sqrt((kOthers * usual * usual + 2 * squares) / in_all);
    return risk < 0.5 ? deviation * t_quantile(in_all, 1 - risk) : 0;
  }
};

/// What is known of one command, or of all.
struct Record {
  std::array<Spread, kLearners> spreads;
  std::array<Tally, kLearners> learners;
  Tally largest, poll, user;
};

/// Memory in whole MiB, time in seconds, GPUs: upward. Not beyond what a log may say at all: early
/// margins of a very uneven command know no bounds.
double rounded_up(Need need, double value) {
  constexpr double kMiB = 1024.0 * 1024.0, kRounding = 1e-9, kMost = 1e19;
  const double unit = need == Need::memory ? kMiB : 1;
  return std::max(1.0, std::ceil(std::min(value, kMost) / unit - kRounding)) * unit;
}

class Requester {
 public:
  Requester(Need need, RequestPolicy policy) : need_(need), policy_(policy) {}

  JobRequests ask(const LoggedJob& job, const std::optional<Guess>& guess) {
    const auto asked = job.asked[static_cast<std::size_t>(need_)];
    JobRequests out;
    const bool own = guess && guess->level == Level::command;
    if (guess) out.largest = rounded_up(need_, kUsualMargin * std::exp(guess->logs[kLargest]));
    if (asked && !own) out.largest = asked;
    out.learners.fill(out.largest);
    out.poll = out.largest;
    if (guess) expect(job, *guess, out);
    if (!own) return out;
    const Record& record = commands_[key_of(job, *guess)];
    for (std::size_t l = 0; l < kLearners; ++l)
      out.learners[l] = capped(by_learner(*guess, l, record, asked), asked);
    out.poll = polled(out, record, asked);
    return out;
  }

  void learn(const LoggedJob& job, const std::optional<Guess>& guess, const JobRequests& requests) {
    const auto n = static_cast<std::size_t>(need_);
    const double used = *job.used[n];
    const auto asked = job.asked[n];
    used_ += used, ++jobs_;
    if (asked) all_.user.add(*asked, used, asked);
    if (!guess) return;
    Record& record = commands_[key_of(job, *guess)];
    for (std::size_t l = 0; l < kLearners; ++l) {
      if (guess->level == Level::command)
        for (Record* one : {&record, &all_})
          one->learners[l].add(*requests.learners[l], used, asked);
      record.spreads[l].add(std::log(used) - guess->logs[l]);
    }
    if (guess->level != Level::command) return;
    for (Record* one : {&record, &all_}) {
      one->largest.add(*requests.largest, used, asked);
      one->poll.add(*requests.poll, used, asked);
    }
  }

 private:
  static std::string key_of(const LoggedJob& job, const Guess& guess) {
    return guess.level == Level::command   ? "command " + job.command
           : guess.level == Level::program ? "program " + job.program
                                           : "all";
  }

  double capped(double value, std::optional<double> asked) const {
    const double up = rounded_up(need_, value);
    const bool enough = all_.user.too_small <= kMayBeTooSmall * all_.user.jobs;
    return asked && enough ? std::min(up, *asked) : up;
  }

  double by_learner(const Guess& guess, std::size_t l, const Record& record,
                    std::optional<double> asked) const {
    const Spread& spread = record.spreads[l];
    const double size = std::exp(guess.logs[l]);
    const double most = most_risk(size);
    double best = 0, least = 0;
    for (const double risk : kRisks) {
      const double first = size * std::exp(spread.limit(spread.up, risk));
      const double expected = first + risk * std::max(2 * first, asked.value_or(0));
      if (best > 0 && (risk > most || expected >= least)) continue;
      best = first;
      least = expected;
    }
    return best;
  }

  /// Whether more than 1 % were too small so far where few may be.
  bool is_careful() const {
    return policy_ == RequestPolicy::few_too_small &&
           all_.poll.too_small > kMayBeTooSmall * all_.poll.jobs;
  }

  double most_risk(double size) const {
    if (policy_ == RequestPolicy::least_waste) return 1;
    const double share = is_careful() ? 0.1 : 0.5;
    return share * kMayBeTooSmall * (jobs_ > 0 ? size / (used_ / jobs_) : 1);
  }

  /// Allocated over used with jobs of a command; all others together count as four of its.
  double cost(const Tally& command, const Tally& all) const {
    const double typical = command.jobs > 0 ? command.used / command.jobs : 1;
    const double others = all.used > 0 ? all.allocated / all.used : kUsualMargin;
    return (command.allocated + kOthers * typical * others) / (command.used + kOthers * typical);
  }

  double polled(const JobRequests& requests, const Record& record,
                std::optional<double> asked) const {
    std::vector<std::pair<double, double>> cheapest;  // cost and request
    const auto offer = [&](double request, const Tally& command, const Tally& all) {
      if (policy_ == RequestPolicy::few_too_small && !(command.is_safe() && all.is_safe())) return;
      cheapest.emplace_back(cost(command, all), request);
    };
    const double largest = capped(*requests.largest, asked);
    offer(largest, record.largest, all_.largest);
    for (std::size_t l = 0; l < kLearners; ++l)
      offer(*requests.learners[l], record.learners[l], all_.learners[l]);
    if (cheapest.empty()) return largest;
    std::ranges::stable_sort(cheapest, {}, &std::pair<double, double>::first);
    cheapest.resize(std::min<std::size_t>(cheapest.size(), 3));
    std::ranges::sort(cheapest, {}, &std::pair<double, double>::second);
    const double middle = cheapest[cheapest.size() / 2].second;
    const bool enough = record.largest.is_safe() && all_.largest.is_safe();
    return is_careful() && enough ? std::min(middle, largest) : middle;
  }

  void expect(const LoggedJob& job, const Guess& guess, JobRequests& out) {
    constexpr double kEachSide = 0.05;
    const Record& record = commands_[key_of(job, guess)];
    std::array<double, kLearners> costs{};
    for (std::size_t l = 0; l < kLearners; ++l)
      costs[l] = record.spreads[l].jobs > 0
                     ? (record.spreads[l].up + record.spreads[l].down) / record.spreads[l].jobs
                     : 0;
    const auto best = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
    const Spread& spread = record.spreads[best];
    out.middle = std::exp(guess.logs[best]);
    out.low = std::exp(guess.logs[best] - spread.limit(spread.down, kEachSide));
    out.high = std::exp(guess.logs[best] + spread.limit(spread.up, kEachSide));
  }

  Need need_;
  RequestPolicy policy_;
  std::map<std::string, Record> commands_;
  Record all_;
  double used_ = 0, jobs_ = 0;
};

}  // namespace

double allocated(double first, double used, std::optional<double> asked) {
  double sum = first, now = first;
  while (now < used) {
    now = std::max(2 * now, now == first ? asked.value_or(0) : 0);
    sum += now;
  }
  return sum;
}

std::vector<JobRequests> requests_of(const JobLog& log, Need need, RequestPolicy policy,
                                     const std::vector<LogEvent>& events,
                                     const std::vector<std::optional<Guess>>& guesses) {
  std::vector<JobRequests> out(log.jobs.size());
  Requester requester(need, policy);
  for (const LogEvent& event : events) {
    const LoggedJob& job = log.jobs[event.job];
    const bool used = job.used[static_cast<std::size_t>(need)].has_value();
    if (event.known && used)
      requester.learn(job, guesses[event.job], out[event.job]);
    else if (!event.known && (used || event.job >= log.past_it))
      out[event.job] = requester.ask(job, guesses[event.job]);
  }
  return out;
}

}  // namespace gpufeed
