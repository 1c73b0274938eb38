// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/classes.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

namespace gpufeed {
namespace {

constexpr std::array<double, kNeeds> kLeast{128.0 * 1024 * 1024, 60, 1};

using Votes = std::map<int, double>;  // by class
using Counts = Votes;                 // how often

/// Of equally common ones the larger.
int commonest(const Votes& votes) {
  constexpr double kRounding = 1e6;  // of sums of parts
  return std::ranges::max_element(votes, {},
                                  [](const auto& one) {
                                    return std::pair(std::round(one.second * kRounding), one.first);
                                  })
      ->first;
}

enum Extra : std::size_t { kModeOfLog = kLearners, kModeOfCommand, kPoll, kWays };

using Classes = std::array<int, kWays>;

/// How each learner fared with jobs of one command.
struct Experience {
  std::deque<std::array<double, kLearners>> errors;  ///< of the last jobs
  std::array<double, kLearners> trust{};             ///< logarithms of weights
};

/// A learner's vote, spread as its own errors so far were.
Votes vote_of(Need need, const Guess& guess, std::size_t learner, const Experience& past) {
  Votes votes;
  constexpr double kNone = 4;  // errors of none, as few are no rule yet
  const double part = 1 / (static_cast<double>(past.errors.size()) + kNone);
  votes[class_of(need, std::exp(guess.logs[learner]))] += kNone * part;
  for (const auto& error : past.errors)
    votes[class_of(need, std::exp(guess.logs[learner] + error[learner]))] += part;
  return votes;
}

Votes votes_of(Need need, const Guess& guess, const Experience& past) {
  Votes votes;
  const double most = *std::ranges::max_element(past.trust);
  for (std::size_t l = 0; l < kLearners; ++l)
    for (const auto& [one, part] : vote_of(need, guess, l, past))
      votes[one] += part * std::exp(past.trust[l] - most);
  return votes;
}

void remember(Need need, const Guess& guess, double used, Experience& past) {
  constexpr std::size_t kMost = 100;
  constexpr double kSurprise = 0.1;  // the chance left to what no error so far leads to
  for (std::size_t l = 0; l < kLearners; ++l) {
    const Votes votes = vote_of(need, guess, l, past);
    const auto right = votes.find(class_of(need, used));
    past.trust[l] += std::log(kSurprise + (right == votes.end() ? 0 : right->second));
  }
  auto& newest = past.errors.emplace_back();
  for (std::size_t l = 0; l < kLearners; ++l) newest[l] = std::log(used) - guess.logs[l];
  if (past.errors.size() > kMost) past.errors.pop_front();
}

Classes classes_of(Need need, const Guess& guess, const Counts& log, const Counts& command,
                   const Experience& past) {
  Classes out{};
  for (std::size_t l = 0; l < kLearners; ++l) out[l] = class_of(need, std::exp(guess.logs[l]));
  out[kModeOfLog] = commonest(log);
  out[kModeOfCommand] = command.empty() ? out[kModeOfLog] : commonest(command);
  out[kPoll] = commonest(votes_of(need, guess, past));
  return out;
}

std::string name_of_way(std::size_t way) {
  if (way < kLearners) return std::string(name_of(static_cast<Learner>(way)));
  return way == kModeOfLog       ? "mode of the log"
         : way == kModeOfCommand ? "mode of the command"
                                 : "poll";
}

}  // namespace

int class_of(Need need, double used) {
  constexpr double kRounding = 1e-9;  // of logarithms, so that 256 MiB are of the class of 256 MiB
  const double over = std::log2(used / kLeast[static_cast<std::size_t>(need)]);
  return static_cast<int>(std::max(0.0, std::ceil(over - kRounding)));
}

ClassScores class_scores(const JobLog& log, Need need, const std::vector<LogEvent>& events,
                         const std::vector<std::optional<Guess>>& guesses) {
  const auto n = static_cast<std::size_t>(need);
  Counts of_log;
  std::map<std::string, Counts> of_command;
  std::map<std::string, Experience> past;
  std::vector<std::optional<Classes>> said(log.jobs.size());
  for (const LogEvent& event : events) {
    const LoggedJob& job = log.jobs[event.job];
    if (!job.used[n]) continue;
    if (!event.known) {
      if (const auto& guess = guesses[event.job]; guess && guess->level != Level::all)
        said[event.job] =
            classes_of(need, *guess, of_log, of_command[job.command], past[job.command]);
      continue;
    }
    if (const auto& guess = guesses[event.job]; guess && guess->level == Level::command)
      remember(need, *guess, *job.used[n], past[job.command]);
    ++of_log[class_of(need, *job.used[n])];
    ++of_command[job.command][class_of(need, *job.used[n])];
  }
  ClassScores out;
  std::array<double, kSegments> jobs{};
  for (std::size_t way = 0; way < kWays; ++way) out.rows.push_back({name_of_way(way), {}});
  for (std::size_t j = log.first; j < log.past_it; ++j) {
    if (!log.jobs[j].used[n]) continue;
    const std::size_t segment = (j - log.first) * kSegments / (log.past_it - log.first);
    ++jobs[segment];
    if (!said[j]) continue;
    ++out.jobs;
    for (std::size_t way = 0; way < kWays; ++way)
      if ((*said[j])[way] == class_of(need, *log.jobs[j].used[n])) ++out.rows[way].right[segment];
  }
  ClassAccuracy average{"average of the learners", {}};
  for (std::size_t segment = 0; segment < kSegments; ++segment)
    for (std::size_t way = 0; way < kWays; ++way) {
      double& right = out.rows[way].right[segment];
      right = jobs[segment] > 0 ? right / jobs[segment] : 0;
      if (way < kLearners) average.right[segment] += right / kLearners;
    }
  out.rows.insert(out.rows.begin() + kLearners, average);
  return out;
}

}  // namespace gpufeed
