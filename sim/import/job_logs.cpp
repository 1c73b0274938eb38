// SPDX-License-Identifier: Apache-2.0
#include "sim/import/job_logs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

#include "sim/base/nearest.h"

namespace gpufeed {
namespace {

using cluster::JobRow;
using Fields = std::vector<std::string_view>;

Fields split(std::string_view text, char apart) {
  Fields out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(apart, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

/// The numbers of "2024-05-01T12:00:00" as seconds; nothing where it is none.
std::optional<double> date_in(std::string_view text) {
  std::array<int, 6> part{};
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() != kForm.size()) return {};
  std::size_t number = 0;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] != '0') {
      if (text[i] != kForm[i]) return {};
      ++number;
    } else if (text[i] < '0' || text[i] > '9') {
      return {};
    } else {
      part[number] = part[number] * 10 + (text[i] - '0');
    }
  }
  const std::chrono::year_month_day day{std::chrono::year(part[0]),
                                        std::chrono::month(static_cast<unsigned>(part[1])),
                                        std::chrono::day(static_cast<unsigned>(part[2]))};
  if (!day.ok()) return {};
  const auto days = std::chrono::sys_days(day).time_since_epoch().count();
  return static_cast<double>(days) * 86400 + part[3] * 3600.0 + part[4] * 60.0 + part[5];
}

/// "2-03:04:05", "03:04:05" or "04:05" as seconds.
std::optional<double> length_in(std::string_view text) {
  double days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto given = number_in(text.substr(0, dash));
    if (!given) return {};
    days = *given;
    text.remove_prefix(dash + 1);
  }
  double seconds = 0;
  for (const auto part : split(text, ':')) {
    const auto value = number_in(part);
    if (!value) return {};
    seconds = seconds * 60 + *value;
  }
  return days * 86400 + seconds;
}

/// "64G", "512000M" as bytes; Slurm counts by 1024, and without a letter in M.
std::optional<double> bytes_in(std::string_view text) {
  double factor = 1048576;
  constexpr std::string_view kLetters = "KMGTP";
  if (!text.empty())
    if (const std::size_t at = kLetters.find(text.back()); at != std::string_view::npos) {
      factor = std::pow(1024.0, static_cast<double>(at) + 1);
      text.remove_suffix(1);
    }
  const auto value = number_in(text);
  if (!value) return {};
  return *value * factor;
}

class SacctParser {
 public:
  SacctParser(std::string_view text, const std::string& name, Diagnostics& out)
      : lines_(split(text, '\n')), name_(name), out_(out) {}

  LoggedJobs parse() {
    names_ = split(trimmed(lines_.front()), '|');
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
      if (!text.empty()) read(split(text, '|'));
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
    const auto value = date_in(at(field));
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
    if (const auto estimate = length_in(limit); estimate && *estimate > 0)
      job.estimate = Seconds{*estimate};
    if (const auto cores = number_in(at("NCPUS"))) job.cpu_milli = std::llround(*cores * 1000);
    read_requested_memory(job);
    read_resources(job);
    made_.jobs.push_back(std::move(job));
  }

  /// "4Gn" is of a node, "4Gc" of a core; newer Slurm writes what the whole job has.
  void read_requested_memory(JobRow& job) {
    std::string_view text = at("ReqMem");
    double times = 1;
    if (text.ends_with('n')) times = number_in(at("NNodes")).value_or(1);
    if (text.ends_with('c')) times = static_cast<double>(job.cpu_milli) / 1000;
    if (text.ends_with('n') || text.ends_with('c')) text.remove_suffix(1);
    if (const auto bytes = bytes_in(text)) job.memory = {std::round(*bytes * times)};
  }

  void read_resources(JobRow& job) {
    std::int64_t typed = 0;
    for (const auto one : split(at("AllocTRES"), ',')) {
      const std::size_t equals = std::min(one.find('='), one.size());
      const auto name = one.substr(0, equals);
      const auto value = one.substr(std::min(equals + 1, one.size()));
      const auto number = number_in(value);
      if (name == "cpu" && number) job.cpu_milli = std::llround(*number * 1000);
      if (name == "gres/gpu" && number) job.gpus = std::llround(*number);
      if (name.starts_with("gres/gpu:") && number) typed += std::llround(*number);
      if (name == "mem")
        if (const auto bytes = bytes_in(value)) job.memory = {std::round(*bytes)};
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

/// The first arrives at 0, and they stand in the order of their arrival.
void put_in_order(LoggedJobs& made) {
  std::ranges::stable_sort(made.jobs, {}, [](const JobRow& job) { return job.arrival.value; });
  if (made.jobs.empty()) return;
  const Seconds first = made.jobs.front().arrival;
  for (JobRow& job : made.jobs) job.arrival -= first;
}

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
  for (std::string_view row : split(text, '\n')) {
    ++line;
    std::vector<double> values;
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (row.find_first_not_of(" \t") == std::string_view::npos || row.starts_with(';')) continue;
    bool good = true;
    for (std::size_t at = row.find_first_not_of(" \t"); at < row.size();) {
      const std::size_t end = std::min(row.find_first_of(" \t", at), row.size());
      const auto value = number_in(row.substr(at, end - at));
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
