// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "calib/requests/job_log.h"

namespace gpufeed {

/// A log that is right. \throws InputError  where it is not
inline JobLog log_of(const std::string& text, const std::vector<std::string>& history = {},
                     const std::string& fresh = "") {
  Diagnostics problems;
  std::vector<JobText> older;
  for (const std::string& one : history) older.push_back({one, "old.csv"});
  std::vector<JobText> jobs;
  if (!fresh.empty()) jobs.push_back({fresh, "new.csv"});
  JobLog log = parse_job_log({text, "log.csv"}, older, jobs, problems);
  problems.throw_if_any();
  return log;
}

}  // namespace gpufeed
