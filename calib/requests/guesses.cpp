// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/guesses.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gpufeed {
namespace {

constexpr std::size_t kMost =
    400;  // jobs to learn from, twice as many at most, so that it takes seconds

/// One number for what is not said, below all that are; others by their logarithm, as sizes spread
/// over powers of ten.
double feature(double value) {
  constexpr double kNotSaid = -1;
  if (std::isnan(value)) return kNotSaid;
  return std::copysign(std::log1p(std::abs(value)), value);
}

std::vector<double> features_of(const LoggedJob& job) {
  std::vector<double> out;
  for (const double value : job.numbers) out.push_back(feature(value));
  for (const auto& asked : job.asked) out.push_back(feature(asked.value_or(std::nan(""))));
  for (const int word : job.words) out.push_back(word);
  return out;
}

/// Jobs known so far that have something in common.
class Past {
 public:
  void add(const std::vector<double>& features, const std::vector<bool>& ordered, double value) {
    if (lessons_.values.size() == 2 * kMost) forget();
    lessons_.ordered = ordered;
    lessons_.features.push_back(features);
    lessons_.values.push_back(value);
    largest_ = count_ == 0 ? value : std::max(largest_, value);
    ++count_;
  }
  /// The mean of all values put under one name, which count once: a new command is drawn from
  /// commands, not from jobs.
  void put(const std::string& command, const std::vector<double>& features,
           const std::vector<bool>& ordered, double value) {
    auto& [sum, jobs, at] = means_[command];
    sum += value, ++jobs;
    if (jobs == 1 || at < forgotten_) {
      add(features, ordered, sum / jobs);
      at = forgotten_ + lessons_.values.size() - 1;
    }
    lessons_.values[at - forgotten_] = sum / jobs;
    largest_ = std::max(largest_, value);
  }
  std::size_t count() const { return count_; }

  std::array<double, kLearners> guess(const std::vector<double>& job) {
    train();
    std::array<double, kLearners> out{};
    for (std::size_t l = 0; l < kLearners; ++l) {
      const auto learner = static_cast<Learner>(l);
      out[l] = learner == Learner::largest ? largest_
               : is_fitted(learner)        ? fitted_[l](job)
                                           : remembered(learner, lessons_, job);
    }
    return out;
  }

 private:
  void train() {
    if (count_ < trained_ + std::max<std::size_t>(1, trained_ / 8)) return;
    trained_ = count_;
    for (std::size_t l = 0; l < kLearners; ++l)
      if (is_fitted(static_cast<Learner>(l)))
        fitted_[l] = fitted(static_cast<Learner>(l), lessons_);
  }

  void forget() {
    constexpr auto kOld = static_cast<std::ptrdiff_t>(kMost);
    lessons_.features.erase(lessons_.features.begin(), lessons_.features.begin() + kOld);
    lessons_.values.erase(lessons_.values.begin(), lessons_.values.begin() + kOld);
    forgotten_ += kMost;
  }

  Lessons lessons_;
  double largest_ = 0;  ///< of all, forgotten or not
  std::size_t count_ = 0, trained_ = 0;
  std::size_t forgotten_ = 0;
  std::array<Prediction, kLearners> fitted_;
  struct Mean {
    double sum = 0, jobs = 0;
    std::size_t at = 0;  ///< among all lessons ever
  };
  std::map<std::string, Mean> means_;
};

class Guesser {
 public:
  Guesser(const JobLog& log, Need need) : need_(static_cast<std::size_t>(need)) {
    ordered_.assign(log.numbers.size() + kNeeds, true);
    ordered_.resize(ordered_.size() + log.words.size(), false);
  }

  void learn_from(const LoggedJob& job) {
    const auto used = job.used[need_];
    if (!used) return;
    const double value = std::log(*used);
    const auto features = features_of(job);
    commands_[job.command].add(features, ordered_, value);
    programs_[job.program].put(job.command, features, ordered_, value);
    all_.put(job.command, features, ordered_, value);
    if (const auto asked = job.asked[need_])
      of_asked_.put(job.command, features, ordered_, value - std::log(*asked));
  }

  std::optional<Guess> guess(const LoggedJob& job) {
    const auto features = features_of(job);
    const auto from = [&](Past& past, Level level) {
      return Guess{past.guess(features), level, past.count()};
    };
    if (const auto at = commands_.find(job.command); at != commands_.end())
      return from(at->second, Level::command);
    if (const auto at = programs_.find(job.program); at != programs_.end())
      return from(at->second, Level::program);
    if (const auto asked = job.asked[need_]; asked && of_asked_.count() > 0) {
      Guess out = from(of_asked_, Level::all);
      for (double& one : out.logs) one += std::log(*asked);
      return out;
    }
    if (all_.count() == 0) return {};
    return from(all_, Level::all);
  }

 private:
  std::size_t need_;
  std::vector<bool> ordered_;
  std::map<std::string, Past> commands_, programs_;
  Past all_, of_asked_;
};

}  // namespace

std::vector<std::optional<Guess>> guesses_of(const JobLog& log, Need need,
                                             const std::vector<LogEvent>& events) {
  std::vector<std::optional<Guess>> out(log.jobs.size());
  Guesser guesser(log, need);
  for (const LogEvent& event : events) {
    const LoggedJob& job = log.jobs[event.job];
    const bool counts = job.used[static_cast<std::size_t>(need)] || event.job >= log.past_it;
    if (event.known)
      guesser.learn_from(job);
    else if (counts)
      out[event.job] = guesser.guess(job);
  }
  return out;
}

}  // namespace gpufeed
