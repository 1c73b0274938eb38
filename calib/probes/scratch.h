// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "sim/base/files/file_lock.h"
#include "sim/base/units.h"

namespace gpufeed {

/// Whether a folder can be written, or is not there yet.
bool may_write(const std::filesystem::path& folder);

/// A new folder for the files of a measurement, gpufeed-scratch-XXXXXX, which goes away with them.
/// A file in it is locked while it is used. What runs that were killed left there is removed first:
/// folders of the same user, with such a file, whose lock nobody holds. On a file system without
/// locks there is no such file, and what is left stays.
class Scratch {
 public:
  /// \param below  a folder that exists
  /// \param needs  that the measurement is going to write at most
  /// \throws InputError  where it cannot be written, or holds less free space
  Scratch(const std::filesystem::path& below, Bytes needs);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<FileLock> lock_;
};

}  // namespace gpufeed
