// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

namespace gpufeed {
namespace {

/// Whoever held the lock before may have removed the file meanwhile.
bool is_at(int descriptor, const std::filesystem::path& file) {
  struct stat held {};
  struct stat there {};
  return fstat(descriptor, &held) == 0 && lstat(file.c_str(), &there) == 0 &&
         held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::filesystem::path& file) {
  constexpr int kFlags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  int descriptor = open(file.c_str(), O_RDWR | kFlags);  // NFS locks only what can be written
  if (descriptor < 0 && errno == EISDIR) descriptor = open(file.c_str(), O_RDONLY | kFlags);
  if (descriptor < 0) return {};
  FileLock lock(descriptor);
  if (!lock.hold() || !is_at(descriptor, file)) return {};
  return lock;
}

std::optional<FileLock> FileLock::make(const std::filesystem::path& file) {
  const std::string fresh = file.string() + ".new";
  const int descriptor = open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category());
  FileLock lock(descriptor);
  if (lock.hold() && rename(fresh.c_str(), file.c_str()) == 0) return lock;
  unlink(fresh.c_str());
  return {};
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  flock(descriptor_, LOCK_UN);  // closed alone, it would be held by processes that were forked
  close(descriptor_);
}

bool FileLock::hold() const { return flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }

std::string name_of_its_own() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace gpufeed
