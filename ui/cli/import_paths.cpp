// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/import_paths.h"

#include <filesystem>

namespace gpufeed::cli {

std::string beside(const std::string& file, const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(file).parent_path();
  if (folder.empty() || fs::path(path).is_absolute()) return path;
  return fs::proximate(path, folder).string();
}

std::string as_seen_from(const std::string& file, const std::string& name) {
  const bool path = name.find('/') != std::string::npos || name.ends_with(".toml");
  if (!path || file.empty() || file == "-") return name;
  const std::filesystem::path seen = beside(file, name);
  return seen.has_parent_path() ? seen.string() : "./" + seen.string();
}

}  // namespace gpufeed::cli
