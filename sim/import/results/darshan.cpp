// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/files/paste.h"
#include "sim/base/printable.h"
#include "sim/import/results/parts.h"

namespace gpufeed {
namespace {

/// Sums of a direction over all files. \source  Darshan, darshan-util documentation: counters of
/// the POSIX module
struct Sums {
  double requests = 0;
  double bytes = 0;
  double sequential = 0;  ///< requests behind the last one of their file
  double time_s = 0;      ///< of all processes together
};

/// "POSIX\t-1\t9457...\tPOSIX_READS\t16\t/data/f\t/\text4", or "total_POSIX_READS: 16" of --total.
class CounterReader {
 public:
  CounterReader(std::string_view text, const std::string& name)
      : text_(text), lines_(text, name, kMostLines), name_(name) {
    out_.kind = "io";
    out_.mechanism = "reading and writing";
  }

  ToolResults read() {
    for (std::size_t i = 0; i < lines_.size(); ++i) read_line(i);
    add("READ", false);
    add("WRITE", true);
    for (const auto& [module, count] : other_modules_)
      out_.left_out.push_back(
          fmt::format("{} counters of {}: those of POSIX are taken, which all "
                      "files go through",
                      count, printable(module)));
    std::ranges::move(unread_in_words(lines_), std::back_inserter(out_.left_out));
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMostLines = 8000000;

  void read_line(std::size_t at) {
    const std::string& line = lines_[at];
    if (line.starts_with('#')) {
      lines_.use(at);
      for (const auto& [key, value] :
           {std::pair{"# nprocs: ", &processes_}, {"# run time: ", &run_time_s_}})
        if (line.starts_with(key)) *value = number(line.substr(std::string(key).size()), at);
      return;
    }
    constexpr std::string_view kTotal = "total_";
    if (line.starts_with(kTotal)) {
      const std::size_t colon = line.find(": ");
      if (colon == std::string::npos) return;
      lines_.use(at);
      if (is_cut(text_, lines_, at)) return out_.left_out.push_back(told_as_cut(lines_, at));
      return take(line.substr(kTotal.size(), colon - kTotal.size()), line.substr(colon + 2), at);
    }
    const auto words = split_words(line);
    if (words.size() < 5 || !words[3].starts_with(words[0] + "_")) return;
    lines_.use(at);
    if (is_cut(text_, lines_, at)) return out_.left_out.push_back(told_as_cut(lines_, at));
    if (words[0] == "POSIX")
      take(words[3], words[4], at);
    else
      ++other_modules_[words[0]];
  }

  double number(const std::string& text, std::size_t at) const {
    const auto value = whole_number_text(trimmed(text));
    if (!value)
      refuse_results(name_, at + 1,
                     fmt::format("a number is expected; found \"{}\"", printable(text)));
    return *value;
  }

  void take(const std::string& counter, const std::string& text, std::size_t at) {
    struct Known {
      std::string_view counter;
      Sums* sums;
      double Sums::*part;
    };
    const std::array known{Known{"POSIX_READS", &read_, &Sums::requests},
                           Known{"POSIX_BYTES_READ", &read_, &Sums::bytes},
                           Known{"POSIX_SEQ_READS", &read_, &Sums::sequential},
                           Known{"POSIX_F_READ_TIME", &read_, &Sums::time_s},
                           Known{"POSIX_WRITES", &written_, &Sums::requests},
                           Known{"POSIX_BYTES_WRITTEN", &written_, &Sums::bytes},
                           Known{"POSIX_SEQ_WRITES", &written_, &Sums::sequential},
                           Known{"POSIX_F_WRITE_TIME", &written_, &Sums::time_s}};
    const auto one = std::ranges::find(known, counter, &Known::counter);
    if (one == known.end()) return;
    const double value = number(text, at);
    first_line_ = first_line_ == 0 ? at + 1 : first_line_;
    if (value < 0) return;  // -1: was not counted
    one->sums->*(one->part) += value;
  }

  void add(const char* what, bool writes) {
    const Sums& sums = writes ? written_ : read_;
    if (sums.bytes <= 0) return;
    for (const auto& [value, needed] : {std::pair{sums.requests, "how many requests"},
                                        {sums.time_s, "the time that they took"},
                                        {processes_, "\"# nprocs\""}})
      if (value <= 0)
        refuse_results(name_, first_line_,
                       fmt::format("{} of the {}s is not told: is the text cut?", needed,
                                   writes ? "write" : "read"));
    IoRun run;
    run.line = first_line_;
    run.writes = writes;
    run.io.engine = IoEngine::psync;
    run.io.direct = false;
    run.io.jobs = static_cast<std::int64_t>(std::min(processes_, 1e9));
    run.io.block_size = {std::max(512.0, std::round(sums.bytes / sums.requests))};
    constexpr double kHalf = 0.5;
    run.io.pattern = sums.sequential >= kHalf * sums.requests ? AccessPattern::sequential
                                                              : AccessPattern::random;
    run.Bps = sums.bytes * processes_ / sums.time_s;
    add_run(out_, run, name_);
    assume(out_, fmt::format(
                     "{}: {} in {} requests, for {:.4g} s of each of {} processes{}; requests are "
                     "of their mean size, and of all processes at once, on one machine",
                     what, gpufeed::text(Bytes{sums.bytes}), sums.requests,
                     sums.time_s / processes_, processes_,
                     run_time_s_ > 0 ? fmt::format(" that ran for {:.4g} s", run_time_s_) : ""));
  }

  std::string_view text_;
  ReportLines lines_;
  const std::string& name_;
  ToolResults out_;
  double processes_ = 0;
  double run_time_s_ = 0;
  Sums read_;
  Sums written_;
  std::map<std::string, std::size_t> other_modules_;
  std::size_t first_line_ = 0;
};

}  // namespace

ToolResults read_darshan(std::string_view text, const std::string& name) {
  return CounterReader(text, name).read();
}

}  // namespace gpufeed
