// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calib/observe/monitors/series.h"

namespace gpufeed {
namespace {

constexpr double kKi = 1024;

/// nfsiostat: a paragraph a mount; the first report counts since it was mounted.
class NfsIostat {
 public:
  explicit NfsIostat(MonitorReader& in) : in_(in) {}

  bool read() {
    for (const std::string& line : in_.lines()) read_line(words_in(line), line);
    for (const auto& [mount, reports] : reports_) {
      const bool lone = reports.size() == 1;
      for (std::size_t i = lone ? 0 : 1; i < reports.size(); ++i) {
        in_.rate({Watched::reads_per_s, "", mount}, NAN, reports[i].ops);
        in_.rate({Watched::read_Bps, "", mount}, NAN, reports[i].kBps * kKi);
      }
      if (lone)
        in_.note(
            fmt::format("nfsiostat printed one report of {}, the mean since it was mounted: "
                        "nfsiostat 1 60 watches a job",
                        mount));
    }
    if (reports_.empty()) return false;
    in_.source(
        fmt::format("nfsiostat, {} mount{}", reports_.size(), reports_.size() == 1 ? "" : "s"));
    return true;
  }

 private:
  struct Report {
    double ops = 0;
    double kBps = 0;
  };

  void read_line(const std::vector<std::string>& words, const std::string& line) {
    if (const std::size_t at = line.find(" mounted on "); at != std::string::npos) {
      mount_ = line.substr(at + 12);
      while (mount_.ends_with(':') || mount_.ends_with(' ')) mount_.pop_back();
      reading_ = false;
      return;
    }
    if (mount_.empty() || words.empty()) return;
    if (words[0] == "read:" || words[0] == "read") {
      reading_ = true;
      return;
    }
    if (words[0] == "write:" || words[0] == "write") reading_ = false;
    if (!reading_ || words.size() < 2) return;
    const auto ops = number_at(words[0]);
    const auto rate = number_at(words[1]);
    reading_ = false;
    if (!ops || !rate)
      return in_.left_out(fmt::format("a read report of {}: \"{}\" are no numbers", mount_, line));
    reports_[mount_].push_back({*ops, *rate});
  }

  MonitorReader& in_;
  std::string mount_;
  bool reading_ = false;
  std::map<std::string, std::vector<Report>> reports_;
};

/// lctl get_param llite.*.stats (what programs read, from memory too), osc.*.stats (what servers
/// were asked for), obdfilter.*.stats (on a server): counters with the time of the look.
class LustreStats {
 public:
  explicit LustreStats(MonitorReader& in) : in_(in) {}

  bool read() {
    const bool osc = std::ranges::any_of(in_.lines(), [](const std::string& line) {
      return line.starts_with("osc.") || line.starts_with("obdfilter.");
    });
    for (const std::string& line : in_.lines()) {
      const auto words = words_in(line);
      if (words.empty()) continue;
      if (words[0].ends_with("stats=") || words[0].ends_with(".stats"))
        source_ = words[0].substr(0, words[0].rfind(".stats"));
      if (words.size() < 2) continue;
      if (words[0] == "snapshot_time" || words[0] == "snapshot_time:") {
        time_ = number_at(words[1]).value_or(NAN);
        any_ = true;
      }
      if (words[0] != "read_bytes" || words.size() < 7) continue;
      if (osc && source_.starts_with("llite")) continue;  // the same bytes, counted above
      take(words);
    }
    if (!any_) return false;
    if (!osc)
      in_.note(
          "Lustre's llite counts what programs read, from the page cache too: "
          "lctl get_param osc.*.stats tells what servers were asked for");
    in_.source("Lustre's stats");
    return true;
  }

 private:
  /// "read_bytes 12345 samples [bytes] 4096 4194304 51539607552".
  void take(const std::vector<std::string>& words) {
    const auto count = number_at(words[1]);
    const auto sum = number_at(words[6]);
    const std::string part = source_.empty() ? "Lustre" : source_;
    if (!count || !sum) return in_.left_out(fmt::format("read_bytes of {}: no numbers", part));
    in_.counter({Watched::reads_per_s, "", part}, time_, *count);
    in_.counter({Watched::read_Bps, "", part}, time_, *sum);
  }

  MonitorReader& in_;
  std::string source_;
  double time_ = NAN;
  bool any_ = false;
};

}  // namespace

bool read_stores(MonitorReader& in) { return NfsIostat(in).read() || LustreStats(in).read(); }

}  // namespace gpufeed
