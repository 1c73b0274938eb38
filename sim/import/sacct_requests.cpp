// SPDX-License-Identifier: Apache-2.0
#include "sim/import/sacct_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/import/log_fields.h"

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

class SacctReader {
 public:
  SacctReader(std::string_view text, std::string name, Diagnostics& out)
      : lines_(log_fields(text, '\n')), name_(std::move(name)), out_(out) {}

  std::string read() {
    names_ = log_fields(trimmed(lines_.front()), '|');
    for (const auto needed : {"JobID", "Submit", "Start", "End", "ReqMem", "MaxRSS"})
      if (std::ranges::count(names_, needed) == 0)
        out_.error(ProblemCode::missing_key, {name_, 1, 1},
                   "field {} is missing; take sacct --parsable2 "
                   "--format=JobID,JobName,User,Partition,State,Submit,Start,End,Timelimit,NNodes,"
                   "NCPUS,NTasks,ReqMem,MaxRSS,AllocTRES",
                   needed);
    if (!out_.empty()) return {};
    for (line_ = 2; line_ <= lines_.size(); ++line_) {
      const auto text = trimmed(lines_[line_ - 1]);
      if (text.empty()) continue;
      fields_ = log_fields(text, '|');
      if (fields_.size() != names_.size())
        out_.error({name_, static_cast<int>(line_), 1}, "the line has {} fields, the first line {}",
                   fields_.size(), names_.size());
      else
        read_line();
    }
    return csv();
  }

 private:
  static std::string_view trimmed(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  std::string_view at(std::string_view name) const {
    const auto found = std::ranges::find(names_, name);
    return found == names_.end() ? std::string_view()
                                 : fields_[static_cast<std::size_t>(found - names_.begin())];
  }

  void read_line() {
    const std::string_view id = at("JobID");
    const std::size_t dot = id.find('.');
    if (dot == std::string_view::npos) return read_job();
    if (jobs_.empty() || jobs_.back().id != id.substr(0, dot)) return;  // of one left out
    if (const auto peak = log_bytes(at("MaxRSS")))
      jobs_.back().peak_B =
          std::max(jobs_.back().peak_B, *peak * log_number(at("NTasks")).value_or(1));
  }

  void read_job() {
    if (at("Start") == "Unknown" || at("Start") == "None" || at("End") == "Unknown") return;
    SlurmJob job;
    const auto date = [&](std::string_view field) {
      const auto value = log_date(at(field));
      if (!value)
        out_.error(ProblemCode::wrong_type, {name_, static_cast<int>(line_), 1},
                   "{} must be a date such as 2024-05-01T12:00:00; found \"{}\"", field, at(field));
      return value.value_or(0);
    };
    job.submitted_s = date("Submit");
    job.ended_s = date("End");
    job.length_s = job.ended_s - date("Start");
    job.id = at("JobID");
    job.command = at("JobName");
    job.user = at("User");
    job.partition = at("Partition");
    job.cores = log_number(at("NCPUS")).value_or(1);
    job.nodes = log_number(at("NNodes")).value_or(1);
    job.limit_s = log_length(at("Timelimit"));
    read_asked(job);
    for (const auto one : log_fields(at("AllocTRES"), ','))
      if (one.starts_with("gres/gpu="))
        job.gpus = log_number(one.substr(one.find('=') + 1)).value_or(0);
    jobs_.push_back(std::move(job));
  }

  void read_asked(SlurmJob& job) const {
    std::string_view text = at("ReqMem");
    double times = 1;
    if (text.ends_with('n')) times = job.nodes;
    if (text.ends_with('c')) times = job.cores;
    if (text.ends_with('n') || text.ends_with('c')) text.remove_suffix(1);
    if (const auto bytes = log_bytes(text)) job.asked_B = *bytes * times;
  }

  std::string csv() const {
    const auto known = [](std::optional<double> value) {
      return value && *value > 0 ? fmt::format("{:.0f}", *value) : std::string();
    };
    std::string out =
        "command,user,partition,cpus,nodes,gpus,memory_asked_B,time_limit_s,peak_rss_B,realtime_s,"
        "submitted_s,ended_s\n";
    for (const SlurmJob& job : jobs_)
      if (job.length_s > 0)
        out += fmt::format("{},{},{},{:.0f},{:.0f},{},{},{},{},{:.0f},{:.0f},{:.0f}\n",
                           csv_field(job.command), csv_field(job.user), csv_field(job.partition),
                           job.cores, job.nodes, known(job.gpus), known(job.asked_B),
                           known(job.limit_s), known(job.peak_B), job.length_s, job.submitted_s,
                           job.ended_s);
    return out;
  }

  std::vector<std::string_view> lines_;
  std::string name_;
  Diagnostics& out_;
  std::vector<std::string_view> names_, fields_;
  std::size_t line_ = 1;
  std::vector<SlurmJob> jobs_;
};

}  // namespace

std::string requests_of_sacct(std::string_view text, const std::string& name, Diagnostics& out) {
  return SacctReader(text, name, out).read();
}

}  // namespace gpufeed
