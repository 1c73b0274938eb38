// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_memory.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "calib/fit/findings.h"
#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

class MemoryFitter {
 public:
  MemoryFitter(const Json& raw, Findings& findings) : raw_(raw), findings_(findings) {}

  /// A node's memory moves what the most threads copied.
  void fit_copies() {
    std::map<int, std::map<int, std::vector<double>>> by_node;
    for (const Json& point : raw_.at("copies"))
      by_node[point.at("node")][point.at("threads")].push_back(point.at("traffic_Bps"));
    for (const auto& [node, by_threads] : by_node) {
      const std::string socket = fmt::format("system.socket[cpu{}].model.", node);
      if (findings_.take_repeated<Bandwidth>(
              socket + "memory_bandwidth", by_threads.rbegin()->second,
              fmt::format("copies by {} threads", by_threads.rbegin()->first)))
        findings_.take({socket + "memory_efficiency", "100 %", 0, 0,
                        by_threads.rbegin()->second.size(),
                        "memory_bandwidth is what copies attain"});
    }
  }

  /// Of files that came into the page cache one by one, as those of data sets do. Of a large file
  /// the kernel makes larger pages, which are copied at twice the rate.
  void fit_cached_reads() {
    std::vector<double> rates;
    for (const Json& point : raw_.at("filling"))
      if (point.contains("again_core_s"))
        rates.push_back(point.at("read_B").get<double>() / point.at("again_core_s").get<double>());
    std::string law = "reads of files of 256 KiB from the page cache by one thread";
    if (rates.empty()) {
      for (const Json& rate : raw_.at("cached_reads_Bps")) rates.push_back(rate);
      law = "reads from the page cache by one thread";
    }
    if (!rates.empty())
      findings_.take_repeated<Bandwidth>("system.socket[*].model.core_copy_bandwidth", rates, law);
  }

  /// Each byte that is missed, beyond copying it out; and where the page cache is full.
  void fit_filling() {
    std::vector<double> rates;
    double missed = 0;
    double cached = 0;
    double read = 0;
    for (const Json& point : raw_.at("filling")) {
      const double bytes = point.at("read_B");
      rates.push_back(bytes / (point.at("missed_core_s").get<double>() -
                               point.at("cached_core_s").get<double>()));
      missed += point.at("missed_core_s").get<double>();
      cached += point.at("cached_core_s").get<double>();
      read += bytes;
    }
    if (rates.empty()) return;
    const std::string fill = "system.socket[*].model.cache_fill_bandwidth";
    // what repeats of one reading differ by; a file system in memory misses nothing
    constexpr double kNoise = 0.1;
    if (std::ranges::min(rates) <= 0 || missed < (1 + kNoise) * cached)
      return findings_.refuse(
          fill, fmt::format("missed files took {:.1f} % longer than cached ones, which may be "
                            "chance, or lie in memory both",
                            std::max(0.0, 100 * (missed / cached - 1))));
    findings_.take_repeated<Bandwidth>(fill, rates, "files of 256 KiB, missed and cached");
    fit_evicting(cached / read, (missed - cached) / read);
  }

  void tell_pages() {
    const auto middle = [&](const char* list, const char* key) {
      std::vector<double> values;
      for (const Json& point : raw_.at(list)) values.push_back(point.at(key));
      return text(Bandwidth{median(values)}, 3);
    };
    if (!raw_.at("first_touch").empty())
      findings_.tell(fmt::format("first touch of memory: {} in pages of 4 KiB, {} in huge ones",
                                 middle("first_touch", "small_pages_Bps"),
                                 middle("first_touch", "huge_pages_Bps")));
    for (const Json& epoch : raw_.at("page_cache")) tell_epoch(epoch);
    fit_pages_apart();
  }

 private:
  void tell_epoch(const Json& epoch) {
    const double fetched = epoch.at("fetched");
    const Bytes files{raw_.value("page_cache_files_B", 0.0)};
    std::string read = fmt::format("{:.1f} %", 100 * fetched);
    if (files.value > 0) read = fmt::format("{} of {}", text(files * fetched, 4), text(files, 4));
    findings_.tell(fmt::format(
        "page cache with room for {:.0f} %: epoch {} read {} from storage{}",
        100 * raw_.at("page_cache_share").get<double>(), epoch.at("epoch").get<int>() + 1, read,
        fetched > 1 ? ", with metadata and what was read ahead more than once" : ""));
  }

  /// Once the page cache is full: pages are used again in the order in which files gave them back.
  void fit_pages_apart() {
    std::vector<double> shares;
    for (const Json& epoch : raw_.at("page_cache"))
      if (epoch.at("epoch").get<int>() > 0 && epoch.value("pages_apart", -1.0) > 0)
        shares.push_back(epoch.at("pages_apart"));
    if (!shares.empty())
      findings_.take_repeated<Ratio>("system.pages_apart", shares,
                                     "where the pages of the last files of epochs lie in memory");
  }

  /// In a cgroup, after its page cache has filled up.
  /// \param copy, fill  seconds of a core for a byte
  void fit_evicting(double copy, double fill) {
    constexpr double kEnough = 0.1;
    const double bytes = raw_.value("page_cache_files_B", 0.0);
    std::vector<double> rates;
    for (const Json& epoch : raw_.at("page_cache")) {
      const double fetched = epoch.at("fetched");
      if (epoch.at("epoch").get<int>() == 0 || fetched < kEnough || !epoch.contains("core_s"))
        continue;
      const double evict = (epoch.at("core_s").get<double>() / bytes - copy) / fetched - fill;
      if (evict > 0) rates.push_back(1 / evict);
    }
    const std::string path = "system.socket[*].model.cache_evict_bandwidth";
    if (!rates.empty())
      findings_.take_repeated<Bandwidth>(path, rates,
                                         "epochs in a memory cgroup with too little memory");
  }

  const Json& raw_;
  Findings& findings_;
};

}  // namespace

void fit_memory(const Json& raw, Findings& findings) {
  MemoryFitter fitter(raw, findings);
  fitter.fit_copies();
  fitter.fit_cached_reads();
  fitter.fit_filling();
  fitter.tell_pages();
}

}  // namespace gpufeed
