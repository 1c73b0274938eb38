// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calib/observe/monitors/series.h"

namespace gpufeed {
namespace {

constexpr double kKi = 1024;
constexpr double kMi = 1024 * kKi;
constexpr double kSector = 512;  // man iostat: sectors of 512 bytes

/// With the point that a locale may write as a comma.
std::optional<double> decimal(std::string word) {
  if (std::ranges::count(word, ',') == 1) std::ranges::replace(word, ',', '.');
  return number_at(word);
}

/// iostat -x: a head, and reports, of which the first counts since the machine was started.
class Iostat {
 public:
  explicit Iostat(MonitorReader& in) : in_(in) {}

  bool read() {
    for (const std::string& line : in_.lines()) read_line(words_in(line), line);
    finish_report();
    if (!any_) return false;
    in_.source(
        fmt::format("iostat -x, {} reports{}", reports_,
                    reports_ > 1 ? ", the first of which, since the start, is left out" : ""));
    if (reports_ == 1)
      in_.note(
          "iostat printed one report, the mean since the machine was started: "
          "iostat -x 1 60 watches a job");
    return true;
  }

 private:
  void read_line(const std::vector<std::string>& words, const std::string& line) {
    if (words.empty()) return part(Part::none);
    if (words[0] == "Linux" && line.find('(') != std::string::npos) return read_head(line);
    if (const auto time = seconds_in(line); time && words.size() <= 3) {
      time_ = *time;
      return;
    }
    if (words[0] == "avg-cpu:") {
      finish_report();
      columns_ = words;
      return part(Part::cpu);
    }
    if (words[0] == "Device" || words[0] == "Device:") {
      if (!cores_seen_) finish_report();
      cores_seen_ = false;
      columns_ = words;
      open_ = true;
      return part(Part::disks);
    }
    if (part_ == Part::cpu) read_cpu(words);
    if (part_ == Part::disks) read_disk(words);
  }

  enum class Part { none, cpu, disks };
  void part(Part now) { part_ = now; }

  /// "Linux 5.15.0 (node1)  01/15/2024  _x86_64_  (96 CPU)".
  void read_head(const std::string& line) {
    const std::size_t open = line.find('(');
    node_ = line.substr(open + 1, line.find(')', open) - open - 1);
    const std::size_t last = line.rfind('(');
    if (last != open && line.find("CPU", last) != std::string::npos)
      cpus_ = number_at(std::string_view(line).substr(last + 1)).value_or(0);
  }

  void read_cpu(const std::vector<std::string>& words) {
    double busy = 0;
    for (std::size_t i = 0; i < words.size() && i + 1 < columns_.size(); ++i)
      for (const char* mode : {"%user", "%nice", "%system"})
        if (columns_[i + 1] == mode) busy += decimal(words[i]).value_or(0);
    constexpr double kPercent = 0.01;
    if (cpus_ > 0) add({Watched::cores, node_, ""}, busy * kPercent * cpus_);
    if (cpus_ == 0)
      in_.left_out("avg-cpu: the head, which says how many CPUs there are, is missing");
    cores_seen_ = true;
    open_ = true;
    part(Part::none);
  }

  void read_disk(const std::vector<std::string>& words) {
    const std::string& name = words[0];
    if (is_made_disk(name))
      return in_.left_out(fmt::format("{}: made of other drives, or a part of one", name));
    for (std::size_t i = 1; i < std::min(words.size(), columns_.size()); ++i) {
      const auto value = decimal(words[i]);
      if (!value) {
        in_.left_out(fmt::format("{} of {}: \"{}\" is no number", columns_[i], name, words[i]));
        continue;
      }
      any_ = true;
      const std::string& column = columns_[i];
      if (column == "r/s") add({Watched::reads_per_s, node_, name}, *value);
      if (column == "rkB/s") add({Watched::read_Bps, node_, name}, *value * kKi);
      if (column == "rMB/s") add({Watched::read_Bps, node_, name}, *value * kMi);
      if (column == "rsec/s") add({Watched::read_Bps, node_, name}, *value * kSector);
    }
  }

  void add(const SeriesKey& key, double value) { report_.emplace_back(key, value); }

  /// The first report is taken only where no other follows.
  void finish_report() {
    if (!open_) return;
    open_ = false;
    ++reports_;
    if (reports_ == 1) {
      first_.swap(report_);
      first_time_ = time_;
    } else if (!std::isnan(time_)) {
      in_.facts().watched_for(time_ - first_time_);
    }
    for (const auto& [key, value] : report_) in_.rate(key, time_, value);
    report_.clear();
    at_end_ = reports_;
  }

 public:
  /// Where it was the only one.
  void take_lone_report() {
    if (at_end_ != 1) return;
    for (const auto& [key, value] : first_) in_.rate(key, time_, value);
  }

 private:
  MonitorReader& in_;
  std::string node_;
  double cpus_ = 0;
  double time_ = NAN;
  double first_time_ = NAN;
  Part part_ = Part::none;
  bool any_ = false;
  bool open_ = false;
  bool cores_seen_ = false;
  std::size_t reports_ = 0;
  std::size_t at_end_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::pair<SeriesKey, double>> report_;
  std::vector<std::pair<SeriesKey, double>> first_;
};

}  // namespace

bool read_sysstat(MonitorReader& in) {
  Iostat iostat(in);
  if (!iostat.read()) return false;
  iostat.take_lone_report();
  return true;
}

}  // namespace gpufeed
