// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/fio_probe.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "calib/probes/child.h"
#include "calib/probes/memory_probe.h"
#include "sim/base/diagnostics.h"
#include "sim/base/pages.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr int kNoProgram = 127;

/// Else it is chance whether a request's pages lie beside one another, and a device that looks up
/// each piece has two speeds. glibc from 2.35 on knows it; a threshold of one's own keeps it from
/// raising that after the first setting, and so from arenas, which it leaves in small pages.
constexpr const char* kInHugePages =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=65536";

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

[[noreturn]] void refuse(const std::string& why) { throw InputError({{{"fio", 0, 0}, why}}); }

/// The last line that fio wrote before it gave up.
std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "it said nothing";
  const auto start = text.rfind('\n', end);
  return text.substr(start + 1, end - start);
}

/// 1 of 4 KiB, 4 of 1 MiB.
double weight_of(const FioSetting& setting) {
  constexpr double kSmall = 4096;
  return std::pow(static_cast<double>(setting.block_size) / kSmall, 0.25);
}

}  // namespace

std::vector<std::vector<FioSetting>> fio_grid(const std::vector<std::int64_t>& sizes,
                                              const std::vector<std::int64_t>& depths, int passes) {
  const std::vector<FioSetting> roofs{{sizes.front(), depths.back()},
                                      {sizes.back(), depths.back()}};
  std::vector<std::vector<FioSetting>> parts{roofs};
  for (int pass = 0; pass < passes; ++pass)
    for (const auto size : sizes) {
      parts.emplace_back();
      for (const auto depth : depths) parts.back().push_back({size, depth});
    }
  parts.push_back(roofs);
  return parts;
}

WriteBudget::WriteBudget(Bytes most, const std::vector<std::vector<FioSetting>>& parts)
    : left_(most) {
  for (const auto& part : parts)
    for (const FioSetting& setting : part) weight_ += weight_of(setting);
}

std::vector<FioSetting> WriteBudget::share(std::vector<FioSetting> part) {
  constexpr double kFull = 2;  // times that its depth is filled
  std::vector<FioSetting> out;
  shared_ = {};
  for (FioSetting& setting : part) {
    const double weight = weight_of(setting);
    const auto block = static_cast<double>(setting.block_size);
    const Bytes most = left_ * (weight / weight_);
    weight_ -= weight;
    if (most.value < kFull * block * static_cast<double>(setting.depth)) continue;
    setting.most_written = {std::floor(most.value / block) * block};
    shared_ += setting.most_written;
    left_ = left_ - setting.most_written;
    out.push_back(setting);
  }
  return out;
}

void WriteBudget::settle(Bytes written) { left_ = left_ + shared_ - written; }

std::string fio_jobs(const FioTest& test, const std::string& file) {
  // in threads of one process, which end with it
  std::string out = fmt::format(
      "[global]\nfilename={}\nsize={:.0f}\nioengine={}\ndirect=1\nthread=1\nnorandommap=1\n"
      "randrepeat=0\niomem_align={}\nrw={}\n{}runtime={:.0f}ms\nstonewall\n",
      file, test.file_size.value, test.writes ? "libaio" : "psync", kHugePageBytes,
      test.writes ? "randwrite" : "randread",
      test.writes ? "" : "time_based=1\ngroup_reporting=1\n", test.each.value * 1e3);
  for (const FioSetting& setting : test.settings) {
    // fio's buffers lie as far apart as the larger of its blocks for reads and for writes
    const std::int64_t apart = std::max(setting.block_size, kHugePageBytes);
    // Each reader of a loader waits for its request. Reads that one thread has under way together
    // wake it less often: four of 4 KiB took 77 us so, and 92 us of four threads on two cores.
    out += fmt::format("[{}-{}-{}]\nbs={},{}\n{}={}\n", test.writes ? "write" : "read",
                       setting.block_size, setting.depth, test.writes ? apart : setting.block_size,
                       test.writes ? setting.block_size : apart,
                       test.writes ? "iodepth" : "numjobs", setting.depth);
    if (test.writes) out += fmt::format("io_size={:.0f}\n", setting.most_written.value);
  }
  return out;
}

fs::path fio_data(const fs::path& folder) { return folder / "data"; }

std::string run_fio(const FioTest& test, const fs::path& folder) {
  const fs::path jobs = folder / "jobs.fio";
  const fs::path output = folder / "fio.json";
  const fs::path data = fio_data(folder);
  if (std::error_code error; !fs::exists(data, error)) make_random_file(data, test.file_size);
  std::ofstream(jobs) << fio_jobs(test, data.string()) << std::flush;
  const int status = run_program(
      {"env", kInHugePages, "fio", "--output-format=json", jobs.string()}, output.string());
  std::string said = content(output);
  if (status == kNoProgram)
    refuse("there is no program fio; the package is called fio (apt-get install fio)");
  if (status != 0) refuse(fmt::format("failed with status {}: {}", status, last_line(said)));
  return said;
}

Bytes written_by(const std::string& said) {
  const std::size_t start = said.find('{');
  const auto json =
      nlohmann::json::parse(start == std::string::npos ? said : said.substr(start), nullptr, false);
  double sum = 0;
  if (json.is_object() && json.contains("jobs"))
    for (const auto& job : json.at("jobs"))
      if (job.contains("write")) sum += job.at("write").value("io_bytes", 0.0);
  return {sum};
}

std::string fio_version(const fs::path& scratch) {
  const fs::path output = scratch / "version";
  if (run_program({"fio", "--version"}, output.string()) != 0) return "";
  return last_line(content(output));
}

}  // namespace gpufeed
