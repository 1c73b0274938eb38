// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/requests/job_order.h"
#include "calib/requests/learner.h"

namespace gpufeed {

/// What each learner expects a job to use, by what was known when it was submitted.
struct Guess {
  std::array<double, kLearners> logs{};  ///< by `Learner`: the natural logarithm
  Level level = Level::all;
  std::size_t jobs = 0;  ///< that it rests on; commands, where it is not of the command
};

/// A guess for each job of the log; none where no job was known before, or it used nothing that
/// is known. Learns from jobs of the same command; where there are none, from commands of the
/// program; else from all commands, then of what each used of its user's request, where there are
/// requests. From the last 400 to 800, but for the largest; what fits is fitted anew when there are
/// an eighth more.
std::vector<std::optional<Guess>> guesses_of(const JobLog& log, Need need,
                                             const std::vector<LogEvent>& events);

}  // namespace gpufeed
