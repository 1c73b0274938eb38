// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpufeed {

/// What a job asks a cluster for. In byte, second, and whole GPUs.
enum class Need { memory, time, gpus };
inline constexpr std::size_t kNeeds = 3;

/// When an earlier job may be learned from.
enum class Clock {
  rows,       ///< it stands in an earlier row, as if jobs came one after another
  submission  ///< it had ended when this one was submitted
};
inline constexpr std::size_t kClocks = 2;

/// What a request is to be.
enum class RequestPolicy {
  few_too_small,  ///< the cheapest with fewer than 1 % of jobs too small
  least_waste     ///< the cheapest, repeats included
};

/// Whose jobs what is said of a job rests on.
enum class Level { command, program, all };

inline constexpr std::size_t kSegments = 5;  ///< of a log, of equally many jobs

/// How often something says the class of what a job used: the power of two above it.
struct ClassAccuracy {
  std::string name;
  std::array<double, kSegments> right{};  ///< share of the jobs of a segment
};

/// What requests made in one way cost.
struct RequestOutcome {
  std::string name;
  std::int64_t jobs = 0;
  double waste = 0;      ///< (allocated, repeats included - used) / used, sums over jobs
  double too_small = 0;  ///< share of jobs that were run again with more
  /// Sum of what is allocated times the job's run time, in unit x s, where run times are known.
  std::optional<double> held_s = {};
};

/// Jobs of a command for which a simpler request than the poll's is cheaper.
struct SimplerWins {
  std::string command;
  std::int64_t jobs = 0;
  double poll_waste = 0, largest_waste = 0;
  std::optional<double> user_waste = {};
};

struct ClockReport {
  Clock clock = Clock::rows;
  std::int64_t classed = 0;  ///< jobs before which one of the command or program was known
  std::vector<ClassAccuracy> classes;    ///< learners, their average, modes, poll
  std::int64_t requested = 0;            ///< jobs that anything could be said of
  std::vector<RequestOutcome> requests;  ///< poll, largest x 1.1, the user's if any, learners
  std::vector<SimplerWins> simpler;      ///< what it costs most first
};

/// What a new job is expected to use, and should ask for.
struct NewJobNeed {
  std::string command;
  Need need = Need::memory;
  std::optional<double> request;         ///< none where nothing is known
  double low = 0, middle = 0, high = 0;  ///< 90 % of such jobs use so much
  Level level = Level::all;
  std::int64_t learned_from = 0;  ///< jobs of the command, else commands; without any no interval
};

struct NeedReport {
  Need need = Need::memory;
  std::int64_t jobs = 0;  ///< of the log that say what they used
  std::vector<ClockReport> clocks;
};

/// What earlier jobs say of what a job needs.
struct RequestReport {
  std::string log;
  std::int64_t jobs = 0, history = 0, commands = 0;
  RequestPolicy policy = RequestPolicy::few_too_small;
  std::vector<std::string> known, measured;  ///< columns
  std::string own_clocks;  ///< the column for each of whose values times begin anew
  bool timed = false;      ///< the log says when jobs were submitted and ended
  std::vector<NeedReport> needs;
  std::vector<NewJobNeed> new_jobs;
};

}  // namespace gpufeed
