// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/confinement.h"

#include <algorithm>

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

/// As far as it is there without links; empty where that cannot be found out.
fs::path without_links(const fs::path& file) {
  std::error_code failed;
  const fs::path found = fs::weakly_canonical(fs::absolute(file, failed), failed);
  return failed ? fs::path() : found;
}

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

}  // namespace

Confinement::Confinement(const std::vector<fs::path>& folders) {
  for (const auto& folder : folders)
    if (fs::path found = without_links(folder); !found.empty())
      folders_.push_back(std::move(found));
}

bool Confinement::allows(const fs::path& file) const {
  if (folders_.empty()) return true;
  const fs::path found = without_links(file);
  return !found.empty() && std::ranges::any_of(folders_, [&](const fs::path& folder) {
    return is_below(found, folder);
  });
}

}  // namespace gpufeed
