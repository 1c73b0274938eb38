// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/memory_cgroup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRoot = "/sys/fs/cgroup";
constexpr const char* kPrefix = "gpufeed-held-";
constexpr int kTries = 10;

[[noreturn]] void refuse(const std::string& why) {
  throw InputError({{{"this machine", 0, 0}, "no memory cgroup can be made here: " + why}});
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text << std::flush;
  if (!out) refuse(fmt::format("cannot write \"{}\" to {}", text, file.string()));
}

/// The folder of this process in the one hierarchy of version 2.
fs::path own_folder() {
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("0::")) return fs::path(kRoot) / fs::path(line.substr(3)).relative_path();
  refuse("/proc/self/cgroup names none");
}

/// Groups of processes that were killed before they could tidy up.
void remove_left_behind(const fs::path& parent) {
  std::error_code error;
  std::vector<fs::path> made;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(kPrefix)) made.push_back(at->path());
  for (const fs::path& folder : made)
    if (const auto lock = FileLock::take(folder)) fs::remove(folder, error);  // if nobody is in it
}

/// \return nothing where another process takes it for left behind before it is locked
std::optional<FileLock> make_group(const fs::path& parent, fs::path& folder) {
  std::string name = (parent / (std::string(kPrefix) + "XXXXXX")).string();
  if (!mkdtemp(name.data())) refuse(fmt::format("{}: {}", name, std::strerror(errno)));
  folder = name;
  auto lock = FileLock::take(folder);
  std::error_code gone;
  if (!lock) fs::remove(folder, gone);
  return lock;
}

/// Asks a cgroup with so much page cache for its counters for ever.
int keep_fresh(const fs::path& folder, Bytes cache) {
  constexpr Bandwidth kFastest{4e9};
  constexpr double kTimes = 16;
  constexpr Seconds kLeast{1e-3};  // of a core, 1 %
  constexpr Seconds kMost{2};      // as the kernel itself
  constexpr double kMicro = 1e6;
  const Seconds every = std::clamp(cache / kFastest / kTimes, kLeast, kMost);
  std::array<char, 4096> counters{};
  const int fd = open((folder / "memory.stat").c_str(), O_RDONLY | O_CLOEXEC);
  while (pread(fd, counters.data(), counters.size(), 0) > 0)
    usleep(static_cast<useconds_t>(every.value * kMicro));
  return 1;
}

}  // namespace

MemoryCgroup::MemoryCgroup(Bytes cache) {
  fs::path parent;
  const fs::path first(fs::path(kRoot) / "memory");
  if (fs::exists(first / "memory.limit_in_bytes")) {
    version_ = 1;
    parent = first;
  } else if (fs::exists(fs::path(kRoot) / "cgroup.controllers")) {
    parent = own_folder();
  } else {
    refuse(fmt::format("{} has no memory controller", kRoot));
  }
  remove_left_behind(parent);
  for (int i = 0; i < kTries && !lock_; ++i) lock_ = make_group(parent, folder_);
  if (!lock_) refuse(fmt::format("{} cannot be locked", folder_.string()));
  std::error_code error;
  if (version_ == 2 && !fs::exists(folder_ / "memory.max")) {
    fs::remove(folder_, error);
    refuse(fmt::format("{} does not hand on its memory controller", parent.string()));
  }
  keeps_fresh_.emplace([this, cache] { return keep_fresh(folder_, cache); });
}

MemoryCgroup::~MemoryCgroup() {
  keeps_fresh_.reset();
  std::error_code ignored;
  if (version_ == 1) std::ofstream(folder_ / "memory.force_empty") << "0" << std::flush;
  for (int i = 0; i < 50 && !fs::remove(folder_, ignored); ++i) usleep(20000);
}

Bytes MemoryCgroup::usage() const {
  std::ifstream in(folder_ / (version_ == 1 ? "memory.usage_in_bytes" : "memory.current"));
  double value = 0;
  if (!(in >> value)) refuse(fmt::format("cannot read the usage of {}", folder_.string()));
  return {value};
}

void MemoryCgroup::limit(Bytes most) const {
  write(folder_ / (version_ == 1 ? "memory.limit_in_bytes" : "memory.max"),
        fmt::format("{:.0f}", most.value));
}

void MemoryCgroup::enter() const { write(folder_ / "cgroup.procs", std::to_string(getpid())); }

}  // namespace gpufeed
