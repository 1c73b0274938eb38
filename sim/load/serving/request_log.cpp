// SPDX-License-Identifier: Apache-2.0
#include "sim/load/serving/request_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "sim/base/files/read_file.h"
#include "sim/base/nearest.h"
#include "sim/load/csv/csv.h"

namespace gpufeed {
namespace {

using serving::LoggedRequest;

constexpr std::size_t kMostBytes = 1u << 30;
constexpr std::size_t kMostProblems = 20;
constexpr double kMostTime = 1e12;  // s
constexpr double kMillisecond = 1e-3;

enum class Column { timestamp, arrival, input_length, output_length, hash_ids };
constexpr std::array<std::string_view, 5> kColumns{"timestamp", "arrival", "input_length",
                                                   "output_length", "hash_ids"};

std::optional<Column> column_of(std::string_view name) {
  const auto found = std::ranges::find(kColumns, name);
  if (found == kColumns.end()) return {};
  return static_cast<Column>(found - kColumns.begin());
}

/// What a line says; what it does not say is missing.
struct Line {
  std::array<std::optional<double>, kColumns.size()> number;
  std::vector<std::int64_t> blocks;

  std::optional<double>& operator[](Column one) { return number[static_cast<std::size_t>(one)]; }
};

class Lines {
 public:
  Lines(const std::string& name, Diagnostics& out) : name_(name), out_(out) {}

  bool may_go_on() const { return problems_ < kMostProblems; }
  template <class... Args>
  void wrong(int line, std::size_t column, fmt::format_string<Args...> format, Args&&... args) {
    if (problems_++ < kMostProblems)
      out_.error({name_, line, static_cast<int>(column)}, format, std::forward<Args>(args)...);
  }

  void add(Line& line, int number) {
    const auto& time = line[Column::timestamp] ? line[Column::timestamp] : line[Column::arrival];
    if (!time) return wrong(number, 1, "there is no timestamp (ms), and no arrival (s)");
    const double at = *time * (line[Column::timestamp] ? kMillisecond : 1);
    if (!(std::abs(at) <= kMostTime)) return wrong(number, 1, "{} s is no date", at);
    LoggedRequest request{at};
    if (!tokens(line, Column::input_length, number, request.prompt)) return;
    if (!tokens(line, Column::output_length, number, request.answer)) return;
    request.blocks = std::move(line.blocks);
    requests_.push_back(std::move(request));
  }

  std::vector<LoggedRequest> take() {
    if (requests_.empty() && problems_ == 0)
      wrong(1, 1, "there are no requests; a line is such as {}",
            R"({"timestamp": 0, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1]})");
    std::ranges::stable_sort(requests_, {}, &LoggedRequest::at);
    if (!requests_.empty())
      for (const double first = requests_.front().at; LoggedRequest & one : requests_)
        one.at -= first;
    return std::move(requests_);
  }

 private:
  bool tokens(Line& line, Column column, int number, std::int64_t& value) {
    const auto name = kColumns[static_cast<std::size_t>(column)];
    const std::optional<double> told = line[column];
    if (!told) {
      wrong(number, 1, "{} is missing", name);
      return false;
    }
    if (!(*told >= 1 && *told <= static_cast<double>(serving::kMostTokens)) ||
        *told != std::floor(*told)) {
      wrong(number, 1, "{} must be a whole number from 1 to {}; found {}", name,
            serving::kMostTokens, *told);
      return false;
    }
    value = static_cast<std::int64_t>(*told);
    return true;
  }

  std::string name_;
  Diagnostics& out_;
  std::size_t problems_ = 0;
  std::vector<LoggedRequest> requests_;
};

/// One object of JSON on one line, from an untrusted source. What the log does not need is passed
/// over.
class ObjectReader {
 public:
  explicit ObjectReader(std::string_view text) : text_(text) {}

  std::size_t column() const { return at_ + 1; }

  bool read(Line& line) {
    if (!take('{')) return false;
    if (take('}')) return is_at_end();
    do {
      const auto key = string();
      if (!key || !take(':')) return false;
      const auto column = column_of(*key);
      if (column == Column::hash_ids ? !list(line.blocks)
          : column                   ? !number(line[*column])
                                     : !skip(0))
        return false;
    } while (take(','));
    return take('}') && is_at_end();
  }

 private:
  void pass_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool is_at_end() {
    pass_blanks();
    return at_ == text_.size();
  }
  bool take(char c) {
    pass_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::optional<std::string_view> string() {
    if (!take('"')) return {};
    const std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    if (at_ >= text_.size()) return {};
    return text_.substr(begin, at_++ - begin);
  }
  template <class T>
  bool value(T& out) {
    pass_blanks();
    const char* const begin = text_.data() + at_;
    const auto [rest, error] = std::from_chars(begin, text_.data() + text_.size(), out);
    if (error != std::errc{}) return false;
    at_ += static_cast<std::size_t>(rest - begin);
    return true;
  }
  bool number(std::optional<double>& out) { return value(out.emplace()); }
  bool list(std::vector<std::int64_t>& out) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do
      if (!value(out.emplace_back())) return false;
    while (take(','));
    return take(']');
  }
  bool skip(int depth) {
    constexpr int kDeepest = 32;
    if (depth > kDeepest) return false;
    pass_blanks();
    if (at_ >= text_.size()) return false;
    if (text_[at_] == '"') return string().has_value();
    const bool is_object = text_[at_] == '{';
    if (is_object || text_[at_] == '[') {
      ++at_;
      if (take(is_object ? '}' : ']')) return true;
      do {
        if (is_object && (!string() || !take(':'))) return false;
        if (!skip(depth + 1)) return false;
      } while (take(','));
      return take(is_object ? '}' : ']');
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::string_view(",]} \t\r").find(text_[at_]) == std::string::npos)
      ++at_;
    return at_ > begin;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void read_json(std::string_view text, Lines& lines) {
  int number = 0;
  for (std::size_t at = 0; at < text.size() && lines.may_go_on();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view own = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (own.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Line line;
    ObjectReader reader(own);
    if (reader.read(line))
      lines.add(line, number);
    else
      lines.wrong(number, reader.column(),
                  "this is no object of JSON with numbers for {}, {}, {} "
                  "and a list of whole numbers for {}",
                  kColumns[0], kColumns[2], kColumns[3], kColumns[4]);
  }
}

bool read_blocks(std::string_view text, std::vector<std::int64_t>& out) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (*at == ' ' || *at == '|') {
      ++at;
      continue;
    }
    const auto [rest, error] = std::from_chars(at, end, out.emplace_back());
    if (error != std::errc{}) return false;
    at = rest;
  }
  return true;
}

void read_csv(std::string_view text, Lines& lines) {
  CsvLines csv(text);
  if (!csv.next()) return;
  std::vector<Column> columns;
  const Names known(kColumns.begin(), kColumns.end());
  for (const CsvField& field : csv.fields()) {
    if (const auto column = column_of(field.text))
      columns.push_back(*column);
    else
      lines.wrong(csv.line(), field.column, "unknown column {}; {}", shown_field(field.text),
                  suggestion(std::string(field.text), known));
  }
  if (columns.size() != csv.fields().size()) return;
  while (csv.next() && lines.may_go_on()) {
    Line line;
    if (csv.fields().size() != columns.size()) {
      lines.wrong(csv.line(), 1, "the line has {} fields, the first line {}", csv.fields().size(),
                  columns.size());
      continue;
    }
    bool is_good = true;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const CsvField& field = csv.fields()[i];
      double value = 0;
      const char* const end = field.text.data() + field.text.size();
      const auto [rest, error] = std::from_chars(field.text.data(), end, value);
      const bool fits = columns[i] == Column::hash_ids ? read_blocks(field.text, line.blocks)
                                                       : error == std::errc{} && rest == end;
      if (fits && columns[i] != Column::hash_ids) line[columns[i]] = value;
      if (!fits)
        lines.wrong(csv.line(), field.column, "{} must be a number; found {}",
                    kColumns[static_cast<std::size_t>(columns[i])], shown_field(field.text));
      is_good = is_good && fits;
    }
    if (is_good) lines.add(line, csv.line());
  }
}

}  // namespace

std::vector<LoggedRequest> parse_request_log(std::string_view text, const std::string& name,
                                             Diagnostics& out) {
  Lines lines(name, out);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{')
    read_json(text, lines);
  else
    read_csv(text, lines);
  return lines.take();
}

std::vector<LoggedRequest> load_request_log(const std::filesystem::path& file, Diagnostics& out) {
  const auto text = read_text_file(file, kMostBytes, out);
  if (!text) return {};
  return parse_request_log(*text, file.lexically_normal().string(), out);
}

}  // namespace gpufeed
