// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/model/study/request_report.h"

namespace gpufeed {

/// One job of a log: what is known when it is submitted, and what it used.
struct LoggedJob {
  std::string command;          ///< without the numbers among its arguments
  std::string program;          ///< what the command runs
  std::vector<double> numbers;  ///< by `JobLog::numbers`; not a number where it is not said
  std::vector<int> words;       ///< by `JobLog::words`: the word's place among those seen; -1: none
  std::array<std::optional<double>, kNeeds> used;   ///< by `Need`, in its unit; above 0
  std::array<std::optional<double>, kNeeds> asked;  ///< by `Need`: the user's own request
  std::optional<double> submitted_s;
  std::optional<double> ended_s;
  int clock = 0;  ///< times of jobs with different ones cannot be compared
};

/// Jobs in the order of their submission: those of older logs, those of the log, and new ones,
/// which used nothing yet.
struct JobLog {
  std::vector<LoggedJob> jobs;
  std::size_t first = 0;                    ///< of the log; older ones stand before
  std::size_t past_it = 0;                  ///< the first new one
  std::vector<std::string> numbers, words;  ///< columns known at submission
  std::vector<std::string> measured;        ///< columns known only afterwards, not learned from
  std::string own_clocks;  ///< the column for each of whose values times begin anew, if one
  bool timed = false;      ///< every job says when it was submitted, and one when it ended
};

/// A file of jobs as it was read.
struct JobText {
  std::string_view text;
  std::string name;  ///< for messages
};

/// Takes logs of jobs as CSV, whose first line names columns, in any order. Which column is which
/// is known by its name, case aside (`gpufeed requests --help`): the unit is its ending ("_B",
/// "_GiB", "_ms", "_s"), or stands with each value. What else stands before a job runs is learned
/// from: numbers as numbers, all else as words. Every problem goes to `out`, at most 20 of a file.
/// \param history  older logs, in their order
/// \param fresh    new jobs: the same columns, as far as they are known at submission
JobLog parse_job_log(const JobText& log, const std::vector<JobText>& history,
                     const std::vector<JobText>& fresh, Diagnostics& out);

/// "command=NAME,cpus=6" as the two lines of CSV that say it.
std::string csv_of_job(std::string_view job);

/// A command as it is learned from.
struct ParsedCommand {
  std::string program;  ///< "train.py" of "python3 /srv/a/train.py --lr 0.1"; of a name such as
                        ///< "RNASEQ:ALIGN:STAR" the last part
  std::string command;  ///< with # for each number among its arguments
  std::vector<std::pair<std::string, double>> numbers;  ///< "--lr", 0.1
};

ParsedCommand parse_command(std::string_view text);

}  // namespace gpufeed
