// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/fio_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "calib/fit/fio_text.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/read_file.h"
#include "sim/base/pages.h"

namespace gpufeed {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLargest = 64u << 20;  ///< bytes of a file; a grid of 1000 jobs has 6 MB

/// The JSON as it stands in a message.
std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 40;
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

const Json* member(const Json& object, const char* key) {
  const auto it = object.is_object() ? object.find(key) : object.end();
  return it == object.end() ? nullptr : &*it;
}

/// A size as fio writes it: "4096", "4k", "1M", "4KiB". With kb_base=1024, its default, k is 1024
/// and ki is 1000; with kb_base=1000 the other way round.
std::optional<double> fio_size(std::string_view text, bool si) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isnormal(number)) return {};
  std::string unit(rest, text.data() + text.size());
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return std::tolower(c); });
  if (unit.ends_with('b')) unit.pop_back();
  if (unit.empty()) return number;
  const bool marked = unit.size() == 2 && unit[1] == 'i';
  const std::size_t power = std::string_view("kmgtp").find(unit[0]);
  if (power == std::string_view::npos || (unit.size() != 1 && !marked)) return {};
  return number * std::pow(marked == si ? 1024.0 : 1000.0, static_cast<double>(power + 1));
}

/// Engines that have one request under way, whatever iodepth says.
bool keeps_one_request(std::string_view engine) {
  constexpr std::array<std::string_view, 6> kSync{"sync",   "psync",   "vsync",
                                                  "pvsync", "pvsync2", "mmap"};
  return std::ranges::count(kSync, engine) > 0;
}

struct Directions {
  bool reads = false;
  bool writes = false;
};

/// Of fio's option rw: "randread", "rw", "randrw:8", ...
std::optional<Directions> directions(std::string_view rw) {
  rw = rw.substr(0, rw.find(':'));
  if (rw.starts_with("rand")) rw.remove_prefix(4);
  if (rw == "read") return Directions{true, false};
  if (rw == "write") return Directions{false, true};
  if (rw == "rw" || rw == "readwrite") return Directions{true, true};
  return {};
}

/// Of fio's option iomem: "malloc", "mmaphuge:/mnt/huge", ...
/// \param aligned  to so much, as for the huge pages that malloc asks for when it is told to
FioMemory memory_of(const std::string& iomem, double aligned) {
  if (iomem.find("huge") != std::string::npos || aligned >= kHugePageBytes)
    return FioMemory::huge_pages;
  return iomem == "cudamalloc" ? FioMemory::gpu : FioMemory::pages;
}

class FioReader {
 public:
  FioReader(const Json& root, const std::string& file, Diagnostics& out)
      : root_(root), file_{file, 0, 0}, out_(out) {}

  std::vector<FioPoint> points() {
    const Json* jobs = member(root_, "jobs");
    if (const Json* const clients = member(root_, "client_stats"); !jobs && clients) jobs = clients;
    if (!jobs || !jobs->is_array() || jobs->empty()) {
      out_.error(file_, "fio's JSON must have \"jobs\", an array of at least one; found {}",
                 jobs ? shown(*jobs) : "none");
      return {};
    }
    for (const Json& job : *jobs) {
      ++number_;
      job_ = &job;
      const Json* const name = member(job, "jobname");
      name_ = name && name->is_string() ? name->get<std::string>() : "";
      if (name_ == "All clients") continue;  // the sum of the others
      read_job();
    }
    check_groups();
    return out_.empty() ? joined() : std::vector<FioPoint>{};
  }

 private:
  /// A point with what tells which others ran beside it.
  struct Entry {
    FioPoint point;
    std::int64_t group = 0;
    int number = 0;
    Json options;
  };

  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    out_.error(file_, "job {} (\"{}\"): {}", number_, name_,
               fmt::format(format, std::forward<Args>(args)...));
  }

  /// The job's option, else the global one, as text; fio writes all of them as text.
  std::optional<std::string> option(const char* key) {
    const Json* found = nullptr;
    if (const Json* const own = member(*job_, "job options")) found = member(*own, key);
    if (const Json* const global = member(root_, "global options"); !found && global)
      found = member(*global, key);
    if (!found) return {};
    return found->is_string() ? found->get<std::string>() : shown(*found);
  }

  std::int64_t count(const char* key) {
    const std::string text = option(key).value_or("1");
    std::int64_t value = 0;
    const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr std::int64_t kMost = 1 << 20;
    if (fault == std::errc{} && rest == text.data() + text.size() && value >= 1 && value <= kMost)
      return value;
    error("option {} must be a whole number from 1 to {}; found \"{}\"", key, kMost, text);
    return 1;
  }

  /// fio takes "READ,WRITE,TRIM"; a size left out at the end is that before it.
  Bytes block_size(bool writes) {
    const std::string text = option("bs").value_or("4k");
    const std::size_t comma = text.find(',');
    std::string_view part = std::string_view(text).substr(0, comma);
    if (writes && comma != std::string::npos) {
      const std::string_view rest = std::string_view(text).substr(comma + 1);
      part = rest.substr(0, rest.find(','));
    }
    const auto size = fio_size(part, option("kb_base") == "1000");
    if (size && *size >= 1 && std::isfinite(*size)) return {*size};
    error("option bs must be a size such as 4096, 4k or 1M; found \"{}\"", text);
    return {1};
  }

  /// A number above 0 at `direction`.`key`, or `direction`.`key`.`below`.
  double positive(const char* direction, const char* key, const char* below = nullptr) {
    const Json* found = member(*job_, direction);
    if (found) found = member(*found, key);
    if (found && below) found = member(*found, below);
    const double value = found && found->is_number() ? found->get<double>() : 0;
    if (value > 0 && std::isnormal(value)) return value;
    error("{}.{}{}{} must be a number above 0; found {}", direction, key, below ? "." : "",
          below ? below : "", found ? shown(*found) : "none");
    return 1;
  }

  /// What makes a job tell nothing of the drive alone.
  void refuse_odd_options() {
    for (const char* const key : {"bsrange", "bssplit"})
      if (const auto value = option(key))
        error("option {}={} mixes blocks of many sizes; measure one size at a time, with bs", key,
              *value);
    for (const char* const key : {"rate", "rate_iops", "thinktime"})
      if (const auto value = option(key))
        error("option {}={} limits the rate; leave it out", key, *value);
    const std::string direct = option("direct").value_or("0");
    if (direct != "1" && !direct.empty() && option("buffered") != "0")
      error("ran through the page cache; it must have the option direct=1");
  }

  void read_job() {
    const Json* const failed = member(*job_, "error");
    if (failed && *failed != 0) {
      const bool known = failed->is_number_integer();
      error("failed in fio with error {}{}", shown(*failed),
            known ? fmt::format(" ({})", std::generic_category().message(failed->get<int>())) : "");
      return;
    }
    const Json* const group = member(*job_, "groupid");
    if (!group || !group->is_number_integer()) {
      error("\"groupid\" must be a whole number; found {}", group ? shown(*group) : "none");
      return;
    }
    const std::string rw = option("rw").value_or("read");
    const auto ran = directions(rw);
    if (!ran) {
      error(
          "option rw must be read, write, randread, randwrite, rw, readwrite or randrw; found "
          "\"{}\"",
          rw);
      return;
    }
    refuse_odd_options();
    for (const bool writes : {false, true})
      if (writes ? ran->writes : ran->reads) {
        const Json* const options = member(*job_, "job options");
        entries_.push_back({point(writes, ran->reads && ran->writes), group->get<std::int64_t>(),
                            number_, options ? *options : Json()});
      }
  }

  FioPoint point(bool writes, bool mixed) {
    FioPoint found;
    found.job = name_;
    found.writes = writes;
    found.mixed = mixed;
    found.block_size = block_size(writes);
    found.iodepth = count("iodepth");
    if (keeps_one_request(option("ioengine").value_or("psync"))) found.iodepth = 1;
    found.numjobs = count("numjobs");
    const std::string aligned = option("iomem_align").value_or(option("mem_align").value_or("0"));
    found.memory = memory_of(option("iomem").value_or(option("mem").value_or("malloc")),
                             fio_size(aligned, option("kb_base") == "1000").value_or(0));
    const char* const direction = writes ? "write" : "read";
    // fio before 3.0 tells KiB/s and microseconds.
    constexpr double kKi = 1024;
    found.bandwidth = {has(direction, "bw_bytes") || !has(direction, "bw")
                           ? positive(direction, "bw_bytes")
                           : positive(direction, "bw") * kKi};
    found.rate = {positive(direction, "iops")};
    found.latency = Seconds{has(direction, "lat_ns") || !has(direction, "lat")
                                ? positive(direction, "lat_ns", "mean") * 1e-9
                                : positive(direction, "lat", "mean") * 1e-6};
    return found;
  }

  bool has(const char* direction, const char* key) const {
    const Json* const found = member(*job_, direction);
    return found && member(*found, key);
  }

  /// Jobs of one group ran at the same time: only the copies of one job may.
  void check_groups() {
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      const Entry& entry = entries_[i];
      const auto first = std::ranges::find(entries_, entry.group, &Entry::group);
      number_ = entry.number;
      name_ = entry.point.job;
      if (first->point.job != name_ || first->options != entry.options)
        error(
            "ran beside job {} (\"{}\"); give each job the option stonewall, so that it has the "
            "drive to itself",
            first->number, first->point.job);
    }
  }

  /// Without group_reporting each copy of a job has an entry: their sum is the point.
  std::vector<FioPoint> joined() {
    std::vector<FioPoint> points;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const auto same = [&](const Entry& e) {
        return e.group == entries_[i].group && e.point.writes == entries_[i].point.writes;
      };
      if (std::any_of(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(i), same))
        continue;
      FioPoint sum = entries_[i].point;
      double waited = 0;
      std::int64_t copies = 0;
      sum.bandwidth = {};
      sum.rate = {};
      for (const Entry& entry : entries_) {
        if (!same(entry)) continue;
        ++copies;
        sum.bandwidth += entry.point.bandwidth;
        sum.rate += entry.point.rate;
        waited += entry.point.latency.value * entry.point.rate.value;
      }
      sum.latency = {waited / sum.rate.value};
      number_ = entries_[i].number;
      name_ = sum.job;
      if (copies != 1 && copies != sum.numjobs)
        error("must stand there once, or as often as option numjobs says, {}; found {} times",
              sum.numjobs, copies);
      points.push_back(std::move(sum));
    }
    return points;
  }

  const Json& root_;
  Location file_;
  Diagnostics& out_;
  const Json* job_ = nullptr;
  int number_ = 0;
  std::string name_;
  std::vector<Entry> entries_;
};

}  // namespace

std::vector<FioPoint> parse_fio(std::string_view text, const std::string& name) {
  Diagnostics out;
  const Location whole{name, 0, 0};
  if (text.size() > kLargest) out.error(whole, "the file is larger than {} MiB", kLargest >> 20);
  const auto [start, end] = last_json(text);
  if (start == std::string_view::npos)
    out.error(whole,
              "not fio's JSON: no line begins with \"{{\"; it is what fio --output-format=json "
              "prints");
  out.throw_if_any();
  if (start == std::string_view::npos) return {};
  examine_json(text, {start, end}, name, out);
  out.throw_if_any();
  const Json root = Json::parse(text.substr(start, end - start));
  std::vector<FioPoint> points = FioReader(root, name, out).points();
  out.throw_if_any();
  return points;
}

std::vector<FioPoint> load_fio(const std::filesystem::path& file) {
  Diagnostics out;
  const auto text = read_text_file(file, kLargest, out);
  out.throw_if_any();
  return parse_fio(*text, file.string());
}

}  // namespace gpufeed
