// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/job_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "calib/requests/headings.h"
#include "calib/requests/job_order.h"
#include "sim/base/nearest.h"
#include "sim/load/csv/csv.h"

namespace gpufeed {
namespace {

constexpr std::size_t kMostProblems = 20;
constexpr double kMost = 1e18;  // byte, second, GPUs: far above any job's, and exact in a double
constexpr double kNotSaid = std::numeric_limits<double>::quiet_NaN();

bool is_blank(std::string_view text) { return text.empty() || text == "-"; }

std::optional<double> plain_number(std::string_view text) { return value_in(Heading{}, text); }

/// Fields of a file, kept until it is known which columns are numbers.
struct Table {
  std::string name;
  std::vector<Heading> headings;
  std::vector<int> lines;
  std::vector<std::vector<CsvField>> rows;
};

/// Reads the lines of a file; what is wrong with its form goes to `out`.
Table table_of(const JobText& file, Diagnostics& out) {
  Table table{file.name, {}, {}, {}};
  CsvLines lines(file.text);
  if (!lines.next()) {
    out.error(ProblemCode::unusable_file, {file.name, 0, 0},
              "the file is empty; its first line must name the columns, such as "
              "command,memory_asked_B,peak_rss_B,realtime_ms,submitted_s");
    return table;
  }
  std::set<std::string_view> seen;
  for (const CsvField& field : lines.fields()) {
    table.headings.push_back(heading_of(field.text));
    const bool again = !seen.insert(field.text).second;
    if (again && table.headings.back().role == ColumnRole::known)
      out.error({file.name, lines.line(), static_cast<int>(field.column)}, "column {} stands twice",
                shown_field(field.text));
  }
  std::size_t problems = 0;
  while (problems < kMostProblems && lines.next()) {
    if (lines.fields().size() != table.headings.size()) {
      out.error({file.name, lines.line(), 1}, "the line has {} fields, the first line {}",
                lines.fields().size(), table.headings.size());
      ++problems;
      continue;
    }
    table.lines.push_back(lines.line());
    table.rows.push_back(lines.fields());
  }
  return table;
}

class LogReader {
 public:
  explicit LogReader(Diagnostics& out) : out_(out) {}

  JobLog read(const JobText& log, const std::vector<JobText>& history,
              const std::vector<JobText>& fresh) {
    const std::size_t before = out_.count();
    for (const JobText& file : history) tables_.push_back(table_of(file, out_));
    tables_.push_back(table_of(log, out_));
    bool readable = true;
    for (const Table& table : tables_) readable = check(table) && readable;
    if (!readable) return {};
    sort_columns();
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      if (t + 1 == tables_.size()) log_.first = log_.jobs.size();
      read_rows(tables_[t], false);
    }
    log_.past_it = log_.jobs.size();
    if (out_.count() > before) return {};
    if (log_.past_it - log_.first < kSegments)
      out_.error(ProblemCode::unusable_file, {log.name, 0, 0},
                 "the log has {} job{} that say{} what {} used; at least {} are needed, one for "
                 "each part of it that is reported",
                 log_.past_it - log_.first, log_.past_it - log_.first == 1 ? "" : "s",
                 log_.past_it - log_.first == 1 ? "s" : "",
                 log_.past_it - log_.first == 1 ? "it" : "they", kSegments);
    if (out_.count() > before) return {};
    put_in_order(log_, dated_);
    for (const JobText& file : fresh) read_fresh(file);
    return std::move(log_);
  }

 private:
  /// Whether it says what jobs used, and each thing once; else that is a problem.
  bool check(const Table& table) {
    if (table.headings.empty()) return false;  // which is one already
    const std::size_t before = out_.count();
    std::map<std::pair<ColumnRole, Need>, std::string> seen;
    for (const Heading& one : table.headings) {
      if (one.role == ColumnRole::known || one.role == ColumnRole::measured ||
          one.role == ColumnRole::number_of_job)
        continue;
      const auto [first, added] = seen.try_emplace({one.role, one.need}, one.name);
      if (!added && first->second == one.name)
        out_.error({table.name, 1, 1}, "column {} stands twice", shown_field(one.name));
      else if (!added)
        out_.error({table.name, 1, 1}, "columns \"{}\" and \"{}\" say the same; leave one out",
                   first->second, one.name);
    }
    for (std::size_t need = 0; need < kNeeds; ++need)
      if (seen.contains({ColumnRole::used, static_cast<Need>(need)})) return out_.count() == before;
    std::string all, near;
    for (const Heading& one : table.headings) {
      all += (all.empty() ? "" : ", ") + shown_field(one.name);
      const auto name = nearest_usage(one.name);
      if (name && near.empty())
        near = fmt::format("did you mean \"{}\" by {}? ", *name, shown_field(one.name));
    }
    out_.error({table.name, 1, 1},
               "no column says what jobs used; {}one of peak_rss_B, maxrss, memory_used_GB, "
               "realtime_ms, elapsed_s, gpus_used ... is needed; found {}",
               near, all);
    return false;
  }

  /// Which columns are known at submission, and which of them are numbers: those of which more than
  /// half are.
  void sort_columns() {
    std::map<std::string, std::pair<int, int>> share;  // numbers and values, of a column
    std::vector<std::string> order;
    for (const Table& table : tables_)
      for (std::size_t c = 0; c < table.headings.size(); ++c) {
        const Heading& one = table.headings[c];
        if (one.role == ColumnRole::measured && !std::ranges::count(log_.measured, one.name))
          log_.measured.push_back(one.name);
        if (one.role != ColumnRole::known) continue;
        if (!share.contains(one.name)) order.push_back(one.name);
        auto& [numbers, values] = share[one.name];
        for (const auto& row : table.rows) {
          if (is_blank(row[c].text)) continue;
          ++values;
          if (plain_number(row[c].text)) ++numbers;
        }
      }
    for (const std::string& name : order) {
      const auto [numbers, values] = share[name];
      (2 * numbers > values ? log_.numbers : log_.words).push_back(name);
    }
    columns_ = log_.numbers.size();
  }

  void read_rows(const Table& table, bool fresh) {
    const std::size_t before = out_.count();
    for (std::size_t r = 0; r < table.rows.size() && out_.count() < before + kMostProblems; ++r) {
      LoggedJob job;
      job.numbers.assign(log_.numbers.size(), kNotSaid);
      job.words.assign(log_.words.size(), -1);
      for (std::size_t c = 0; c < table.headings.size(); ++c)
        take(table, r, table.headings[c], table.rows[r][c], job);
      if (!job.ended_s && job.submitted_s && job.used[static_cast<std::size_t>(Need::time)])
        job.ended_s = *job.submitted_s + *job.used[static_cast<std::size_t>(Need::time)];
      const bool says = std::ranges::any_of(job.used, [](const auto& u) { return u.has_value(); });
      if (fresh) job.used = {}, job.ended_s = {};
      if (says || fresh) log_.jobs.push_back(std::move(job));
    }
  }

  void take(const Table& table, std::size_t row, const Heading& heading, const CsvField& field,
            LoggedJob& job) {
    if (is_blank(field.text)) return;
    const Location where{table.name, table.lines[row], static_cast<int>(field.column)};
    switch (heading.role) {
      case ColumnRole::measured:
      case ColumnRole::number_of_job:
        return;
      case ColumnRole::command:
        take_command(field.text, job);
        return;
      case ColumnRole::known:
        take_known(heading, field, where, job);
        return;
      default:
        break;
    }
    const auto value = value_in(heading, field.text);
    const bool whole = heading.need != Need::gpus || !value || *value == std::floor(*value);
    if (!value || *value < 0 || *value > kMost || !whole) {
      out_.error(where, "{} must be {}, from 0 to 1e18; found {}", heading.name, form_of(heading),
                 shown_field(field.text));
      return;
    }
    const auto need = static_cast<std::size_t>(heading.need);
    if (heading.role == ColumnRole::submitted || heading.role == ColumnRole::ended) {
      dated_ = dated_ || is_date(field.text);
      (heading.role == ColumnRole::submitted ? job.submitted_s : job.ended_s) = *value;
    } else if (*value > 0) {  // 0 is what collectors write where they saw nothing
      (heading.role == ColumnRole::used ? job.used : job.asked)[need] = *value;
    }
  }

  void take_command(std::string_view text, LoggedJob& job) {
    ParsedCommand parsed = parse_command(text);
    job.command = std::move(parsed.command);
    job.program = std::move(parsed.program);
    constexpr std::size_t kMostArguments = 32;  // columns that commands may add
    for (const auto& [name, value] : parsed.numbers) {
      auto at =
          static_cast<std::size_t>(std::ranges::find(log_.numbers, name) - log_.numbers.begin());
      if (at == log_.numbers.size()) {
        if (at >= columns_ + kMostArguments) continue;
        log_.numbers.push_back(name);
        for (LoggedJob& other : log_.jobs) other.numbers.push_back(kNotSaid);
      }
      job.numbers.resize(log_.numbers.size(), kNotSaid);
      job.numbers[at] = value;
    }
  }

  void take_known(const Heading& heading, const CsvField& field, const Location& where,
                  LoggedJob& job) {
    const auto number = std::ranges::find(log_.numbers, heading.name);
    if (number != log_.numbers.end()) {
      const auto value = plain_number(field.text);
      if (!value)
        out_.error(where, "{} is a number in most lines; found {}", heading.name,
                   shown_field(field.text));
      else
        job.numbers[static_cast<std::size_t>(number - log_.numbers.begin())] = *value;
      return;
    }
    const auto word = std::ranges::find(log_.words, heading.name);
    const auto column = static_cast<std::size_t>(word - log_.words.begin());
    auto& seen = words_[heading.name];
    const auto [place, added] =
        seen.try_emplace(std::string(field.text), static_cast<int>(seen.size()));
    job.words[column] = place->second;
  }

  void read_fresh(const JobText& file) {
    const std::size_t before = out_.count();
    const Table table = table_of(file, out_);
    Names known;
    bool has_command = false;
    for (const Table& other : tables_)
      for (const Heading& one : other.headings) {
        if (!std::ranges::count(known, one.name)) known.push_back(one.name);
        has_command = has_command || one.role == ColumnRole::command;
      }
    bool says_command = table.headings.empty();
    for (const Heading& one : table.headings) {
      says_command = says_command || one.role == ColumnRole::command;
      if (!std::ranges::count(known, one.name))
        out_.error({file.name, 1, 1}, "the log has no column {}; {}", shown_field(one.name),
                   suggestion(one.name, known));
    }
    if (has_command && !says_command)
      out_.error({file.name, 1, 1}, "column \"command\" is missing, as the log has it");
    if (out_.count() > before) return;
    if (table.rows.empty())
      out_.error(ProblemCode::unusable_file, {file.name, 0, 0}, "there is no job below the header");
    read_rows(table, true);
  }

  Diagnostics& out_;
  std::vector<Table> tables_;
  std::map<std::string, std::map<std::string, int>> words_;
  std::size_t columns_ = 0;  ///< numbers that are columns of their own
  bool dated_ = false;
  JobLog log_;
};

}  // namespace

JobLog parse_job_log(const JobText& log, const std::vector<JobText>& history,
                     const std::vector<JobText>& fresh, Diagnostics& out) {
  return LogReader(out).read(log, history, fresh);
}

}  // namespace gpufeed
