// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/files/paste.h"
#include "sim/base/printable.h"
#include "sim/import/results/json_text.h"
#include "sim/import/results/parts.h"

namespace gpufeed {
namespace {

constexpr double kMebi = 1048576;

/// A test of IOR: its options by their names in the output, and what each repetition reached.
/// \source  IOR, src/ior-output.c
struct Test {
  std::map<std::string, std::string> options;
  std::string command;
  std::map<std::string, std::vector<double>> bandwidth;  ///< MiB/s, by "write" and "read"
  std::map<std::string, std::vector<double>> iops;
  std::size_t line = 0;
};

class IorReader {
 public:
  explicit IorReader(const std::string& name) : name_(name) {
    out_.kind = "io";
    out_.mechanism = "reading and writing";
  }

  void take(const Test& test) {
    if (test.bandwidth.empty()) return;
    for (const char* needed : {"xfersize", "tasks"})
      if (!test.options.contains(needed))
        refuse_results(name_, test.line,
                       fmt::format("\"{}\" is not told: the options that IOR prints above its "
                                   "results (Options:) must be in the text",
                                   needed));
    for (const auto& [access, rates] : test.bandwidth) add(test, access, rates);
  }

  ToolResults finish(Names unread) {
    std::ranges::move(unread, std::back_inserter(out_.left_out));
    return std::move(out_);
  }

 private:
  void add(const Test& test, const std::string& access, const std::vector<double>& rates) {
    IoRun run;
    run.line = test.line;
    run.writes = access == "write";
    const auto tasks = number(test, "tasks").value_or(1);
    const auto each = number(test, "clients per node").value_or(tasks);
    run.hosts = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(number(test, "nodes").value_or(tasks / std::max(each, 1.0))));
    run.io.jobs = static_cast<std::int64_t>(std::ceil(tasks / static_cast<double>(run.hosts)));
    run.io.block_size = {size(test, "xfersize")};
    run.io.engine = IoEngine::psync;
    run.io.direct = test.command.find("odirect") != std::string::npos ||
                    test.command.find(" -B") != std::string::npos;
    const auto order = test.options.find("ordering in a file");
    const bool random = order != test.options.end() && order->second.starts_with("random");
    run.io.pattern = random ? AccessPattern::random : AccessPattern::sequential;
    const auto files = test.options.find("access");
    const double segments = number(test, "segments").value_or(1);
    if (files != test.options.end() && files->second == "file-per-process" &&
        test.options.contains("blocksize"))
      run.io.file_size =
          Bytes{std::max(size(test, "blocksize") * segments, run.io.block_size.value)};
    run.Bps = mean(rates) * kMebi;
    if (rates.size() > 1) run.spread_Bps = deviation(rates) * kMebi;
    if (const auto iops = test.iops.find(access); iops != test.iops.end() && !iops->second.empty())
      run.iops = mean(iops->second);
    if (!(run.Bps > 0)) return;
    add_run(out_, run, name_);
  }

  static double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  static double deviation(const std::vector<double>& values) {
    double squares = 0;
    for (const double value : values) squares += (value - mean(values)) * (value - mean(values));
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
  }

  std::optional<double> number(const Test& test, const std::string& key) const {
    const auto found = test.options.find(key);
    if (found == test.options.end()) return {};
    constexpr double kMost = 1e9;
    const auto value = whole_number_text(found->second);
    if (!value || *value < 0 || *value > kMost)
      refuse_results(
          name_, test.line,
          fmt::format("\"{}\" must be a number; found \"{}\"", key, printable(found->second)));
    return value;
  }
  double size(const Test& test, const std::string& key) const {
    const auto value = size_text_bytes(test.options.at(key));
    if (!value)
      refuse_results(
          name_, test.line,
          fmt::format("\"{}\" must be a size; found \"{}\"", key, printable(test.options.at(key))));
    return *value;
  }

  const std::string& name_;
  ToolResults out_;
};

/// "xfersize            : 1 MiB": its two parts.
std::optional<std::pair<std::string, std::string>> option_in(const std::string& line) {
  const std::size_t colon = line.find(": ");
  const bool empty = line.ends_with(':');
  if (colon == std::string::npos && !empty) return {};
  const std::size_t at = colon == std::string::npos ? line.size() - 1 : colon;
  return std::pair{std::string(trimmed(std::string_view(line).substr(0, at))),
                   std::string(trimmed(std::string_view(line).substr(at + 1)))};
}

/// The screen of IOR 3 and 4: options, then a row for each repetition of writing and reading.
class IorScreen {
 public:
  IorScreen(std::string_view text, const std::string& name)
      : lines_(text, name), name_(name), reader_(name) {}

  ToolResults read() {
    for (; at_ < lines_.size(); ++at_) read_line(lines_[at_]);
    reader_.take(test_);
    return reader_.finish(unread_in_words(lines_));
  }

 private:
  void read_line(const std::string& line) {
    const auto words = split_words(line);
    if (words.empty()) return;
    if (words[0] == "access" && words.size() > 2 && words[1].starts_with("bw(")) {
      heading_ = words;
      if (test_.line == 0) test_.line = at_ + 1;
      return lines_.use(at_);
    }
    if ((words[0] == "write" || words[0] == "read") && words.size() > 1 && !in_summary_)
      return read_row(words);
    if (line.starts_with("Summary of all tests") || line.starts_with("Max Write") ||
        line.starts_with("Max Read") || words[0] == "Operation")
      in_summary_ = in_summary_ || line.starts_with("Summary");
    if (line.starts_with("IOR-") || line.starts_with("Began")) begin();
    const auto option = option_in(line);
    const bool known = in_summary_ || (option && heading_.empty()) || words[0].starts_with("---") ||
                       words[0] == "remove" || line.starts_with("IOR-") ||
                       line.starts_with("Max ") || line.starts_with("Results");
    if (!known) return;
    lines_.use(at_);
    if (!option || in_summary_ || !heading_.empty()) return;
    if (option->first == "Command line") test_.command = option->second;
    test_.options[option->first] = option->second;
  }

  /// Another run of it in the same text.
  void begin() {
    if (test_.bandwidth.empty()) return;
    reader_.take(test_);
    test_ = {};
    heading_.clear();
    in_summary_ = false;
  }

  void read_row(const std::vector<std::string>& words) {
    if (heading_.empty())
      refuse_results(name_, at_ + 1,
                     "the heading of the columns (access bw(MiB/s) ...) must stand above this row");
    if (words.size() < heading_.size())
      refuse_results(name_, at_ + 1,
                     fmt::format("{} columns are named, and {} are in this row: is it cut?",
                                 heading_.size(), words.size()));
    for (std::size_t i = 1; i < heading_.size(); ++i) {
      const bool bandwidth = heading_[i].starts_with("bw(");
      if (!bandwidth && heading_[i] != "IOPS") continue;
      const auto value = whole_number_text(words[i]);
      if (!value || *value < 0)
        refuse_results(
            name_, at_ + 1,
            fmt::format("{} must be a number; found \"{}\"", heading_[i], printable(words[i])));
      (bandwidth ? test_.bandwidth : test_.iops)[words[0]].push_back(*value);
    }
    lines_.use(at_);
  }

  ReportLines lines_;
  const std::string& name_;
  IorReader reader_;
  Test test_;
  std::vector<std::string> heading_;
  std::size_t at_ = 0;
  bool in_summary_ = false;
};

/// JSON of IOR 3.3 and later (-O summaryFormat=JSON), with whatever stands around it.
ToolResults ior_json(std::string_view text, const std::string& name) {
  const auto [root, line] = json_within(text);
  if (root.is_discarded() || !root.contains("tests") || !root["tests"].is_array())
    refuse_results(name, line, "this is not whole JSON of IOR: \"tests\" is cut or damaged");
  IorReader reader(name);
  for (const nlohmann::json& one : root["tests"]) {
    Test test;
    test.line = line;
    if (root.contains("Command line")) test.command = plain_text(root["Command line"]);
    const nlohmann::json options =
        one.is_object() ? one.value("Options", nlohmann::json::object()) : nlohmann::json();
    if (options.is_object())
      for (const auto& [key, value] : options.items()) test.options[key] = plain_text(value);
    // some versions have the results within the options
    nlohmann::json results =
        one.is_object() ? one.value("Results", nlohmann::json()) : nlohmann::json();
    if (!results.is_array() && options.is_object())
      results = options.value("Results", nlohmann::json());
    if (!results.is_array()) continue;
    for (const nlohmann::json& row : results) {
      if (!row.is_object() || !row.contains("access") || !row.contains("bwMiB")) continue;
      const std::string access = plain_text(row["access"]);
      if (access != "write" && access != "read") continue;
      for (const auto& [key, list] : {std::pair{"bwMiB", &test.bandwidth}, {"iops", &test.iops}})
        if (row.contains(key))
          if (const auto value = whole_number_text(plain_text(row[key])); value && *value >= 0)
            (*list)[access].push_back(*value);
    }
    reader.take(test);
  }
  return reader.finish({});
}

}  // namespace

ToolResults read_ior(std::string_view text, const std::string& name) {
  if (text.find("\"bwMiB\"") != std::string_view::npos) return ior_json(text, name);
  return IorScreen(text, name).read();
}

}  // namespace gpufeed
