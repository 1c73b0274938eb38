// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/write_whole.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int error) { throw std::system_error(error, std::generic_category()); }

/// What a new file may be, as the user's umask says; asked once, because asking sets it.
mode_t usual_mode() {
  static const mode_t mask = [] {
    const mode_t now = umask(0);
    umask(now);
    return now;
  }();
  return 0666U & ~mask;
}

/// The name in the folder survives a crash. Not every file system can tell.
void sync_folder(const fs::path& folder, const WritingCalls& calls) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const int error = calls.sync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error == EIO) fail(error);
}

/// Names of files that wait to take their place; those beyond so many at a time are not noted.
constexpr std::size_t kMostNoted = 64;
std::array<std::atomic<const char*>, kMostNoted> waiting{};

void exchange(const char* from, const char* to) {
  for (auto& name : waiting)
    if (const char* found = from; name.compare_exchange_strong(found, to)) return;
}

[[noreturn]] void cannot_write(const std::string& place, const std::system_error& error) {
  throw InputError({{{place, 0, 0}, "cannot be written: " + error.code().message()}});
}

}  // namespace

PartFile::PartFile(const fs::path& file, const WritingCalls& calls)
    : calls_(calls), file_(place_of(file)) {
  std::string name = file_.string() + ".XXXXXX";
  exchange(nullptr, name.c_str());  // before it is made: its name stands there by then
  descriptor_ = calls_.make(name.data(), O_CLOEXEC);
  if (const int error = errno; descriptor_ < 0) {
    exchange(name.c_str(), nullptr);
    fail(error);
  }
  path_ = name;
  exchange(name.c_str(), path_.c_str());
  struct stat old {};
  fchmod(descriptor_, stat(file_.c_str(), &old) == 0 ? old.st_mode & 0777U : usual_mode());
}

PartFile::~PartFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (waits_) unlink(path_.c_str());
  exchange(path_.c_str(), nullptr);
}

void PartFile::write(std::string_view text) {
  if (const int error = write_all(descriptor_, text, calls_)) fail(error);
}

void PartFile::sync() {
  if (calls_.sync(descriptor_) != 0) fail(errno);
  synced_ = true;
}

void PartFile::close() {
  if (descriptor_ < 0) return;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (calls_.close(descriptor) != 0) fail(errno);
}

void PartFile::taken() {
  waits_ = false;
  if (synced_) sync_folder(file_.parent_path(), calls_);
}

void PartFile::take_place() {
  close();
  if (calls_.rename(path_.c_str(), file_.c_str()) != 0) fail(errno);
  taken();
}

void PartFile::take_new_place() {
  close();
  if (calls_.rename_new(AT_FDCWD, path_.c_str(), AT_FDCWD, file_.c_str(), RENAME_NOREPLACE) == 0)
    return taken();
  // a file system that cannot do this, such as NFS
  if (errno != EINVAL && errno != ENOSYS) fail(errno);
  if (link(path_.c_str(), file_.c_str()) != 0) fail(errno);
  unlink(path_.c_str());
  taken();
}

void remove_part_files() noexcept {
  for (const auto& name : waiting)
    if (const char* const path = name) unlink(path);
}

int write_all(int descriptor, std::string_view text, const WritingCalls& calls) {
  while (!text.empty()) {
    const ssize_t written = calls.write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void put_whole(const fs::path& file, std::string_view text, const WritingCalls& calls) {
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail(errno);
    int error = write_all(descriptor, text, calls);
    if (calls.close(descriptor) != 0 && error == 0) error = errno;
    if (error != 0) fail(error);
    return;
  }
  if (S_ISREG(status.st_mode) && access(file.c_str(), W_OK) != 0) fail(errno);
  PartFile part(file, calls);
  part.write(text);
  part.sync();
  part.take_place();
}

void write_whole(const std::string& place, const fs::path& file, std::string_view text,
                 Writer writer) {
  refuse_read(place, file, writer);
  try {
    put_whole(file, text);
  } catch (const std::system_error& error) {
    cannot_write(place, error);
  }
}

void write_new(const fs::path& file, std::string_view text, const WritingCalls& calls) {
  try {
    // a link that leads nowhere is there, too
    if (std::error_code none; fs::exists(fs::symlink_status(file, none))) fail(EEXIST);
    PartFile part(file, calls);
    part.write(text);
    part.sync();
    part.take_new_place();
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::file_exists)
      throw InputError({{{file.string(), 0, 0}, kExistsAlready}});
    cannot_write(file.string(), error);
  }
}

}  // namespace gpufeed
