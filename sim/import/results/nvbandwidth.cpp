// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/files/paste.h"
#include "sim/base/printable.h"
#include "sim/import/results/json_text.h"
#include "sim/import/results/parts.h"
#include "sim/model/kinds/transfers.h"

namespace gpufeed {
namespace {

/// GB/s by row and column; nothing where a pair was not measured.
using Cells = std::map<std::pair<std::size_t, std::size_t>, double>;

constexpr std::size_t kMostGpus = 1024;

/// A test's name here and the matrix that predicts it. \source  nvbandwidth, testcase.h
struct Predicted {
  std::string test;
  std::string matrix;
};

std::optional<Predicted> predicted(const std::string& name) {
  constexpr std::string_view kByEngine = "_memcpy_ce";
  for (const auto test : EnumNames<TransferTest>::names)
    if (name == std::string(test) + std::string(kByEngine))
      return Predicted{std::string(test), name};
  for (const char* way : {"read", "write"}) {
    if (name == fmt::format("device_to_device_memcpy_{}_ce", way))
      return Predicted{"device_to_device", "device_to_device_memcpy_write_ce"};
    if (name == fmt::format("device_to_device_bidirectional_memcpy_{}_ce", way))
      return Predicted{"device_to_device_bidirectional",
                       "device_to_device_bidirectional_memcpy_write_ce_total"};
  }
  return {};
}

class TransferReader {
 public:
  TransferReader() {
    out_.kind = "transfers";
    out_.mechanism = "copies";
  }

  void take(const std::string& name, const Cells& cells) {
    const auto by = predicted(name);
    if (!by || cells.empty()) {
      out_.left_out.push_back(
          fmt::format("{}: {}", printable(name),
                      by ? "no number of it is told"
                         : "copies by kernels, latencies and one to all are not "
                           "simulated"));
      return;
    }
    MeasuredRun run{name, {fmt::format("workload.tests=[\"{}\"]", by->test)}, {}};
    for (const auto& [place, rate] : cells)
      if (rate > 0)
        run.values.push_back({fmt::format("transfers[{}].bandwidth_Bps[{}][{}]", by->matrix,
                                          place.first, place.second),
                              rate, "GB/s"});
    if (!run.values.empty()) out_.runs.push_back(std::move(run));
  }

  void leave_out(std::string what) { out_.left_out.push_back(std::move(what)); }

  ToolResults finish(Names unread = {}) {
    std::ranges::move(unread, std::back_inserter(out_.left_out));
    return std::move(out_);
  }

 private:
  ToolResults out_;
};

std::optional<std::size_t> index_in(const std::string& word) {
  const auto value = whole_number_text(word);
  if (!value || *value < 0 || *value >= kMostGpus || word.find('.') != std::string::npos) return {};
  return static_cast<std::size_t>(*value);
}

/// "Running NAME.", a title, a row of columns, and a row for each GPU or CPU.
class TransferScreen {
 public:
  TransferScreen(std::string_view text, const std::string& name)
      : text_(text), lines_(text, name), name_(name) {}

  ToolResults read() {
    for (; at_ < lines_.size(); ++at_) read_line(lines_[at_]);
    close();
    return reader_.finish(unread_in_words(lines_));
  }

 private:
  void read_line(const std::string& line) {
    constexpr std::string_view kRunning = "Running ";
    const auto words = split_words(line);
    if (words.empty()) return;
    if (line.starts_with(kRunning) && words.size() > 1) {
      close();
      test_ = words[1];
      if (test_.ends_with('.')) test_.pop_back();
      return lines_.use(at_);
    }
    if (line.find("bandwidth (GB/s)") != std::string::npos || line.ends_with("(ns)"))
      return begin_matrix(line);
    if (words[0] == "SUM") {
      lines_.use(at_);
      return end_matrix();
    }
    if (words[0].starts_with("nvbandwidth") || line.find("ersion") != std::string::npos ||
        words[0] == "Device")
      return lines_.use(at_);
    if (in_matrix_) read_row(words);
  }

  void begin_matrix(const std::string& line) {
    if (test_.empty())
      refuse_results(name_, at_ + 1,
                     "which test this matrix is of must stand above it: \"Running "
                     "host_to_device_memcpy_ce.\"");
    lines_.use(at_);
    columns_.clear();
    in_matrix_ = true;
    // the two parts of what goes both ways are in their sum
    const auto has = [&](const char* part) { return line.find(part) != std::string::npos; };
    part_of_sum_ = has(" Write1 ") || has(" Write2 ") || has(" Read1 ") || has(" Read2 ");
  }

  void end_matrix() {
    in_matrix_ = false;
    columns_.clear();
  }

  void read_row(const std::vector<std::string>& words) {
    std::vector<std::size_t> numbers;
    for (const auto& word : words)
      if (const auto index = index_in(word)) numbers.push_back(*index);
    if (columns_.empty()) {
      if (numbers.size() != words.size()) return;  // lines of a log between
      columns_ = numbers;
      return lines_.use(at_);
    }
    const auto row = index_in(words[0]);
    if (!row) return;
    if (is_cut(text_, lines_, at_)) {
      reader_.leave_out(told_as_cut(lines_, at_));
      return lines_.use(at_);
    }
    if (words.size() != columns_.size() + 1) {
      reader_.leave_out(fmt::format("{}, line {}: {} of {} numbers are in this row of {}", name_,
                                    at_ + 1, words.size() - 1, columns_.size(), test_));
      return lines_.use(at_);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (words[i + 1] == "N/A") continue;
      const auto rate = whole_number_text(words[i + 1]);
      if (!rate || *rate < 0)
        refuse_results(name_, at_ + 1,
                       fmt::format("a bandwidth in GB/s or N/A is expected; found \"{}\"",
                                   printable(words[i + 1])));
      if (!part_of_sum_) cells_[{*row, columns_[i]}] = *rate;
    }
    lines_.use(at_);
  }

  void close() {
    if (!test_.empty()) reader_.take(test_, cells_);
    test_.clear();
    cells_.clear();
    end_matrix();
  }

  std::string_view text_;
  ReportLines lines_;
  const std::string& name_;
  TransferReader reader_;
  std::string test_;
  std::vector<std::size_t> columns_;
  Cells cells_;
  std::size_t at_ = 0;
  bool in_matrix_ = false;
  bool part_of_sum_ = false;
};

/// \source  nvbandwidth, json_output.cpp: numbers are texts, and N/A
Cells cells_of(const nlohmann::json& matrix, std::size_t line, const std::string& name) {
  Cells cells;
  const std::size_t columns =
      matrix.is_array() && !matrix.empty() && matrix[0].is_array() ? matrix[0].size() : 0;
  if (columns == 0 || columns > kMostGpus) return cells;
  // what goes both ways has three matrices, of which the last is the sum
  const std::size_t from = matrix.size() == 3 * columns ? 2 * columns : 0;
  for (std::size_t row = from; row < std::min(matrix.size(), from + kMostGpus); ++row) {
    if (!matrix[row].is_array()) continue;
    for (std::size_t column = 0; column < std::min(matrix[row].size(), columns); ++column) {
      const nlohmann::json& cell = matrix[row][column];
      const std::string text = plain_text(cell);
      if (text == "N/A") continue;
      const auto rate = whole_number_text(text);
      if (!rate || *rate < 0)
        refuse_results(
            name, line,
            fmt::format("a bandwidth in GB/s or N/A is expected; found \"{}\"", printable(text)));
      cells[{row - from, column}] = *rate;
    }
  }
  return cells;
}

ToolResults nvbandwidth_json(std::string_view text, const std::string& name) {
  const auto [root, line] = json_within(text);
  const nlohmann::json main = root.is_object() ? root.value("nvbandwidth", nlohmann::json::object())
                                               : nlohmann::json(nlohmann::json::value_t::discarded);
  if (!main.is_object() || !main.contains("testcases") || !main["testcases"].is_array())
    refuse_results(name, line, "this is not whole JSON of nvbandwidth: \"testcases\" is cut");
  TransferReader reader;
  for (const nlohmann::json& one : main["testcases"]) {
    if (!one.is_object() || !one.contains("name") || !one["name"].is_string()) continue;
    const auto test = one["name"].get<std::string>();
    if (const std::string status = one.value("status", nlohmann::json("")).dump();
        status != "\"Passed\"")
      reader.leave_out(fmt::format("{}: {}", printable(test), printable(status)));
    else
      reader.take(test, cells_of(one.value("bandwidth_matrix", nlohmann::json()), line, name));
  }
  return reader.finish();
}

}  // namespace

ToolResults read_nvbandwidth(std::string_view text, const std::string& name) {
  if (text.find("\"nvbandwidth\"") != std::string_view::npos) return nvbandwidth_json(text, name);
  return TransferScreen(text, name).read();
}

}  // namespace gpufeed
