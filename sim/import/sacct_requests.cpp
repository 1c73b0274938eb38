// SPDX-License-Identifier: Apache-2.0
#include "sim/import/sacct_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/import/log_fields.h"
#include "sim/import/sacct_line.h"

namespace gpufeed {
namespace {

struct SlurmJob {
  std::string id, command, user, partition;
  double cores = 0, nodes = 0, gpus = 0;
  std::optional<double> asked_B, limit_s;
  double peak_B = 0, length_s = 0, submitted_s = 0, ended_s = 0;
};

std::string csv_field(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

const SacctForm kRequests{{"JobID", "Submit", "Start", "End", "ReqMem", "MaxRSS"},
                          "JobID,JobName,User,Partition,State,Submit,Start,End,Timelimit,NNodes,"
                          "NCPUS,NTasks,ReqMem,MaxRSS,AllocTRES"};

void add_step(const SacctLine& line, std::vector<SlurmJob>& jobs) {
  const std::string_view id = line.at("JobID");
  if (jobs.empty() || jobs.back().id != id.substr(0, id.find('.'))) return;  // of one left out
  if (const auto peak = log_bytes(line.at("MaxRSS")))
    jobs.back().peak_B =
        std::max(jobs.back().peak_B, *peak * log_number(line.at("NTasks")).value_or(1));
}

void add_job(const SacctLine& line, std::vector<SlurmJob>& jobs) {
  if (!line.has_started() || !line.has_ended()) return;
  SlurmJob job;
  job.submitted_s = line.date("Submit").value_or(0);
  job.ended_s = line.date("End").value_or(0);
  job.length_s = job.ended_s - line.date("Start").value_or(0);
  job.id = line.at("JobID");
  job.command = line.at("JobName");
  job.user = line.at("User");
  job.partition = line.at("Partition");
  job.cores = log_number(line.at("NCPUS")).value_or(1);
  job.nodes = line.nodes();
  job.limit_s = log_length(line.at("Timelimit"));
  job.asked_B = line.requested_memory_B();
  job.gpus = line.gpus();
  jobs.push_back(std::move(job));
}

std::string csv_of(const std::vector<SlurmJob>& jobs) {
  const auto known = [](std::optional<double> value) {
    return value && *value > 0 ? fmt::format("{:.0f}", *value) : std::string();
  };
  std::string out =
      "command,user,partition,cpus,nodes,gpus,memory_asked_B,time_limit_s,peak_rss_B,realtime_s,"
      "submitted_s,ended_s\n";
  for (const SlurmJob& job : jobs)
    if (job.length_s > 0)
      out +=
          fmt::format("{},{},{},{:.0f},{:.0f},{},{},{},{},{:.0f},{:.0f},{:.0f}\n",
                      csv_field(job.command), csv_field(job.user), csv_field(job.partition),
                      job.cores, job.nodes, known(job.gpus), known(job.asked_B), known(job.limit_s),
                      known(job.peak_B), job.length_s, job.submitted_s, job.ended_s);
  return out;
}

}  // namespace

std::string requests_of_sacct(std::string_view text, const std::string& name, Diagnostics& out) {
  std::vector<SlurmJob> jobs;
  read_sacct(text, name, kRequests, out, [&](const SacctLine& line) {
    line.is_step() ? add_step(line, jobs) : add_job(line, jobs);
  });
  return csv_of(jobs);
}

}  // namespace gpufeed
