// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <mutex>
#include <set>
#include <vector>

namespace gpufeed {

/// The files that inputs name by a path: noted, so that no output takes the place of one, and
/// confined to folders where that is asked for. For any number of threads.
class NamedFiles {
 public:
  /// \param within  where a file must lie once links are followed; none: anywhere
  explicit NamedFiles(const std::vector<std::filesystem::path>& within = {});

  /// Notes `file`, which need not be there. \return whether it may be read
  bool admit(const std::filesystem::path& file);
  /// The folders that it is confined to, without links; none: to no folder.
  const std::vector<std::filesystem::path>& within() const { return within_; }
  /// What was admitted, sorted.
  std::vector<std::filesystem::path> all() const;

 private:
  std::vector<std::filesystem::path> within_;  ///< without links
  mutable std::mutex mutex_;
  std::set<std::filesystem::path> named_;
};

}  // namespace gpufeed
