// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "calib/observe/monitors/json.h"
#include "calib/observe/monitors/series.h"

namespace gpufeed {
namespace {

constexpr double kKi = 1024;
constexpr double kMi = 1024 * kKi;
constexpr double kSector = 512;
constexpr double kPercent = 0.01;

/// iostat -x -o JSON and sadf -j share their frame: {"sysstat": {"hosts": [{"statistics":
/// [...]}]}}.
class SysstatJson {
 public:
  explicit SysstatJson(MonitorReader& in) : in_(in) {}

  void read_host(const Json& host) {
    node_ = word_in(host, "nodename");
    cpus_ = number_in(host, "number-of-cpus");
    const Json& statistics = list_in(host, "statistics");
    // the first of iostat counts since the start; sadf's are of an interval each
    const bool since_start = statistics.size() > 1 && !statistics[0].is_null() &&
                             statistics[0].is_object() && statistics[0].contains("disk") &&
                             !has_interval(statistics[0]);
    for (std::size_t i = since_start ? 1 : 0; i < statistics.size(); ++i)
      if (statistics[i].is_object()) read_one(statistics[i]);
    in_.source(
        fmt::format("{}, {} reports", since_start ? "iostat" : "sysstat", statistics.size()));
  }

 private:
  static bool has_interval(const Json& one) {
    const auto stamp = one.find("timestamp");
    return stamp != one.end() && stamp->is_object() && stamp->contains("interval");
  }

  void read_one(const Json& one) {
    time_ = NAN;
    if (const auto stamp = one.find("timestamp"); stamp != one.end()) {
      const std::string when = stamp->is_string()
                                   ? stamp->get<std::string>()
                                   : word_in(*stamp, "date") + " " + word_in(*stamp, "time");
      time_ = seconds_in(when).value_or(NAN);
      if (stamp->is_object()) in_.facts().watched_for(waited_ += number_in(*stamp, "interval"));
    }
    for (const auto& [key, value] : one.items()) read_part(key, value);
  }

  void read_part(const std::string& key, const Json& value) {
    if (key == "avg-cpu" || key == "cpu-load" || key == "cpu-load-all") return read_cpu(value);
    if (key == "disk") return read_disks(value);
    if (key == "io") return read_io(value);
    if (key == "network") return read_cards(value);
    if (key != "timestamp") in_.left_out(fmt::format("\"{}\"", key));
  }

  void read_cpu(const Json& value) {
    const Json* all = &value;
    if (value.is_array())
      for (const Json& one : value)
        if (word_in(one, "cpu") == "all") all = &one;
    if (!all->is_object()) return;
    double busy = 0;
    for (const char* mode : {"user", "usr", "nice", "system", "sys", "irq", "soft"})
      busy += number_in(*all, mode);
    if (cpus_ > 0)
      in_.rate({Watched::cores, node_, ""}, time_, busy * kPercent * cpus_);
    else
      in_.left_out("processors: number-of-cpus is missing");
  }

  void read_disks(const Json& disks) {
    if (!disks.is_array()) return;
    for (const Json& disk : disks) {
      std::string name = word_in(disk, "disk_device");
      if (name.empty()) name = word_in(disk, "disk-device");
      if (name.empty()) continue;
      if (is_made_disk(name)) {
        in_.left_out(fmt::format("{}: made of other drives, or a part of one", name));
        continue;
      }
      const SeriesKey bytes{Watched::read_Bps, node_, name};
      for (const auto& [key, unit] : {std::pair{"rkB/s", kKi},
                                      {"rMB/s", kMi},
                                      {"rkB", kKi},
                                      {"rsec/s", kSector},
                                      {"rd_sec", kSector}})
        if (has_number(disk, key)) in_.rate(bytes, time_, number_in(disk, key) * unit);
      if (has_number(disk, "r/s"))
        in_.rate({Watched::reads_per_s, node_, name}, time_, number_in(disk, "r/s"));
    }
  }

  /// Of all drives; sar tells reads of one drive nowhere.
  void read_io(const Json& io) {
    const auto reads = io.is_object() ? io.find("io-reads") : io.end();
    if (reads == io.end() || !has_number(*reads, "rtps")) return;
    in_.rate({Watched::reads_per_s, node_, "all drives"}, time_, number_in(*reads, "rtps"));
  }

  void read_cards(const Json& network) {
    const Json& cards = list_in(network, "net-dev");
    for (const Json& card : cards) {
      const std::string name = word_in(card, "iface");
      if (name.empty() || !has_number(card, "rxkB")) continue;
      if (is_made_card(name))
        in_.left_out(fmt::format("{}: a card of software", name));
      else
        in_.rate({Watched::received_Bps, node_, name}, time_, number_in(card, "rxkB") * kKi);
    }
  }

  MonitorReader& in_;
  std::string node_;
  double cpus_ = 0;
  double time_ = NAN;
  double waited_ = 0;
};

}  // namespace

bool read_sysstat_json(MonitorReader& in) {
  if (in.text().find("\"sysstat\"") == std::string::npos) return false;
  const Json json = json_of(in);
  const auto all = json.is_object() ? json.find("sysstat") : json.end();
  if (all == json.end()) return false;
  for (const Json& host : list_in(*all, "hosts")) SysstatJson(in).read_host(host);
  return true;
}

}  // namespace gpufeed
