// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/raw.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

namespace gpufeed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json json_of(const DecodePoint& point) {
  return {{"codec", point.test.codec ? name_of_codec(*point.test.codec) : "bytes"},
          {"width", point.test.width},
          {"height", point.test.height},
          {"detail", point.test.detail},
          {"workers", point.test.workers},
          {"batch", point.test.batch},
          {"stored_B", point.stored.value},
          {"decoded_batch_B", point.decoded.value},
          {"sample_s", point.of_sample.value},
          {"sample_read_s", point.of_sample_read.value},
          {"sample_wall_s", point.of_sample_wall.value},
          {"batch_taken_s", point.of_batch_taken.value},
          {"samples", point.samples}};
}

Json json_of(const CopyPoint& point) {
  return {{"node", point.node}, {"threads", point.threads}, {"traffic_Bps", point.traffic.value}};
}

Json json_of(const FirstTouch& point) {
  return {{"small_pages_Bps", point.small_pages.value}, {"huge_pages_Bps", point.huge_pages.value}};
}

Json json_of(const LargeReads& point) {
  return {{"request_B", point.request.value},
          {"into_pages_apart_Bps", point.into_pages_apart.value},
          {"into_huge_pages_Bps", point.into_huge_pages.value}};
}

Json json_of(const PairedReads& point) {
  return {{"block_B", point.block.value},
          {"alone_s", point.alone.value},
          {"apart_s", point.apart.value}};
}

Json json_of(const Bandwidth& rate) { return rate.value; }

Json json_of(const PageCacheEpoch& epoch) {
  return {{"epoch", epoch.epoch},
          {"fetched", epoch.fetched},
          {"s", epoch.time.value},
          {"core_s", epoch.of_core.value},
          {"pages_apart", epoch.apart}};
}

Json json_of(const CacheFilling& point) {
  return {{"read_B", point.read.value},
          {"missed_core_s", point.missed.value},
          {"cached_core_s", point.cached.value},
          {"again_core_s", point.again.value}};
}

Json json_of(const OpeningTimes& point) {
  return {{"readers", point.readers},
          {"size_B", point.size.value},
          {"block_s", point.of_block.value},
          {"file_s", point.of_file.value}};
}

template <class T>
Json json_of(const std::vector<T>& list) {
  Json out = Json::array();
  for (const T& one : list) out.push_back(json_of(one));
  return out;
}

/// The value of a line "KEY : VALUE".
std::string value_in(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key)) {
      const std::size_t start = line.find_first_not_of(": \t", key.size());
      return start == std::string::npos ? "" : line.substr(start);
    }
  return "";
}

}  // namespace

std::string raw_json(const RawMeasurements& raw) {
  Json out{{"gpufeed_raw", 1},       {"version", raw.version}, {"time", raw.time},
           {"machine", raw.machine}, {"tools", raw.tools},     {"drive", raw.drive},
           {"fio", Json::array()}};
  out["others_share"] = raw.others;
  out["took_s"] = raw.took.value;
  out["most_time_s"] = raw.most_time.value;
  out["written_B"] = raw.written.value;
  out["most_written_B"] = raw.most_written.value;
  for (const auto& run : raw.fio) {
    const std::size_t start = run.find('{');
    Json json = Json::parse(start == std::string::npos ? run : run.substr(start));
    for (const char* aside : {"disk_util", "timestamp", "timestamp_ms", "time"}) json.erase(aside);
    // where on whose disk: nobody else's business
    if (json.contains("global options")) json["global options"].erase("filename");
    out["fio"].push_back(std::move(json));
  }
  out["opening"] = json_of(raw.opening);
  out["decode"] = json_of(raw.decoding);
  for (Json& point : out["decode"]) point["threads_per_core"] = raw.threads_per_core;
  out["copies"] = json_of(raw.copies);
  out["first_touch"] = json_of(raw.first_touch);
  out["large_reads"] = json_of(raw.large_reads);
  out["paired_reads"] = json_of(raw.paired_reads);
  out["cached_reads_Bps"] = json_of(raw.cached_reads);
  out["filling"] = json_of(raw.filling);
  out["page_cache_share"] = raw.page_cache_share;
  out["page_cache_files_B"] = raw.page_cache_files.value;
  out["page_cache"] = json_of(raw.page_cache);
  if (!raw.gpu.empty()) out["gpu"] = Json::parse(raw.gpu);
  if (!raw.pytorch.empty()) out["pytorch"] = Json::parse(raw.pytorch);
  if (!raw.training.empty()) out["training"] = Json::parse(raw.training);
  if (!raw.transformer.empty()) out["transformer"] = Json::parse(raw.transformer);
  return out.dump(1) + "\n";
}

std::string machine_in_words() {
  utsname system{};
  uname(&system);
  const std::string release = system.release;
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return fmt::format("{}, {} cores, {} of memory, Linux {}",
                     value_in("/proc/cpuinfo", "model name"), sysconf(_SC_NPROCESSORS_ONLN),
                     text(Bytes{memory}, 3), release.substr(0, release.find('-')));
}

std::string disk_of(const fs::path& folder) {
  struct stat info {};
  if (stat(folder.c_str(), &info) != 0) return "";
  const fs::path block(fmt::format("/sys/dev/block/{}:{}", major(info.st_dev), minor(info.st_dev)));
  std::error_code error;
  fs::path device = fs::canonical(block, error);
  if (error) return "";
  if (fs::exists(device / "partition", error)) device = device.parent_path();
  return device.filename().string();
}

bool lies_in_memory(const fs::path& folder) {
  struct statfs info {};
  if (statfs(folder.c_str(), &info) != 0) return false;
  constexpr long kTmpfs = 0x01021994;  // as linux/magic.h has them
  constexpr long kRamfs = 0x858458f6;
  return info.f_type == kTmpfs || info.f_type == kRamfs;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace gpufeed
