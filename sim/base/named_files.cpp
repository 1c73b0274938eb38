// SPDX-License-Identifier: Apache-2.0
#include "sim/base/named_files.h"

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

NamedFiles::NamedFiles(const std::vector<fs::path>& within) {
  for (const auto& folder : within)
    if (fs::path found = without_links(folder); !found.empty()) within_.push_back(std::move(found));
}

bool NamedFiles::admit(const fs::path& file) {
  if (!within_.empty()) {
    const fs::path found = without_links(file);
    const bool inside = std::ranges::any_of(
        within_, [&](const fs::path& folder) { return is_below(found, folder); });
    if (found.empty() || !inside) return false;
  }
  const std::scoped_lock lock(mutex_);
  named_.insert(file);
  return true;
}

std::vector<fs::path> NamedFiles::all() const {
  const std::scoped_lock lock(mutex_);
  return {named_.begin(), named_.end()};
}

}  // namespace gpufeed
