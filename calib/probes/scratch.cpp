// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/scratch.h"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "gpufeed-scratch-";
constexpr const char* kMarker = "made-by-gpufeed";

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
  throw InputError({{{folder.string(), 0, 0}, why}});
}

/// When a process began, in ticks since the machine did; "" where there is none.
std::string start_of(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(in, line);
  const std::size_t after_name = line.rfind(')');
  if (after_name == std::string::npos) return "";
  constexpr int kFieldsBefore = 19;
  std::size_t at = after_name + 1;
  for (int i = 0; i < kFieldsBefore && at != std::string::npos; ++i) at = line.find(' ', at + 1);
  if (at == std::string::npos) return "";
  return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
}

std::string this_host() {
  utsname system{};
  uname(&system);
  return system.nodename;
}

std::string this_boot() {
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string id;
  in >> id;
  return id;
}

void mark(const fs::path& folder) {
  std::ofstream out(folder / kMarker);
  out << fmt::format("{} {} {} {}\n", this_host(), this_boot(), getpid(), start_of(getpid()));
  if (!out.flush()) refuse(folder, fmt::format("cannot be written: {}", std::strerror(errno)));
}

/// Whether the marker says that it was made on this machine, by a process that is gone.
bool left_behind(const fs::path& folder) {
  std::ifstream in(folder / kMarker);
  std::string host;
  std::string boot;
  pid_t pid = 0;
  std::string start;
  if (!(in >> host >> boot >> pid >> start) || pid <= 0 || host != this_host()) return false;
  if (boot != this_boot()) return true;
  if (kill(pid, 0) != 0 && errno == ESRCH) return true;
  const std::string now = start_of(pid);
  return !now.empty() && now != start;  // another one has its number
}

void remove_left_behind(const fs::path& below) {
  std::error_code error;
  std::vector<fs::path> left;
  for (fs::directory_iterator at(below, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(kPrefix) && !at->is_symlink(error) &&
        at->is_directory(error) && left_behind(at->path()))
      left.push_back(at->path());
  for (const fs::path& folder : left) fs::remove_all(folder, error);
}

}  // namespace

bool may_write(const std::filesystem::path& folder) {
  return access(folder.c_str(), F_OK) != 0 || access(folder.c_str(), W_OK) == 0;
}

Scratch::Scratch(const fs::path& below, Bytes needs) {
  std::error_code error;
  if (!fs::is_directory(below, error)) refuse(below, "there is no such folder");
  remove_left_behind(below);
  const auto space = fs::space(below, error);
  if (!error && static_cast<double>(space.available) < needs.value)
    refuse(below,
           fmt::format("{} are free, {} are needed; --max-bytes takes less",
                       text(Bytes{static_cast<double>(space.available)}, 3), text(needs, 3)));
  std::string name = (below / (std::string(kPrefix) + "XXXXXX")).string();
  if (!mkdtemp(name.data()))
    refuse(below, fmt::format("cannot write here: {}", std::strerror(errno)));
  path_ = name;
  try {
    mark(path_);
  } catch (...) {
    fs::remove_all(path_, error);
    throw;
  }
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace gpufeed
