// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace gpufeed {

/// Where the files must lie that an input names: for inputs of strangers.
class Confinement {
 public:
  /// \param folders  none: anywhere
  explicit Confinement(const std::vector<std::filesystem::path>& folders = {});

  /// Whether `file`, which need not be there, lies in one of the folders once links are followed.
  bool allows(const std::filesystem::path& file) const;

 private:
  std::vector<std::filesystem::path> folders_;  ///< without links
};

}  // namespace gpufeed
