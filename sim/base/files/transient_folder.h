// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace gpufeed {

/// A new folder of the system's folder for such, which goes away with what is in it.
class TransientFolder {
 public:
  /// \throws InputError  where none can be made
  TransientFolder();
  ~TransientFolder();
  TransientFolder(const TransientFolder&) = delete;
  TransientFolder& operator=(const TransientFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace gpufeed
