// SPDX-License-Identifier: Apache-2.0
#include "sim/import/job_logs.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/import/log_fields.h"
#include "sim/import/sacct_line.h"

namespace gpufeed {
namespace {

using cluster::JobRow;

const SacctForm kAccounting{{"JobID", "Submit", "Start", "End"},
                            "JobID,User,Partition,State,Submit,Start,End,Timelimit,NNodes,NCPUS,"
                            "ReqMem,AllocTRES"};

void add_job(const SacctLine& line, LoggedJobs& made) {
  if (line.is_step()) return;
  if (!line.has_started()) return void(++made.left_out["never started"]);
  if (!line.has_ended()) return void(++made.left_out["not ended"]);
  const auto submit = line.date("Submit");
  const auto start = line.date("Start");
  const auto end = line.date("End");
  if (!submit || !start || !end) return;
  if (*end <= *start) return void(++made.left_out["no time between start and end"]);
  JobRow job;
  job.id = line.at("JobID");
  job.user = line.at("User");
  job.arrival = {*submit};
  job.work = {*end - *start};
  job.gpus = std::llround(line.gpus());
  const auto estimate = log_length(line.at("Timelimit"));
  if (estimate && *estimate > 0) job.estimate = Seconds{*estimate};
  if (const auto cores = line.cores()) job.cpu_milli = std::llround(*cores * 1000);
  const auto allocated = line.allocated_memory_B();
  if (const auto bytes = allocated ? allocated : line.requested_memory_B())
    job.memory = {std::round(*bytes)};
  made.jobs.push_back(std::move(job));
}

}  // namespace

LoggedJobs parse_sacct(std::string_view text, const std::string& name, Diagnostics& out) {
  LoggedJobs made;
  read_sacct(text, name, kAccounting, out, [&](const SacctLine& line) { add_job(line, made); });
  put_in_order(made);
  return made;
}

LoggedJobs parse_swf(std::string_view text, const std::string& name, bool cores, Diagnostics& out) {
  constexpr std::size_t kFields = 18;
  enum { kJob, kSubmit, kWait, kRun, kProcessors, kCpu, kMemory, kAsked, kAskedTime };
  constexpr std::size_t kUser = 11;
  LoggedJobs made;
  int line = 0;
  for (std::string_view row : log_fields(text, '\n')) {
    ++line;
    std::vector<double> values;
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (row.find_first_not_of(" \t") == std::string_view::npos || row.starts_with(';')) continue;
    bool good = true;
    for (std::size_t at = row.find_first_not_of(" \t"); at < row.size();) {
      const std::size_t end = std::min(row.find_first_of(" \t", at), row.size());
      const auto value = log_number(row.substr(at, end - at));
      good = good && value.has_value();
      values.push_back(value.value_or(-1));
      at = std::min(row.find_first_not_of(" \t", end), row.size());
    }
    if (!good || values.size() != kFields) {
      out.error(ProblemCode::wrong_type, {name, line, 1},
                "a line must be 18 numbers; this one has {} fields", values.size());
      continue;
    }
    const double processors = values[kProcessors] > 0 ? values[kProcessors] : values[kAsked];
    if (values[kRun] <= 0 || processors <= 0) {
      ++made.left_out[values[kRun] <= 0 ? "no run time" : "no processors"];
      continue;
    }
    JobRow job;
    job.id = fmt::format("{}", values[kJob]);
    job.arrival = {values[kSubmit]};
    job.work = {values[kRun]};
    if (values[kAskedTime] > 0) job.estimate = Seconds{values[kAskedTime]};
    job.gpus = cores ? 0 : std::llround(processors);
    if (cores) job.cpu_milli = std::llround(processors * 1000);
    if (values[kMemory] > 0) job.memory = {std::round(values[kMemory] * 1024 * processors)};
    if (values[kUser] >= 0) job.user = fmt::format("{}", values[kUser]);
    made.jobs.push_back(std::move(job));
  }
  put_in_order(made);
  return made;
}

}  // namespace gpufeed
