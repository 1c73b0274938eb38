// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/counters.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "calib/observe/job_counts.h"
#include "calib/observe/nvml.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

/// Of /proc/PID/stat.
struct ProcessStat {
  pid_t parent = 0;
  bool ended = false;  ///< and not waited for yet: what it took is still its own
  double ticks = 0;    ///< its own, and of those that it started and waited for
};

/// What is left of it where its process ends meanwhile: an iterator would throw then.
std::string content(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

std::optional<ProcessStat> stat_in(const fs::path& folder) {
  const std::string text = content(folder / "stat");
  const std::size_t name_end = text.rfind(')');  // a name may hold anything
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string state;
  ProcessStat process;
  fields >> state >> process.parent;
  process.ended = state == "Z";
  constexpr int kUserTime = 14;
  constexpr int kParent = 4;
  std::string skipped;
  for (int i = kParent + 1; i < kUserTime; ++i) fields >> skipped;
  for (int i = 0; i < 4; ++i) {  // user, system, and the same of children that have ended
    double ticks = 0;
    fields >> ticks;
    process.ticks += ticks;
  }
  return process;
}

/// What a process, and those that it started and waited for, had drives read: the page cache's
/// share is in it where they waited for it or its readahead. Nothing where another user's is not
/// told, or where it has ended meanwhile.
std::optional<double> read_by(pid_t pid) {
  const fs::path folder = fmt::format("/proc/{}", pid);
  std::istringstream lines(content(folder / "io"));
  std::string key;
  for (double value = 0; lines >> key >> value;)
    if (key == "read_bytes:") return value;
  return {};
}

class ProcessesHere : public Processes {
 public:
  std::map<pid_t, pid_t> parents() const override {
    std::map<pid_t, pid_t> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
      const std::string name = entry.path().filename().string();
      pid_t pid = 0;
      if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc{}) continue;
      if (const auto process = stat_in(entry.path())) out[pid] = process->parent;
    }
    return out;
  }

  std::optional<ProcessCounts> counts(pid_t pid) const override {
    const auto process = stat_in(fmt::format("/proc/{}", pid));
    if (!process) return {};
    const auto read = read_by(pid);
    // gone between the two, so that it is not known whose reads these are
    if (!read && !stat_in(fmt::format("/proc/{}", pid))) return {};
    return ProcessCounts{process->ticks, read};
  }
};

/// Partitions and devices made of others would count bytes twice.
bool is_drive(const std::string& name) {
  return fs::exists(fs::path("/sys/block") / name / "device");
}

void add_drives(Counters& out) {
  std::ifstream in("/proc/diskstats");
  constexpr double kSector = 512;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string number;
    std::string name;
    double reads = 0;
    double merged = 0;
    double sectors = 0;
    fields >> number >> number >> name >> reads >> merged >> sectors;
    if (!is_drive(name)) continue;
    out.reads += reads;
    out.read_B += sectors * kSector;
  }
}

void add_cards(Counters& out) {
  std::error_code error;
  for (const auto& card : fs::directory_iterator("/sys/class/net", error)) {
    if (!fs::exists(card.path() / "device")) continue;
    std::ifstream in(card.path() / "statistics/rx_bytes");
    double bytes = 0;
    if (in >> bytes) out.received_B += bytes;
  }
}

}  // namespace

std::optional<Counters> read_counters(pid_t process) {
  const auto root = stat_in(fmt::format("/proc/{}", process));
  if (!root || root->ended) return {};
  const auto job = counts_of_job(process, ProcessesHere());
  if (!job) return {};
  Counters out;
  out.own_B = job->read_B;
  out.core_s = job->ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  add_drives(out);
  add_cards(out);
  out.gpu_use = Nvml::here().utilization();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  out.time_s = std::chrono::duration<double>(now).count();
  return out;
}

std::string command_of(pid_t process) {
  std::string words = content(fmt::format("/proc/{}/cmdline", process));
  while (words.ends_with('\0')) words.pop_back();
  std::ranges::replace(words, '\0', ' ');
  return words;
}

}  // namespace gpufeed
