// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gpufeed {

/// A lock (flock) that says that something is in use, for as long as this lives. The kernel gives
/// it up however the process ends, and it holds against other containers, and over NFS other
/// machines, which may have processes of the same number and hosts of the same name. A process that
/// is forked has a part in it until it ends or the owner lets go; a program that is started has
/// none: it may outlive the owner.
class FileLock {
 public:
  /// Of a file or folder that exists; does not wait, and follows no link.
  /// \return nothing where another one holds it, the file system has no locks, or nothing is there:
  ///         all that is known then is that it may be in use
  static std::optional<FileLock> take(const std::filesystem::path& file);
  /// Of a new, empty file, which has this name only once it is locked.
  /// \return nothing where the file system has no locks; then there is no such file
  /// \throws std::system_error  where it cannot be made
  static std::optional<FileLock> make(const std::filesystem::path& file);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  bool hold() const;

  int descriptor_;
};

/// Sixteen digits for the name of a file, which nobody has and nobody can guess.
std::string name_of_its_own();

}  // namespace gpufeed
