// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "calib/requests/guesses.h"

namespace gpufeed {

/// What was asked for one job in each way; nothing where a way has nothing to go by.
struct JobRequests {
  std::array<std::optional<double>, kLearners> learners;  ///< each with its own margin
  std::optional<double> poll;
  std::optional<double> largest;         ///< "largest so far x 1.1"
  double low = 0, middle = 0, high = 0;  ///< 90 % of such jobs use so much, by the cheapest learner
};

/// Requests for each job of the log and each new one, by what was known when it was submitted.
///
/// A learner's margin is Student's t limit of its own errors upward with jobs of the command
/// (twice their squares, as the half below tells nothing of it), to which four errors of such a
/// size are added that the first margin is the usual 10 % at 1 %: it shrinks where a command is
/// even and grows where it is not. Which share of jobs it leaves too small is what costs least: the
/// margin, or being run again as often (the newsvendor's choice). By `few_too_small` half of 1 % at
/// most in all, spent in proportion to size, as a wide margin costs little with a small job.
///
/// The poll is the middle of the three cheapest so far, of the command and of all together, of
/// learners and "largest x 1.1"; by `few_too_small` of those that were too small for at most 1 % of
/// jobs so far and one. Once the poll itself was too small for more, a tenth of 1 % is spent, and
/// it is not more than "largest x 1.1" while that is safe. Where no job of the command is known all
/// are what the user asks for, else "largest x 1.1" of the program or of all. Never more than the
/// user's own request, unless such requests were too small themselves.
std::vector<JobRequests> requests_of(const JobLog& log, Need need, RequestPolicy policy,
                                     const std::vector<LogEvent>& events,
                                     const std::vector<std::optional<Guess>>& guesses);

/// What a job is allocated in all that asks for `first` and, as long as it uses more, is run again
/// with twice as much, and with its user's request at least.
double allocated(double first, double used, std::optional<double> asked);

}  // namespace gpufeed
