// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/scratch.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "gpufeed-scratch-";
constexpr const char* kHeld = "held-by-gpufeed";

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
  throw InputError({{{folder.string(), 0, 0}, why}});
}

/// The file goes last: whoever is killed here leaves what the next one can remove. And the lock
/// goes before the folder, in which NFS keeps a file that is held.
void remove_held(const fs::path& folder, std::optional<FileLock> lock) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().filename() != kHeld) files.push_back(at->path());
  for (const fs::path& file : files) {
    fs::remove_all(file, error);
    if (error) return;
  }
  fs::remove(folder / kHeld, error);
  lock.reset();
  fs::remove(folder, error);
}

/// Of others, a folder could become a link to anything while its files are removed.
bool is_own_folder(const fs::path& folder) {
  struct stat status {};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid();
}

void remove_left_behind(const fs::path& below) {
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator at(below, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(kPrefix) && is_own_folder(at->path()))
      folders.push_back(at->path());
  for (const fs::path& folder : folders)
    if (auto lock = FileLock::take(folder / kHeld)) remove_held(folder, std::move(lock));
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
    lock_ = FileLock::make(path_ / kHeld);
  } catch (const std::system_error& failed) {
    fs::remove(path_, error);
    refuse(below, "cannot write here: " + failed.code().message());
  }
}

Scratch::~Scratch() { remove_held(path_, std::move(lock_)); }

}  // namespace gpufeed
