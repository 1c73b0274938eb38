// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/base/files/run_files.h"

namespace gpufeed {

/// The calls of the system that writing makes; a test lets each of them fail.
struct WritingCalls {
  int (*make)(char* name, int flags) = mkostemp;
  ssize_t (*write)(int descriptor, const void* from, size_t count) = ::write;
  int (*sync)(int descriptor) = fsync;
  int (*close)(int descriptor) = ::close;
  int (*rename)(const char* from, const char* to) = ::rename;
  int (*rename_new)(int from_folder, const char* from, int to_folder, const char* to,
                    unsigned flags) = renameat2;
};
inline constexpr WritingCalls kSystemCalls{};

/// A file in the making, beside the one whose place it will take: in the same file system, under a
/// name that nobody can guess, and made new, so that no link is followed. What does not take its
/// place goes away. All of it throws std::system_error.
class PartFile {
 public:
  /// \param file  a link stays one: what it leads to is replaced
  explicit PartFile(const std::filesystem::path& file, const WritingCalls& calls = kSystemCalls);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// Where it is meanwhile.
  const std::filesystem::path& path() const { return path_; }
  void write(std::string_view text);
  /// To the disk, and its name once it has taken its place: else a crash could leave an empty file
  /// there.
  void sync();
  /// In the place of what is there.
  void take_place();
  /// The same, where nothing is there: else error EEXIST.
  void take_new_place();

 private:
  void close();
  void taken();

  WritingCalls calls_;
  std::filesystem::path file_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool synced_ = false;
  bool waits_ = true;  ///< has not taken its place
};

/// Removes all that wait to take their place: for a process that ends at once, also in a signal
/// handler.
void remove_part_files() noexcept;

/// Writes all of `text` to a file descriptor. \return 0 or the error's number
int write_all(int descriptor, std::string_view text, const WritingCalls& calls = kSystemCalls);

/// Writes a file that is whole or as it was before, on the disk too; a pipe or device is written as
/// it is. \throws std::system_error
void put_whole(const std::filesystem::path& file, std::string_view text,
               const WritingCalls& calls = kSystemCalls);

/// The same, of a file that was not read.
/// \param place  how messages call it
/// \throws InputError  where it was read, or cannot be written
void write_whole(const std::string& place, const std::filesystem::path& file, std::string_view text,
                 Writer writer = Writer::any);

/// Writes a file that must not exist yet: whole, or none.
/// \throws InputError  where it exists, or cannot be written
void write_new(const std::filesystem::path& file, std::string_view text,
               const WritingCalls& calls = kSystemCalls);

/// What messages say of a file that `write_new` finds.
inline constexpr const char* kExistsAlready = "exists already, and is never overwritten";

}  // namespace gpufeed
