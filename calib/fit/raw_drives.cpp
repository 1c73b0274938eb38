// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "calib/fit/drive_entry.h"
#include "calib/fit/findings.h"
#include "sim/base/numbers/statistics.h"
#include "sim/base/pages.h"
#include "sim/model/catalog/drive.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kTwoSided95 = 1.96;

/// The nearest value that a key of drives may have.
template <class Q>
Q nearest_allowed(std::string_view key, Q value) {
  Drive::fields([&](const auto& field) {
    if constexpr (std::same_as<typename std::decay_t<decltype(field)>::Bound, Q>)
      if (field.name == key && field.ranged) value = std::clamp(value, field.min, field.max);
  });
  return value;
}

class DriveFitter {
 public:
  DriveFitter(const Json& raw, const std::string& name, Findings& findings)
      : raw_(raw), name_(name), findings_(findings) {}

  void fit_drive_laws() {
    std::vector<FioPoint> points;
    for (std::size_t i = 0; i < raw_.at("fio").size(); ++i)
      std::ranges::move(
          parse_fio(raw_.at("fio")[i].dump(), fmt::format("{}, run {}", name_, i + 1)),
          std::back_inserter(points));
    for (const bool writes : {false, true}) {
      const auto side = points_of(points, writes);
      if (side.empty()) continue;
      try {
        take_law(fit_side(side, name_), writes);
      } catch (const InputError& error) {
        findings_.refuse(writes ? "writes" : "reads", sentence(error.problems().front()));
      }
    }
    tell_short_writes();
    tell_faster_at_first(points);
  }

  /// What each page costs a device that looks them up one after the other.
  void fit_pages() {
    std::vector<double> times;
    std::vector<double> apart;
    for (const Json& point : raw_.at("large_reads")) {
      if (!point.contains("into_pages_apart_Bps")) continue;  // pages of older ones lay by chance
      apart.push_back(kPageBytes / point.at("into_pages_apart_Bps").get<double>());
      times.push_back(apart.back() - kPageBytes / point.at("into_huge_pages_Bps").get<double>());
    }
    if (times.empty()) return;
    const std::string path = fmt::format("system.drive[{}].model.page_time", drive());
    constexpr double kNoise = 0.05;  // of a device that does not care, from one test to the next
    if (median(times) < kNoise * median(apart))
      return findings_.refuse(path, "pages apart in memory are read as fast as huge ones");
    findings_.take_repeated<Seconds>(
        path, times,
        fmt::format("reads of {} at {} into pages apart in memory, over those into huge ones",
                    text(Bytes{raw_.at("large_reads")[0].at("request_B").get<double>()}, 3),
                    text(Bandwidth{kPageBytes / median(apart)}, 3)));
  }

  /// Told together: both reads of a pair end at once, though one was begun half its time before.
  /// Where each is told, they end as far apart as they were begun, or, where a drive serves one
  /// after the other, by all of a read's time.
  void fit_completions() {
    constexpr double kNothing = 0.25;  // of a read's time
    std::vector<double> apart;
    for (const Json& point : raw_.at("paired_reads"))
      apart.push_back(point.at("apart_s").get<double>() / point.at("alone_s").get<double>());
    if (apart.empty()) return;
    const bool together = std::abs(median(apart)) < kNothing;
    findings_.take({fmt::format("system.drive[{}].model.completions", drive()),
                    together ? "together" : "each", 0, 0, apart.size(),
                    fmt::format("of two large reads, the second asked for when half of the first's "
                                "time had passed, it ended {} of a read's time later",
                                percent_of(median(apart)))});
  }

  void fit_opening() {
    std::vector<double> waits;
    for (const Json& point : raw_.at("opening"))
      waits.push_back(point.at("file_s").get<double>() - point.at("block_s").get<double>());
    if (waits.empty()) return;
    constexpr double kLeast = 1e-6;
    if (median(waits) < kLeast)
      return findings_.refuse("data.open_time", "a file opens in less time than can be told");
    findings_.take_repeated<Seconds>("data.open_time", waits,
                                     "small files and blocks of an open one, by two readers");
  }

 private:
  /// Of the test of writes that took longest.
  Seconds longest_write() const {
    constexpr double kMilli = 1e-3;
    Seconds longest;
    for (const Json& run : raw_.at("fio"))
      for (const Json& job : run.at("jobs"))
        if (job.contains("write"))
          longest = std::max(longest, Seconds{kMilli * job.at("write").value("runtime", 0.0)});
    return longest;
  }

  /// A drive's cache holds some seconds of its writes.
  void tell_short_writes() {
    constexpr Seconds kLong{1};
    const Seconds longest = longest_write();
    if (longest.value > 0 && longest < kLong)
      findings_.tell(fmt::format(
          "no write was tested for longer than {}: a cache may have taken them all, and "
          "the drive be slower for long; a larger --max-bytes tests for longer",
          text(longest, 2)));
  }

  /// Settings that were tested three times and more, first, amid the others and last, show a drive
  /// that was faster at first: by chance of where fio's memory lay, which it keeps for a run,
  /// unless that was in huge pages; else a volume that lends bandwidth until its credit is used up.
  void tell_faster_at_first(const std::vector<FioPoint>& points) {
    constexpr double kFaster = 1.25;
    std::map<std::tuple<bool, double, double>, std::vector<double>> repeated;
    for (const FioPoint& point : points)
      repeated[{point.writes, point.block_size.value, point.outstanding()}].push_back(
          point.bandwidth.value);
    const bool by_chance = std::ranges::any_of(
        points, [](const FioPoint& point) { return point.memory == FioMemory::pages; });
    for (const auto& [setting, rates] : repeated) {
      if (rates.size() < 3) continue;
      const double later = *std::max_element(rates.begin() + 1, rates.end());
      if (rates.front() < kFaster * later) continue;
      const auto& [writes, block, depth] = setting;
      findings_.tell(fmt::format(
          "{} of {} got {} at first and at most {} later: {}; stated is what most tests got, and "
          "short runs may get more",
          writes ? "writes" : "reads", text(Bytes{block}, 3), text(Bandwidth{rates.front()}, 3),
          text(Bandwidth{later}, 3),
          by_chance ? "fio's memory was not in huge pages, and a virtual disk is faster where its "
                      "pages happen to lie beside one another (page_time)"
                    : "the drive lends bandwidth for a while, as provisioned volumes do, or others "
                      "used it then"));
    }
  }

  template <class Q>
  void take_roof(const DriveSide& side, bool writes, std::string_view known_as, const char* key,
                 Q value) {
    const Known* const known = side.fit.what_is_known_of(known_as);
    const std::string path = fmt::format("system.drive[{}].model.{}", drive(), key);
    if (!known || !known->told()) return findings_.refuse(path, "the measurements do not tell it");
    const std::string law = writes ? "drive, writes" : "drive, reads";
    // What never was the limit lies at least there: nearer to what is true than what is usual.
    constexpr double kUnknown = 0.25;
    const Q allowed = nearest_allowed(key, value);
    if (known->open())
      return findings_.take({path, text(allowed, 4), kUnknown, side.fit.median, side.points.size(),
                             law + "; not the limit in these measurements"});
    if (allowed != value)
      return findings_.refuse(path,
                              fmt::format("it would be {}, which no drive has", text(value, 3)));
    const double deviation = (known->high - known->low) / 2 / kTwoSided95 / value.value;
    if (deviation > kLargestDeviation)
      return findings_.refuse(
          path, fmt::format("{} measurements tell it to +- {} only: {}", side.points.size(),
                            percent_of(deviation), text(value, 3)));
    findings_.take({path, text(value, 4), deviation, side.fit.median, side.points.size(), law});
  }

  void take_law(const DriveSide& side, bool writes) {
    const DriveLaw& law = side.fit.law;
    const auto roof = [&](std::string_view known_as, const char* read, const char* write,
                          auto value) {
      take_roof(side, writes, known_as, writes ? write : read, value);
    };
    roof("bandwidth", "read_bandwidth", "write_bandwidth", law.bandwidth);
    roof("request_rate", "read_rate", "write_rate", law.request_rate);
    roof("latency", "read_latency", "write_latency", law.latency);
    roof("request_bandwidth", "request_bandwidth", "write_request_bandwidth",
         law.request_bandwidth);
    if (side.fit.what_is_known_of("largest_request"))
      roof("largest_request", "largest_request", "write_largest_request", law.largest_request);
    else
      take_largest_block(side, writes);
    if (const Known* const known = side.fit.what_is_known_of("sharpness"); known && known->told())
      take_sharpness(side, *known, writes);
  }

  /// Up to there the law is the one that was fitted; a drive's usual largest request would split
  /// what the points show to be whole.
  void take_largest_block(const DriveSide& side, bool writes) {
    Bytes largest{};
    for (const FioPoint& point : side.points) largest = std::max(largest, point.block_size);
    constexpr double kUnknown = 0.25;
    findings_.take(
        {fmt::format("system.drive[{}].model.{}", drive(),
                     writes ? "write_largest_request" : "largest_request"),
         text(nearest_allowed(writes ? "write_largest_request" : "largest_request", largest), 12),
         kUnknown, side.fit.median, side.points.size(),
         fmt::format("drive, {}; the largest that was measured, and none was split",
                     writes ? "writes" : "reads")});
  }

  /// The least there is may be exceeded, to one side.
  void take_sharpness(const DriveSide& side, const Known& known, bool writes) {
    const double value = side.fit.law.sharpness;
    const double aside = known.at_limit ? known.high - value : (known.high - known.low) / 2;
    const std::string limit =
        known.at_limit ? fmt::format("the least there is, and {:.0f} % at most", 100 * known.high)
                       : "";
    findings_.take({fmt::format("system.drive[{}].model.{}", drive(),
                                writes ? "write_sharpness" : "sharpness"),
                    fmt::format("{:.0f} %", value * 100), aside / kTwoSided95 / value,
                    side.fit.median, side.points.size(),
                    fmt::format("drive, {}{}", writes ? "writes" : "reads",
                                known.at_limit ? "; at the limit of its range" : ""),
                    limit});
  }

  std::string drive() const { return raw_.value("drive", ""); }

  const Json& raw_;
  const std::string& name_;
  Findings& findings_;
};

}  // namespace

void fit_drives(const Json& raw, const std::string& name, Findings& findings) {
  DriveFitter fitter(raw, name, findings);
  fitter.fit_drive_laws();
  fitter.fit_completions();
  fitter.fit_opening();
  fitter.fit_pages();
}

}  // namespace gpufeed
