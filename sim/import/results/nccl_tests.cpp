// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/base/files/paste.h"
#include "sim/base/printable.h"
#include "sim/import/results/parts.h"
#include "sim/model/kinds/collective.h"

namespace gpufeed {
namespace {

/// One line of numbers, out of place. \source  nccl-tests, doc/PERFORMANCE.md
struct Row {
  double size_B = 0;
  double time_us = 0;
  double algorithm_GBps = 0;
  double bus_GBps = 0;
  std::string reduction;  ///< "sum", "none"
  std::size_t line = 0;
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOperations{
    {{"all_reduce_perf", "all-reduce"},
     {"all_gather_perf", "all-gather"},
     {"reduce_scatter_perf", "reduce-scatter"},
     {"alltoall_perf", "all-to-all"}}};

class CollectiveReader {
 public:
  CollectiveReader(std::string_view text, const std::string& name)
      : lines_(text, name), name_(name) {
    out_.kind = "collective";
    out_.mechanism = "collectives, less than 64 MiB";
  }

  ToolResults read() {
    for (; at_ < lines_.size(); ++at_) read_line(lines_[at_]);
    close();
    out_.left_out.emplace_back("times in place: those out of place are taken");
    std::ranges::move(unread_in_words(lines_), std::back_inserter(out_.left_out));
    return std::move(out_);
  }

 private:
  void read_line(const std::string& line) {
    if (const std::string program = program_in(line); !program.empty()) {
      if (program != program_) {
        close();
        hosts_.clear();
        ranks_ = 0;
      }
      program_ = program;
      lines_.use(at_);
    }
    const auto words = split_words(line);
    if (words.empty()) return;
    if (line.starts_with('#')) {
      lines_.use(at_);
      return read_comment(words);
    }
    read_row(words);
  }

  /// "all_reduce_perf" of "./build/all_reduce_perf -b 8", or of "all_reduce_perf_mpi".
  static std::string program_in(const std::string& line) {
    constexpr std::array kPrograms{"all_reduce_perf", "all_gather_perf", "reduce_scatter_perf",
                                   "alltoall_perf",   "alltoallv_perf",  "broadcast_perf",
                                   "reduce_perf",     "sendrecv_perf",   "gather_perf",
                                   "scatter_perf",    "hypercube_perf"};
    for (const char* program : kPrograms)
      if (line.find(program) != std::string::npos) return program;
    return "";
  }

  void read_comment(const std::vector<std::string>& words) {
    if (words.size() > 5 && words[1] == "Rank") {
      const auto on = std::ranges::find(words, "on");
      if (on != words.end() && on + 1 != words.end()) {
        if (!rows_.empty()) {  // those of another run
          close();
          hosts_.clear();
          ranks_ = 0;
        }
        hosts_.insert(*(on + 1));
        ++ranks_;
      }
    }
    for (std::size_t i = 1; i + 1 < words.size(); ++i)
      if (words[i] == "nThread" || words[i] == "nGpus") {
        const auto count = whole_number_text(words[i + 1]);
        (words[i] == "nGpus" ? gpus_ : threads_) = count.value_or(1);
      }
    if (std::ranges::count(words, "busbw") > 0) heading_.assign(words.begin() + 1, words.end());
  }

  std::size_t place_of(const char* column, std::size_t standard) const {
    const auto found = std::ranges::find(heading_, column);
    return found == heading_.end() ? standard : static_cast<std::size_t>(found - heading_.begin());
  }

  void read_row(const std::vector<std::string>& words) {
    // another program's line between them
    if (words.size() < 6 || !whole_number_text(words[0]) || !whole_number_text(words[1])) return;
    const std::size_t time = place_of("time", 5);
    const std::size_t bus = place_of("busbw", 7);
    if (words.size() <= bus + 1) {  // behind it: how many results were wrong
      out_.left_out.push_back(told_as_cut(lines_, at_));
      return lines_.use(at_);
    }
    Row row;
    row.line = at_ + 1;
    row.size_B = *whole_number_text(words[0]);
    row.reduction = words[3];
    for (const auto& [value, at] : {std::pair{&row.time_us, time},
                                    {&row.algorithm_GBps, place_of("algbw", 6)},
                                    {&row.bus_GBps, bus}}) {
      const auto number = whole_number_text(words[at]);
      if (!number || *number < 0)
        refuse_results(name_, at_ + 1,
                       fmt::format("time, algbw and busbw must be numbers; found \"{}\"",
                                   printable(words[at])));
      *value = *number;
    }
    lines_.use(at_);
    if (whole_number_text(words[bus + 1]).value_or(0) >= 1)
      out_.left_out.push_back(
          fmt::format("{}, line {}: {} wrong results", name_, at_ + 1, words[bus + 1]));
    else if (row.size_B > 0 && row.time_us > 0)
      rows_.push_back(row);
  }

  std::string operation() const {
    for (const auto& [program, name] : kOperations)
      if (program_ == program) return std::string(name);
    return "";
  }

  /// By the bytes that each rank must send, where no line names the test.
  std::string guessed() const {
    const double n = ranks();
    const auto largest = std::ranges::max_element(rows_, {}, &Row::size_B);
    if (largest->algorithm_GBps <= 0 || n < 2 || largest->reduction == "none") return "";
    const double factor = largest->bus_GBps / largest->algorithm_GBps;
    constexpr double kRounding = 0.03;
    if (std::abs(factor * n / (2 * (n - 1)) - 1) < kRounding) return "all-reduce";
    return std::abs(factor * n / (n - 1) - 1) < kRounding ? "reduce-scatter" : "";
  }

  /// A process has `threads_ * gpus_`: fewer lines of ranks have lost some.
  double ranks() const { return std::max(static_cast<double>(ranks_), threads_ * gpus_); }

  void close() {
    if (rows_.empty()) return;
    if (ranks() < 1)
      refuse_results(name_, rows_.front().line,
                     "which GPUs took part is not told: lines such as \"#  Rank  0 Group  0 Pid "
                     "1 on node1 device  0\" or \"# nThread 1 nGpus 8\" stand above the rows");
    if (static_cast<double>(ranks_) < ranks())
      assume(out_, fmt::format("{} GPUs of one machine took part: not all lines of ranks are there",
                               ranks()));
    const std::string name = program_.empty() ? guessed() : operation();
    if (program_.empty() && name.empty())
      refuse_results(name_, rows_.front().line,
                     "which collective this is, is not told: put the command above the rows, such "
                     "as \"# Collective test starting: all_gather_perf\"");
    if (name.empty())
      out_.left_out.push_back(
          fmt::format("{}: all_reduce, all_gather, reduce_scatter and alltoall are simulated",
                      printable(program_)));
    else
      for (const Row& row : rows_) add(row, name);
    rows_.clear();
  }

  void add(const Row& row, const std::string& operation) {
    const auto nodes = static_cast<double>(std::max<std::size_t>(1, hosts_.size()));
    const double gpus = ranks() / nodes;
    if (gpus != std::floor(gpus))
      refuse_results(name_, row.line,
                     fmt::format("{} ranks on {} hosts: as many on each are simulated", ranks(),
                                 hosts_.size()));
    MeasuredRun run;
    run.title = fmt::format("{} of {} by {} GPUs", operation, binary_size(row.size_B), ranks());
    run.set = {fmt::format("workload.operations=[\"{}\"]", operation),
               fmt::format("workload.gpus={}", gpus),
               fmt::format("workload.from={:.0f} B", row.size_B),
               fmt::format("workload.to={:.0f} B", row.size_B)};
    if (nodes > 1) {
      run.title += fmt::format(" of {} machines", nodes);
      run.set.push_back(fmt::format("nodes={}", nodes));
    }
    constexpr double kLarge = 64 * 1048576.0;
    if (row.size_B < kLarge)
      run.values = {{"collectives[0].time_s", row.time_us, "us"}};
    else
      run.values = {
          {"collectives[0].bus_Bps", row.bus_GBps, "GB/s", {}, "collectives, 64 MiB and more"}};
    if (run.values.front().value > 0) out_.runs.push_back(std::move(run));
  }

  ReportLines lines_;
  const std::string& name_;
  ToolResults out_;
  std::string program_;
  std::set<std::string> hosts_;
  std::int64_t ranks_ = 0;
  double gpus_ = 0;
  double threads_ = 1;
  std::vector<std::string> heading_;
  std::vector<Row> rows_;
  std::size_t at_ = 0;
};

}  // namespace

ToolResults read_nccl_tests(std::string_view text, const std::string& name) {
  return CollectiveReader(text, name).read();
}

}  // namespace gpufeed
