// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "calib/requests/guesses.h"

namespace gpufeed {

/// The classes of what jobs use: each twice the one before, from 128 MiB, a minute, one GPU.
/// \return the number of the least that holds `used`, from 0
int class_of(Need need, double used);

/// How often each learner, the commonest class so far (of the log, of the command) and the poll say
/// the right class, in five parts of the log; and the learners' average. Where no job of the
/// command or program is known they say nothing, which is not right.
struct ClassScores {
  std::int64_t jobs = 0;  ///< of the log of which they say something
  std::vector<ClassAccuracy> rows;
};

/// The poll is a vote: each learner's is spread over classes as its own errors with the last 100
/// jobs of the command were, and weighs as much as it made the classes of earlier ones likely (the
/// aggregating algorithm of Vovk, Journal of Computer and System Sciences 56, 1998: never much
/// worse than the best learner). Of equal votes the larger class wins.
ClassScores class_scores(const JobLog& log, Need need, const std::vector<LogEvent>& events,
                         const std::vector<std::optional<Guess>>& guesses);

}  // namespace gpufeed
