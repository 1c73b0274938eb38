// SPDX-License-Identifier: Apache-2.0
#include "sim/import/fio/fio_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"
#include "sim/import/fio/fio_file.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

/// Options that say how fio measures and names, not what the drive is asked for.
constexpr std::array<std::string_view, 22> kOfNoRequest{
    "name",           "filename",          "directory",      "filename_format", "group_reporting",
    "runtime",        "time_based",        "ramp_time",      "loops",           "thread",
    "stonewall",      "wait_for_previous", "description",    "norandommap",     "randrepeat",
    "refill_buffers", "invalidate",        "create_on_open", "openfiles",       "file_service_type",
    "randseed",       "new_group"};

class FioJobReader {
 public:
  FioJobReader(const FioFile& file, const std::string& name, Diagnostics& out)
      : file_(file), name_(name), out_(out) {}

  FioWorkload read(const std::optional<std::string>& job) {
    result_.file = std::filesystem::path(name_).filename().string();
    const FioSection* const section = chosen(job);
    if (!section) return result_;
    result_.job = section->name;
    for (const FioSection& one : file_.sections) {
      if (&one == section || one.name == "global")
        for (const FioOption& option : one.options) options_[plain_fio_name(option.name)] = &option;
      if (&one == section) break;
    }
    read_requests();
    read_direction();
    read_engine();
    read_batch();
    read_files();
    for (const auto& left : options_)
      if (!std::ranges::count(kOfNoRequest, left.first))
        result_.not_modeled.push_back(left.second->value.empty()
                                          ? left.first
                                          : fmt::format("{}={}", left.first, left.second->value));
    return std::move(result_);
  }

 private:
  const FioSection* chosen(const std::optional<std::string>& job) {
    Names names;
    for (const FioSection& one : file_.sections)
      if (one.name != "global") names.push_back(one.name);
    const std::string wanted = job.value_or(names.size() == 1 ? names.front() : "");
    const auto found = std::ranges::find(file_.sections, wanted, &FioSection::name);
    if (found != file_.sections.end() && wanted != "global") return &*found;
    if (names.empty())
      out_.error({name_, 1, 1}, "no job is in it: a section beside [global], such as [job]");
    else if (!job)
      out_.error({name_, 1, 1}, "{} jobs are in it; name one with --job: {}", names.size(),
                 printable(fmt::format("{}", fmt::join(names, ", "))));
    else
      out_.error({name_, 1, 1}, "no job \"{}\" is in it; {}", printable(*job),
                 suggestion(*job, names));
    return nullptr;
  }

  /// The option, which is then no longer left over; null where nobody gives it.
  const FioOption* take(const std::string& option) {
    const auto found = options_.find(option);
    if (found == options_.end()) return nullptr;
    const FioOption* const value = found->second;
    options_.erase(found);
    return value;
  }

  void refuse(const FioOption& option, const std::string& must_be) {
    out_.error({name_, option.line, 1}, "{} must be {}; found \"{}\"", option.name, must_be,
               printable(option.value));
  }

  std::int64_t whole(const std::string& name, std::int64_t standard, std::int64_t most) {
    const FioOption* const option = take(name);
    if (!option) return standard;
    const auto value = fio_size(option->value);
    const bool fits = value && *value >= 1 && *value <= static_cast<double>(most) &&
                      *value == static_cast<double>(static_cast<std::int64_t>(*value));
    if (!fits) refuse(*option, fmt::format("a whole number from 1 to {}", most));
    return fits ? static_cast<std::int64_t>(*value) : standard;
  }

  bool truth(const std::string& name, bool standard) {
    const FioOption* const option = take(name);
    if (!option) return standard;
    if (option->value != "0" && option->value != "1" && !option->value.empty())
      refuse(*option, "0 or 1");
    return option->value != "0";
  }

  void read_requests() {
    constexpr std::int64_t kMostDepth = 65536;
    constexpr std::int64_t kMostJobs = 4096;
    constexpr double kLeast = 512;
    constexpr double kMost = 1e9;
    if (const FioOption* const option = take("bs")) {
      const auto size = fio_size(option->value);
      if (size && *size >= kLeast && *size <= kMost)
        result_.io.block_size = {*size};
      else
        refuse(*option, "one size from 512 B to 1 GB");
    }
    for (const char* varied : {"bsrange", "bssplit"})
      if (const FioOption* const option = take(varied))
        refuse(*option, "left out: requests are of one size, bs");
    result_.io.queue_depth = whole("iodepth", 1, kMostDepth);
    result_.io.jobs = whole("numjobs", 1, kMostJobs);
    const bool buffered = truth("buffered", true);
    result_.io.direct = truth("direct", !buffered);
  }

  void read_direction() {
    IoJob& io = result_.io;
    io.pattern = AccessPattern::sequential;
    const FioOption* const option = take("rw");
    std::string rw = option ? plain_fio_value("rw", option->value) : "read";
    if (rw.starts_with("rand")) {
      io.pattern = AccessPattern::random;
      rw.erase(0, 4);
    }
    const std::int64_t reads = percent("rwmixread", 50);
    const std::int64_t writes = percent("rwmixwrite", 100 - reads);
    if (rw == "read")
      io.read_share = {1};
    else if (rw == "write")
      io.read_share = {0};
    else if (rw == "rw")
      io.read_share = {static_cast<double>(100 - writes) / 100};
    else
      refuse(*option, "read, write, rw, randread, randwrite or randrw");
  }

  std::int64_t percent(const std::string& name, std::int64_t standard) {
    const FioOption* const option = take(name);
    if (!option) return standard;
    const auto value = fio_size(option->value);
    if (value && *value >= 0 && *value <= 100) return static_cast<std::int64_t>(*value);
    refuse(*option, "a number from 0 to 100");
    return standard;
  }

  void read_engine() {
    constexpr std::array<std::pair<std::string_view, IoEngine>, 8> kEngines{
        {{"psync", IoEngine::psync},
         {"sync", IoEngine::psync},
         {"pvsync", IoEngine::psync},
         {"pvsync2", IoEngine::psync},
         {"vsync", IoEngine::psync},
         {"libaio", IoEngine::libaio},
         {"io_uring", IoEngine::io_uring},
         {"spdk", IoEngine::spdk}}};
    const FioOption* const option = take("ioengine");
    const std::string engine = option ? option->value : "psync";
    const auto found = std::ranges::find(kEngines, std::string_view(engine),
                                         [](const auto& e) { return e.first; });
    if (found == kEngines.end())
      return refuse(*option, "one that is simulated: psync, sync, libaio, io_uring or spdk");
    result_.io.engine = found->second;
    const auto polled = options_.find("hipri");
    if (result_.io.engine != IoEngine::io_uring || polled == options_.end() ||
        polled->second->value == "0")
      return;
    result_.io.engine = IoEngine::io_uring_polled;
    for (const char* part : {"hipri", "fixedbufs", "registerfiles"}) take(part);
  }

  /// 0: as many as are under way. Where no call hands over several it is left over.
  void read_batch() {
    IoJob& io = result_.io;
    if (!io.direct || (io.engine != IoEngine::libaio && io.engine != IoEngine::io_uring)) return;
    const auto found = options_.find("iodepth_batch_submit");
    if (found == options_.end()) return;
    const auto asked = fio_size(found->second->value);
    if (!asked || *asked < 0) return;
    const auto depth = static_cast<double>(io.queue_depth);
    io.batch = static_cast<std::int64_t>(*asked >= 1 ? std::min(*asked, depth) : depth);
    options_.erase(found);
  }

  /// Of each file: filesize, or an equal part of a job's size.
  void read_files() {
    const std::int64_t files = whole("nrfiles", 1, 1000000000);
    const FioOption* const each = take("filesize");
    const FioOption* const all = take("size");
    const FioOption* const option = each ? each : all;
    if (!option || option->value.ends_with('%')) return;
    const auto size = fio_size(option->value);
    if (!size || *size < 512) return refuse(*option, "one size of 512 B at least");
    result_.io.file_size = Bytes{each ? *size : *size / static_cast<double>(files)};
  }

  const FioFile& file_;
  const std::string& name_;
  Diagnostics& out_;
  std::map<std::string, const FioOption*> options_;  ///< that nobody took yet
  FioWorkload result_;
};

template <class T>
void add_key(std::string& out, std::string_view key, const T& value) {
  out += fmt::format("{} = {}\n", key, toml_value(value));
}

}  // namespace

FioWorkload parse_fio_job(std::string_view text, const std::string& name,
                          const std::optional<std::string>& job) {
  const FioFile file = parse_fio_file(text, name);
  Diagnostics out;
  FioWorkload workload = FioJobReader(file, name, out).read(job);
  out.throw_if_any();
  return workload;
}

std::string fio_scenario(const FioWorkload& workload, const std::string& system,
                         const std::optional<std::string>& at) {
  const IoJob& io = workload.io;
  std::string out = fmt::format("# Job {} of {} as a scenario, by gpufeed import fio.\n",
                                printable(workload.job), printable(workload.file));
  if (!workload.not_modeled.empty())
    out += fmt::format("# Not modeled: {}\n",
                       printable(fmt::format("{}", fmt::join(workload.not_modeled, ", "))));
  out += "schema = 1\n";
  add_key(out, "title", fmt::format("{}, by fio", workload.job));
  add_key(out, "system", system);
  out += "\n[workload]\nkind = \"io\"\n\n[workload.io]\n";
  add_key(out, "block_size", io.block_size);
  add_key(out, "queue_depth", io.queue_depth);
  add_key(out, "jobs", io.jobs);
  add_key(out, "pattern", io.pattern);
  add_key(out, "read_share", io.read_share);
  add_key(out, "direct", io.direct);
  add_key(out, "engine", io.engine);
  if (io.batch > 1) add_key(out, "batch", io.batch);
  if (io.file_size) add_key(out, "file_size", *io.file_size);
  out += "\n[data]\n";
  if (at) add_key(out, "at", *at);
  return out;
}

}  // namespace gpufeed
