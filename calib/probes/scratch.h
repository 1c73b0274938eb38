// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "sim/base/units.h"

namespace gpufeed {

/// Whether a folder can be written, or is not there yet.
bool may_write(const std::filesystem::path& folder);

/// A new folder for the files of a measurement, gpufeed-scratch-XXXXXX, which goes away with them.
/// A file in it says which process made it: what a run that was killed left there is removed first,
/// anything else never.
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
};

}  // namespace gpufeed
