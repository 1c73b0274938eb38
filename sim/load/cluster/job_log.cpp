// SPDX-License-Identifier: Apache-2.0
#include "sim/load/cluster/job_log.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/ranges.h>

#include "sim/base/files/read_file.h"
#include "sim/base/nearest.h"
#include "sim/load/cluster/in_range.h"
#include "sim/load/csv/csv.h"

namespace gpufeed {
namespace {

using cluster::JobRow;

constexpr std::size_t kMostBytes = 1u << 30;
constexpr char kApart = '|';

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return {};
  return value;
}

/// What a field says, in the form of a key; false where it does not have that form.
bool take(std::string_view text, std::int64_t& value) {
  const auto number = number_in<double>(text);  // "8.0" is whole, too
  if (!number || *number != std::floor(*number) || std::abs(*number) > 9e15) return false;
  value = static_cast<std::int64_t>(*number);
  return true;
}
bool take(std::string_view text, double& value) {
  const auto number = number_in<double>(text);
  if (!number || !std::isfinite(*number)) return false;
  value = *number;
  return true;
}
bool take(std::string_view text, bool& value) {
  value = text == "true" || text == "1";
  return value || text == "false" || text == "0";
}
bool take(std::string_view text, std::string& value) {
  value.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    value += text[i];
    if (text.substr(i).starts_with("\"\"")) ++i;
  }
  return true;
}
bool take(std::string_view text, std::vector<std::string>& value) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(kApart, at), text.size());
    take(text.substr(at, end - at), value.emplace_back());
    at = end + 1;
  }
  return true;
}
template <class Unit>
bool take(std::string_view text, Quantity<Unit>& value) {
  if (take(text, value.value)) return true;
  const auto with_unit = parse_quantity<Unit>(text);
  if (with_unit) value = *with_unit;
  return with_unit.has_value();
}
template <class T>
bool take(std::string_view text, std::optional<T>& value) {
  return take(text, value.emplace());
}

class LogParser {
 public:
  LogParser(std::string_view text, const Location& before, Diagnostics& out)
      : lines_(text), before_(before), out_(out) {}

  std::vector<JobRow> parse() {
    if (!lines_.next()) {
      out_.error(before_, "there are no jobs; the first line must name the columns, such as {}",
                 "id,arrival,gpus,work,estimate");
      return {};
    }
    if (read_header())
      while (lines_.next()) read_job();
    return std::move(jobs_);
  }

 private:
  Location here(std::size_t column) const {
    return {before_.file, before_.line + lines_.line(), static_cast<int>(column)};
  }

  bool read_header() {
    const std::size_t before = out_.count();
    Names known;
    for_each_field<JobRow>([&](const auto& field) { known.emplace_back(field.name); });
    place_.resize(known.size());
    for (std::size_t i = 0; i < lines_.fields().size(); ++i) {
      const CsvField& field = lines_.fields()[i];
      const auto found = std::ranges::find(known, field.text);
      if (found == known.end()) {
        out_.error(ProblemCode::unknown_key, here(field.column), "unknown column {}; {}",
                   shown_field(field.text), suggestion(std::string(field.text), known));
        continue;
      }
      auto& place = place_[static_cast<std::size_t>(found - known.begin())];
      if (place)
        out_.error(ProblemCode::conflict, here(field.column), "column \"{}\" stands twice", *found);
      place = i;
    }
    columns_ = lines_.fields().size();
    std::size_t number = 0;
    for_each_field<JobRow>([&](const auto& field) {
      if (field.required && !place_[number] && out_.count() == before)
        out_.error(ProblemCode::missing_key, here(1), "column \"{}\" is missing", field.name);
      ++number;
    });
    return out_.count() == before;
  }

  void read_job() {
    if (lines_.fields().size() != columns_) {
      out_.error(here(1), "the line has {} fields, the first line {}", lines_.fields().size(),
                 columns_);
      return;
    }
    JobRow row;
    row.where = here(1);
    std::size_t number = 0;
    for_each_member(row, [&](const auto& rule, auto& member) {
      if (const auto place = place_[number++]) read_field(lines_.fields()[*place], rule, member);
    });
    jobs_.push_back(std::move(row));
  }

  template <class M>
  void read_field(const CsvField& field, const Rule<M>& rule, M& member) {
    if (field.text.empty() && !rule.required) return;
    if (take(field.text, member) && in_range(rule, member)) return;
    out_.error(ProblemCode::out_of_range, here(field.column), "{} must be {}; found {}", rule.name,
               expected(rule), shown_field(field.text));
  }

  CsvLines lines_;
  Location before_;
  Diagnostics& out_;
  std::size_t columns_ = 0;
  std::vector<std::optional<std::size_t>> place_;  ///< of each key of a job
  std::vector<JobRow> jobs_;
};

std::string csv_of(const std::string& text) {
  if (text.find_first_of(",\" ") == std::string::npos && !text.empty()) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}
std::string csv_of(double value) { return fmt::format("{}", value); }
std::string csv_of(std::int64_t value) { return std::to_string(value); }
std::string csv_of(bool value) { return value ? "true" : "false"; }
template <class Unit>
std::string csv_of(Quantity<Unit> value) {
  return csv_of(value.value);
}
std::string csv_of(const std::vector<std::string>& list) {
  return csv_of(fmt::format("{}", fmt::join(list, std::string(1, kApart))));
}
template <class T>
std::string csv_of(const std::optional<T>& value) {
  return value ? csv_of(*value) : "";
}

}  // namespace

std::vector<JobRow> parse_job_log(std::string_view text, const Location& before, Diagnostics& out) {
  return LogParser(text, before, out).parse();
}

std::vector<JobRow> load_job_log(const std::filesystem::path& file, Diagnostics& out) {
  const auto text = read_text_file(file, kMostBytes, out);
  if (!text) return {};
  return parse_job_log(*text, {file.lexically_normal().string(), 0, 0}, out);
}

std::string job_log_text(const std::vector<JobRow>& jobs) {
  const JobRow fresh;
  Names names;
  std::vector<char> wanted;
  JobRow::fields([&](const auto& field) {
    const bool all_standard = std::ranges::all_of(
        jobs, [&](const JobRow& job) { return job.*field.member == fresh.*field.member; });
    wanted.push_back(field.required || !all_standard);
    if (wanted.back() != 0) names.emplace_back(field.name);
  });
  std::string out = fmt::format("{}\n", fmt::join(names, ","));
  for (const JobRow& job : jobs) {
    Names cells;
    std::size_t number = 0;
    JobRow::fields([&](const auto& field) {
      if (wanted[number++] == 0) return;
      const bool standard = !field.required && job.*field.member == fresh.*field.member;
      cells.push_back(standard ? "" : csv_of(job.*field.member));
    });
    out += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return out;
}

}  // namespace gpufeed
