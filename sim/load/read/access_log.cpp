// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/access_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "sim/load/read/text_input.h"

namespace gpufeed {
namespace {

enum Column { kTime, kFile, kOffset, kBytes, kOp, kColumns };
constexpr std::array<std::string_view, kColumns> kNames{"time", "file", "offset", "bytes", "op"};
constexpr std::size_t kMaxLog = 1u << 30;

struct Field {
  std::string_view text;  ///< without quotation marks; doubled ones within stay doubled
  std::size_t column = 1;
};

/// For messages: a log may hold any bytes.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 100;
  std::string out(text.substr(0, kMost));
  for (char& c : out)
    if (c < 0x20 || c > 0x7E) c = '?';
  return in_quotes(out);
}

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return {};
  return value;
}

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

class LogParser {
 public:
  LogParser(std::string_view text, const std::string& name, Diagnostics& out)
      : rest_(text), name_(name), out_(out) {}

  std::shared_ptr<const AccessLog> parse() {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    if (!next_line()) {
      error(0,
            "the file is empty; its first line must name the columns: time, file, offset, bytes "
            "and, where there are writes, op");
      return nullptr;
    }
    read_header();
    constexpr int kMostProblems = 20;
    if (problems_ > 0) return nullptr;
    while (problems_ < kMostProblems && next_line()) read_request();
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
    const Location where{name_, column == 0 ? 0 : line_, static_cast<int>(column)};
    out_.error(where, format, std::forward<Args>(args)...);
  }

  /// Goes to the next line that is not blank.
  bool next_line() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!without_spaces(line).empty()) return split(line);
    }
    return false;
  }

  bool split(std::string_view line) {
    fields_.clear();
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t start = at;
      if (line.substr(at).starts_with('"')) {
        std::size_t end = at + 1;
        while (end < line.size() && (line[end] != '"' || line.substr(end).starts_with("\"\"")))
          end += line[end] == '"' ? 2U : 1U;
        end = std::min(end, line.size());
        fields_.push_back({line.substr(at + 1, end - at - 1), start + 1});
        at = std::min(line.find(',', end), line.size()) + 1;
      } else {
        const std::size_t end = std::min(line.find(',', at), line.size());
        fields_.push_back({without_spaces(line.substr(at, end - at)), start + 1});
        at = end + 1;
      }
    }
    return true;
  }

  void read_header() {
    Names absent;
    for (const auto name : kNames)
      if (std::ranges::none_of(fields_, [&](const Field& f) { return f.text == name; }))
        absent.emplace_back(name);
    Names meant;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const auto it = std::ranges::find(kNames, fields_[i].text);
      if (it != kNames.end()) {
        auto& place = place_[static_cast<std::size_t>(it - kNames.begin())];
        if (place) error(fields_[i].column, "column \"{}\" stands twice", *it);
        place = i;
      } else if (const auto near = nearest(fields_[i].text, absent)) {
        error(fields_[i].column, "unknown column {}; did you mean \"{}\"?", shown(fields_[i].text),
              *near);
        meant.push_back(*near);
      } else {
        log_->not_used.push_back(shown(fields_[i].text));
      }
    }
    columns_ = fields_.size();
    for (const Column needed : {kTime, kFile, kOffset, kBytes})
      if (!place_[needed] && !std::ranges::count(meant, std::string(kNames[needed])))
        error(1,
              "column \"{}\" is missing; the first line must name the columns time, file, offset "
              "and bytes",
              kNames[needed]);
  }

  const Field& field(Column column) const { return fields_[*place_[column]]; }

  void read_request() {
    if (fields_.size() != columns_) {
      error(1, "the line has {} fields, the first line {}", fields_.size(), columns_);
      return;
    }
    AccessRequest request;
    request.time_s = number(kTime, 0.0, 1e12);
    request.offset = number(kOffset, std::int64_t{0}, std::int64_t{1000000000000000000});
    request.bytes = number(kBytes, std::int64_t{1}, std::int64_t{1000000000000});
    if (field(kFile).text.empty()) error(field(kFile).column, "file must be a name; found nothing");
    request.file = file_number(field(kFile).text);
    if (place_[kOp]) request.write = is_write(field(kOp));
    log_->requests.push_back(request);
  }

  template <class T>
  T number(Column column, T least, T most) {
    const Field& one = field(column);
    const auto value = number_in<T>(one.text);
    if (value && *value >= least && *value <= most) return *value;
    constexpr bool kWhole = std::is_same_v<T, std::int64_t>;
    error(one.column, "{} must be a {}number from {} to {}{}; found {}", kNames[column],
          kWhole ? "whole " : "", least, most, kWhole ? "" : " seconds", shown(one.text));
    return least;
  }

  bool is_write(const Field& one) {
    if (one.text == "write" || one.text == "w" || one.text == "W") return true;
    if (one.text != "read" && one.text != "r" && one.text != "R")
      error(one.column, "op must be read or write; found {}", shown(one.text));
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

  std::string_view rest_;
  const std::string& name_;
  Diagnostics& out_;
  int line_ = 0;
  int problems_ = 0;
  std::size_t columns_ = 0;
  std::vector<Field> fields_;
  std::array<std::optional<std::size_t>, kColumns> place_;
  std::unordered_map<std::string_view, std::int32_t> numbers_;
  std::shared_ptr<AccessLog> log_ = std::make_shared<AccessLog>();
};

}  // namespace

std::shared_ptr<const AccessLog> parse_access_log(std::string_view text, const std::string& name,
                                                  Diagnostics& out) {
  return LogParser(text, name, out).parse();
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
