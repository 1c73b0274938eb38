// SPDX-License-Identifier: Apache-2.0
#include "sim/load/csv/access_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "sim/base/files/read_file.h"
#include "sim/load/csv/csv.h"
#include "sim/load/csv/tool_logs.h"
#include "sim/model/fields/enum_names.h"

namespace gpufeed {
namespace {

enum Column { kTime, kFile, kOffset, kBytes, kOp, kColumns };
constexpr Words<kColumns> kNames = words_of<Column>(
    {{kTime, "time"}, {kFile, "file"}, {kOffset, "offset"}, {kBytes, "bytes"}, {kOp, "op"}});
constexpr std::size_t kMaxLog = 1u << 30;

/// What tools call the columns; times in another unit say it in their names.
struct Alias {
  std::string_view name;
  Column column;
  double seconds = 1;  ///< of one unit of a time
};
constexpr std::array kAliases{Alias{"time", kTime},
                              Alias{"time_s", kTime},
                              Alias{"time(s)", kTime},
                              Alias{"timestamp", kTime},
                              Alias{"start", kTime},
                              Alias{"start_time", kTime},
                              Alias{"starttime", kTime},
                              Alias{"ts", kTime},
                              Alias{"time_ms", kTime, 1e-3},
                              Alias{"time(ms)", kTime, 1e-3},
                              Alias{"timestamp_ms", kTime, 1e-3},
                              Alias{"time_us", kTime, 1e-6},
                              Alias{"time(us)", kTime, 1e-6},
                              Alias{"timestamp_us", kTime, 1e-6},
                              Alias{"time_ns", kTime, 1e-9},
                              Alias{"timestamp_ns", kTime, 1e-9},
                              Alias{"file", kFile},
                              Alias{"path", kFile},
                              Alias{"filename", kFile},
                              Alias{"file_name", kFile},
                              Alias{"disk", kFile},
                              Alias{"device", kFile},
                              Alias{"offset", kOffset},
                              Alias{"pos", kOffset},
                              Alias{"offset_bytes", kOffset},
                              Alias{"bytes", kBytes},
                              Alias{"size", kBytes},
                              Alias{"length", kBytes},
                              Alias{"len", kBytes},
                              Alias{"count", kBytes},
                              Alias{"size_bytes", kBytes},
                              Alias{"op", kOp},
                              Alias{"operation", kOp},
                              Alias{"type", kOp},
                              Alias{"rw", kOp},
                              Alias{"r/w", kOp}};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

const Alias* alias_of(std::string_view heading) {
  const auto found = std::ranges::find(kAliases, lower(heading), &Alias::name);
  return found == kAliases.end() ? nullptr : &*found;
}

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return {};
  return value;
}

class LogParser {
 public:
  LogParser(std::string_view text, const std::string& name, Diagnostics& out)
      : lines_(text), name_(name), out_(out) {}

  std::shared_ptr<const AccessLog> parse() {
    if (!lines_.next()) {
      error(0,
            "the file is empty; its first line must name the columns: time, file, offset, bytes "
            "and, where there are writes, op");
      return nullptr;
    }
    read_header();
    constexpr int kMostProblems = 20;
    if (problems_ > 0) return nullptr;
    while (problems_ < kMostProblems && lines_.next()) read_request();
    if (problems_ == 0 && log_->requests.empty())
      error(0, "there are no requests below the header");
    if (problems_ > 0) return nullptr;
    put_in_order();
    return log_;
  }

 private:
  template <class... Args>
  void error(std::size_t column, fmt::format_string<Args...> format, Args&&... args) {
    ++problems_;
    const Location where{name_, column == 0 ? 0 : lines_.line(), static_cast<int>(column)};
    out_.error(where, format, std::forward<Args>(args)...);
  }

  void read_header() {
    const auto& fields = lines_.fields();
    Names absent;
    for (const auto name : kNames)
      if (std::ranges::none_of(fields, [&](const CsvField& f) {
            const Alias* const known = alias_of(f.text);
            return known && kNames[known->column] == name;
          }))
        absent.emplace_back(name);
    Names meant;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (const Alias* const known = alias_of(fields[i].text)) {
        auto& place = place_[known->column];
        if (place) error(fields[i].column, "column \"{}\" stands twice", kNames[known->column]);
        place = i;
        if (known->column == kTime) time_unit_s_ = known->seconds;
      } else if (const auto near = nearest(fields[i].text, absent)) {
        error(fields[i].column, "unknown column {}; did you mean \"{}\"?",
              shown_field(fields[i].text), *near);
        meant.push_back(*near);
      } else {
        log_->not_used.push_back(shown_field(fields[i].text));
      }
    }
    columns_ = fields.size();
    for (const Column needed : {kTime, kFile, kOffset, kBytes})
      if (!place_[needed] && !std::ranges::count(meant, std::string(kNames[needed])))
        error(1,
              "column \"{}\" is missing; the first line must name the columns time, file, offset "
              "and bytes",
              kNames[needed]);
  }

  const CsvField& field(Column column) const { return lines_.fields()[*place_[column]]; }

  void read_request() {
    if (lines_.fields().size() != columns_) {
      error(1, "the line has {} fields, the first line {}", lines_.fields().size(), columns_);
      return;
    }
    AccessRequest request;
    request.time_s = number(kTime, 0.0, 1e12 / time_unit_s_) * time_unit_s_;
    request.offset = number(kOffset, std::int64_t{0}, std::int64_t{1000000000000000000});
    request.bytes = number(kBytes, std::int64_t{1}, std::int64_t{1000000000000});
    if (field(kFile).text.empty()) error(field(kFile).column, "file must be a name; found nothing");
    request.file = file_number(field(kFile).text);
    if (place_[kOp]) request.write = is_write(field(kOp));
    log_->requests.push_back(request);
  }

  template <class T>
  T number(Column column, T least, T most) {
    const CsvField& one = field(column);
    const auto value = number_in<T>(one.text);
    if (value && *value >= least && *value <= most) return *value;
    constexpr bool kWhole = std::is_same_v<T, std::int64_t>;
    error(one.column, "{} must be a {}number from {} to {}{}; found {}", kNames[column],
          kWhole ? "whole " : "", least, most, kWhole ? "" : " seconds", shown_field(one.text));
    return least;
  }

  bool is_write(const CsvField& one) {
    const std::string op = lower(one.text);
    if (op == "write" || op == "w" || op == "pwrite" || op == "pwrite64") return true;
    if (op != "read" && op != "r" && op != "pread" && op != "pread64")
      error(one.column, "op must be read or write; found {}", shown_field(one.text));
    return false;
  }

  std::int32_t file_number(std::string_view name) {
    const auto [it, added] = numbers_.try_emplace(name, log_->files);
    if (added) ++log_->files;
    return it->second;
  }

  void put_in_order() {
    auto& requests = log_->requests;
    std::ranges::stable_sort(requests, {}, &AccessRequest::time_s);
    const double start = requests.front().time_s;
    for (auto& request : requests) request.time_s -= start;
  }

  CsvLines lines_;
  const std::string& name_;
  Diagnostics& out_;
  int problems_ = 0;
  std::size_t columns_ = 0;
  double time_unit_s_ = 1;
  std::array<std::optional<std::size_t>, kColumns> place_;
  std::unordered_map<std::string_view, std::int32_t> numbers_;
  std::shared_ptr<AccessLog> log_ = std::make_shared<AccessLog>();
};

}  // namespace

std::shared_ptr<const AccessLog> parse_access_log(std::string_view text, const std::string& name,
                                                  Diagnostics& out) {
  const auto converted = csv_of_tool_log(text);
  return LogParser(converted ? *converted : text, name, out).parse();
}

AccessSummary summary_of(const AccessLog& log) {
  AccessSummary out;
  std::vector<std::int64_t> end(static_cast<std::size_t>(log.files), -1);
  for (const auto& one : log.requests) {
    ++(one.write ? out.writes : out.reads);
    (one.write ? out.bytes_written : out.bytes_read) += static_cast<double>(one.bytes);
    auto& last = end[static_cast<std::size_t>(one.file)];
    if (one.offset == last) out.sequential_share += 1;
    last = one.offset + one.bytes;
  }
  out.sequential_share /= static_cast<double>(log.requests.size());
  return out;
}

std::shared_ptr<const AccessLog> load_access_log(const std::filesystem::path& file,
                                                 Diagnostics& out) {
  const auto text = read_text_file(file, kMaxLog, out);
  return text ? parse_access_log(*text, file.lexically_normal().string(), out) : nullptr;
}

}  // namespace gpufeed
