// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "calib/requests/job_log.h"

namespace gpufeed {

/// Puts the jobs of a log in the order of their submission. Where times that are no dates go back
/// from line to line, but never among jobs that have one word of a column in common, each word of
/// that column has a clock of its own, and lines stay where they are.
void put_in_order(JobLog& log, bool dated);

/// What happens in a log, one after another.
struct LogEvent {
  std::size_t job = 0;
  bool known = false;  ///< from here on what the job used is known; else it is submitted
};

/// Each job's submission, and where what it used becomes known: by `Clock::rows` right after its
/// row, by `Clock::submission` once it has ended; by that one jobs of one clock stand together,
/// older clocks being over. New jobs come last.
std::vector<LogEvent> events_of(const JobLog& log, Clock clock);

}  // namespace gpufeed
