// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "sim/base/units.h"

namespace gpufeed {

/// Reads whole files, and counts what the read calls took. From `kInHugePagesFromBytes` on, its own
/// memory lies in huge pages, as NumPy's does.
class FileReader {
 public:
  /// \param direct  around the page cache
  explicit FileReader(bool direct);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  /// Into memory of its own, until the next call. Empty where it cannot be read.
  std::string_view read(const std::filesystem::path& path);
  /// Into `to`, which begins a page and has room for whole pages of the file.
  /// \return the file's bytes; 0 where it cannot be read
  std::size_t read_into(const std::filesystem::path& path, std::uint8_t* to, std::size_t room);

  Seconds of_core() const { return of_core_; }
  Seconds by_clock() const { return by_clock_; }

 private:
  std::size_t read_all(int fd, std::uint8_t* to, std::size_t size);
  bool grow(std::size_t size);

  int flags_;
  std::uint8_t* memory_ = nullptr;
  std::size_t size_ = 0;
  Seconds of_core_;
  Seconds by_clock_;
};

}  // namespace gpufeed
