// SPDX-License-Identifier: Apache-2.0
#include "sim/import/job_logs.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/import/log_fields.h"

namespace gpufeed {
namespace {

using cluster::JobRow;
using Fields = std::vector<std::string_view>;

class SacctParser {
 public:
  SacctParser(std::string_view text, const std::string& name, Diagnostics& out)
      : lines_(log_fields(text, '\n')), name_(name), out_(out) {}

  LoggedJobs parse() {
    names_ = log_fields(trimmed(lines_.front()), '|');
    for (const auto needed : {"JobID", "Submit", "Start", "End"})
      if (std::ranges::count(names_, needed) == 0)
        out_.error(ProblemCode::missing_key, {name_, 1, 1},
                   "field {} is missing; take sacct --parsable2 "
                   "--format=JobID,User,Partition,State,Submit,Start,End,Timelimit,NNodes,NCPUS,"
                   "ReqMem,AllocTRES",
                   needed);
    if (!out_.empty()) return {};
    for (line_ = 2; line_ <= lines_.size(); ++line_) {
      const auto text = trimmed(lines_[line_ - 1]);
      if (!text.empty()) read(log_fields(text, '|'));
    }
    return std::move(made_);
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
  void wrong(std::string_view field, std::string_view expected) {
    out_.error(ProblemCode::wrong_type, {name_, static_cast<int>(line_), 1},
               "{} must be {}; found \"{}\"", field, expected, at(field));
  }
  std::optional<double> date(std::string_view field) {
    const auto value = log_date(at(field));
    if (!value) wrong(field, "a date such as 2024-05-01T12:00:00");
    return value;
  }

  void read(Fields fields) {
    fields_ = std::move(fields);
    if (fields_.size() != names_.size()) {
      out_.error({name_, static_cast<int>(line_), 1}, "the line has {} fields, the first line {}",
                 fields_.size(), names_.size());
      return;
    }
    if (at("JobID").find('.') != std::string_view::npos) return;  // a step of the job before
    if (at("Start") == "Unknown" || at("Start") == "None") return leave_out("never started");
    if (at("End") == "Unknown" || at("End") == "None") return leave_out("not ended");
    const auto submit = date("Submit");
    const auto start = date("Start");
    const auto end = date("End");
    if (!submit || !start || !end) return;
    if (*end <= *start) return leave_out("no time between start and end");
    JobRow job;
    job.id = at("JobID");
    job.user = at("User");
    job.arrival = {*submit};
    job.work = {*end - *start};
    job.gpus = 0;
    const std::string_view limit = at("Timelimit");
    if (const auto estimate = log_length(limit); estimate && *estimate > 0)
      job.estimate = Seconds{*estimate};
    if (const auto cores = log_number(at("NCPUS"))) job.cpu_milli = std::llround(*cores * 1000);
    read_requested_memory(job);
    read_resources(job);
    made_.jobs.push_back(std::move(job));
  }

  /// "4Gn" is of a node, "4Gc" of a core; newer Slurm writes what the whole job has.
  void read_requested_memory(JobRow& job) {
    std::string_view text = at("ReqMem");
    double times = 1;
    if (text.ends_with('n')) times = log_number(at("NNodes")).value_or(1);
    if (text.ends_with('c')) times = static_cast<double>(job.cpu_milli) / 1000;
    if (text.ends_with('n') || text.ends_with('c')) text.remove_suffix(1);
    if (const auto bytes = log_bytes(text)) job.memory = {std::round(*bytes * times)};
  }

  void read_resources(JobRow& job) {
    std::int64_t typed = 0;
    for (const auto one : log_fields(at("AllocTRES"), ',')) {
      const std::size_t equals = std::min(one.find('='), one.size());
      const auto name = one.substr(0, equals);
      const auto value = one.substr(std::min(equals + 1, one.size()));
      const auto number = log_number(value);
      if (name == "cpu" && number) job.cpu_milli = std::llround(*number * 1000);
      if (name == "gres/gpu" && number) job.gpus = std::llround(*number);
      if (name.starts_with("gres/gpu:") && number) typed += std::llround(*number);
      if (name == "mem")
        if (const auto bytes = log_bytes(value)) job.memory = {std::round(*bytes)};
    }
    if (job.gpus == 0) job.gpus = typed;
  }

  void leave_out(const std::string& reason) { ++made_.left_out[reason]; }

  Fields lines_;
  const std::string& name_;
  Diagnostics& out_;
  Fields names_, fields_;
  std::size_t line_ = 1;
  LoggedJobs made_;
};

}  // namespace

LoggedJobs parse_sacct(std::string_view text, const std::string& name, Diagnostics& out) {
  LoggedJobs made = SacctParser(text, name, out).parse();
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
