// SPDX-License-Identifier: Apache-2.0
#include "sim/import/csv_logs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sim/import/log_fields.h"
#include "sim/load/csv/csv.h"

namespace gpufeed {
namespace {

using cluster::JobRow;

/// What a column holds.
enum class Column {
  id,
  user,
  submitted,
  started,
  ended,
  length,
  gpus,
  gpu_milli,
  gpu_percent,
  instances,
  cpu_milli,
  cores,
  cpu_percent,
  memory_MiB,
  memory_GiB,
  type,
  count
};

struct Title {
  std::string_view name;
  Column column;
};

constexpr std::array kTitles{Title{"job_id", Column::id},
                             Title{"jobid", Column::id},
                             Title{"job_name", Column::id},
                             Title{"name", Column::id},
                             Title{"user", Column::user},
                             Title{"submit_time", Column::submitted},
                             Title{"submitted_time", Column::submitted},
                             Title{"creation_time", Column::submitted},
                             Title{"created_s", Column::submitted},
                             Title{"start_time", Column::started},
                             Title{"scheduled_time", Column::started},
                             Title{"scheduled_s", Column::started},
                             Title{"end_time", Column::ended},
                             Title{"deletion_time", Column::ended},
                             Title{"deleted_s", Column::ended},
                             Title{"duration", Column::length},
                             Title{"gpu_num", Column::gpus},
                             Title{"num_gpu", Column::gpus},
                             Title{"gpu_milli", Column::gpu_milli},
                             Title{"plan_gpu", Column::gpu_percent},
                             Title{"inst_num", Column::instances},
                             Title{"cpu_milli", Column::cpu_milli},
                             Title{"cpu_num", Column::cores},
                             Title{"plan_cpu", Column::cpu_percent},
                             Title{"memory_mib", Column::memory_MiB},
                             Title{"plan_mem", Column::memory_GiB},
                             Title{"gpu_spec", Column::type},
                             Title{"gpu_type", Column::type}};

std::optional<Column> column_of(std::string_view title) {
  const auto* const found = std::ranges::find(kTitles, title, &Title::name);
  if (found == kTitles.end()) return {};
  return found->column;
}

class LogReader {
 public:
  LogReader(std::string_view text, std::string name, Diagnostics& out)
      : lines_(text), name_(std::move(name)), out_(out) {}

  LoggedJobs read() {
    if (!lines_.next()) return {};
    for (std::size_t i = 0; i < lines_.fields().size(); ++i)
      if (const auto column = column_of(lines_.fields()[i].text))
        if (auto& place = place_[static_cast<std::size_t>(*column)]; !place) place = i;
    columns_ = lines_.fields().size();
    const bool timed = has(Column::length) || has(Column::ended);
    const bool sized = has(Column::gpus) || has(Column::gpu_percent) || has(Column::cpu_milli) ||
                       has(Column::cores);
    if (!timed || !(has(Column::submitted) || has(Column::started)) || !sized) {
      out_.error(ProblemCode::missing_key, {name_, 1, 1},
                 "the first line must name columns for when a job came and how long it took "
                 "(submit_time, start_time, end_time, duration) and for what it had (gpu_num)");
      return {};
    }
    while (lines_.next()) read_job();
    put_in_order(made_);
    return std::move(made_);
  }

 private:
  static std::optional<double> number_from(std::string_view said, double least, double most) {
    const auto found = log_number(said);
    return found && *found >= least && *found <= most ? found : std::nullopt;
  }
  bool has(Column column) const { return place_[static_cast<std::size_t>(column)].has_value(); }
  std::string_view text(Column column) const {
    return has(column) ? lines_.fields()[*place_[static_cast<std::size_t>(column)]].text
                       : std::string_view();
  }
  /// Nothing where the field is empty or says that there is none, or is wrong, which is told.
  std::optional<double> value(Column column, const char* expected,
                              std::optional<double> (*parse)(std::string_view)) {
    const std::string_view said = text(column);
    if (said.empty() || said == "None" || said == "nan" || said == "NaN" || said == "NULL")
      return {};
    const auto found = parse(said);
    if (!found || *found < 0) {
      const CsvField& field = lines_.fields()[*place_[static_cast<std::size_t>(column)]];
      out_.error(ProblemCode::wrong_type, {name_, lines_.line(), static_cast<int>(field.column)},
                 "expected {}; found {}", expected, shown_field(said));
      good_ = false;
      return {};
    }
    return found;
  }
  std::optional<double> number(Column column) {
    return value(column, "a number, not below 0", [](std::string_view said) {
      constexpr double kMost = 1e15;
      const auto found = log_number(said);
      return found && *found <= kMost ? found : std::nullopt;
    });
  }
  std::optional<double> date(Column column) {
    return value(column, "seconds, or a date such as 2020-04-07 22:40:00",
                 [](std::string_view said) {
                   const auto seconds = log_number(said);
                   return seconds ? seconds : log_date(said);
                 });
  }

  void read_job() {
    if (lines_.fields().size() != columns_) {
      out_.error({name_, lines_.line(), 1}, "the line has {} fields, the first line {}",
                 lines_.fields().size(), columns_);
      return;
    }
    good_ = true;
    const auto submitted = date(Column::submitted);
    const auto started = date(Column::started);
    const auto ended = date(Column::ended);
    const auto length = number(Column::length);
    JobRow job;
    resources(job);
    if (!good_) return;
    const auto arrival = submitted ? submitted : started;
    const auto begun = started ? started : submitted;
    std::optional<double> work = length;
    if (begun && ended) work = *ended - *begun;
    if (has(Column::started) && !started) return leave_out("never started");
    if (!arrival || !work) return leave_out("not ended");
    if (*work <= 0) return leave_out("no time between start and end");
    job.id = text(Column::id);
    job.user = text(Column::user);
    job.arrival = {*arrival};
    job.work = {*work};
    made_.jobs.push_back(std::move(job));
  }

  void resources(JobRow& job) {
    constexpr double kMiB = 1048576;
    constexpr double kGiB = 1073741824;
    constexpr double kPercent = 100;
    const double instances =
        value(Column::instances, "how many, 1 at least", [](std::string_view said) {
          const auto found = number_from(said, 1, 1e6);
          return found && *found == std::round(*found) ? found : std::nullopt;
        }).value_or(1);
    job.gpus = std::llround(number(Column::gpus).value_or(0));
    job.milli = 1000;
    if (job.gpus == 1)
      if (const auto milli =
              value(Column::gpu_milli, "thousandths of a GPU, from 1 to 1000",
                    [](std::string_view said) { return number_from(said, 1, 1000); }))
        job.milli = std::llround(*milli);
    if (const auto percent = number(Column::gpu_percent)) {
      const double gpus = *percent / kPercent * instances;
      job.gpus = static_cast<std::int64_t>(std::ceil(gpus - 1e-9));
      if (job.gpus == 1) job.milli = std::max<std::int64_t>(1, std::llround(gpus * 1000));
    }
    if (const auto milli = number(Column::cpu_milli)) job.cpu_milli = std::llround(*milli);
    if (const auto cores = number(Column::cores)) job.cpu_milli = std::llround(*cores * 1000);
    if (const auto percent = number(Column::cpu_percent))
      job.cpu_milli = std::llround(*percent / kPercent * instances * 1000);
    if (const auto size = number(Column::memory_MiB)) job.memory = {std::round(*size * kMiB)};
    if (const auto size = number(Column::memory_GiB))
      job.memory = {std::round(*size * kGiB * instances)};
    std::string_view types = text(Column::type);
    while (!types.empty() && job.gpus > 0) {
      const std::size_t end = std::min(types.find('|'), types.size());
      if (end > 0) job.gpu_types.emplace_back(types.substr(0, end));
      types.remove_prefix(std::min(end + 1, types.size()));
    }
  }

  void leave_out(const std::string& reason) { ++made_.left_out[reason]; }

  CsvLines lines_;
  std::string name_;
  Diagnostics& out_;
  std::size_t columns_ = 0;
  std::array<std::optional<std::size_t>, static_cast<std::size_t>(Column::count)> place_;
  bool good_ = true;
  LoggedJobs made_;
};

}  // namespace

bool is_csv_log(std::string_view first_line) {
  CsvLines lines(first_line);
  return lines.next() && std::ranges::any_of(lines.fields(), [](const CsvField& field) {
           const auto column = column_of(field.text);
           return column == Column::submitted || column == Column::started ||
                  column == Column::ended;
         });
}

LoggedJobs parse_csv_log(std::string_view text, const std::string& name, Diagnostics& out) {
  return LogReader(text, name, out).read();
}

}  // namespace gpufeed
