// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

/// The project's own files, for tests of what they say.
namespace gpufeed {

inline std::string content(const std::string& path_from_root) {
  std::ifstream in(GPUFEED_SOURCE_DIR "/" + path_from_root, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Paths from the root, sorted, of the files below `folder`.
inline std::vector<std::string> files_below(const std::string& folder) {
  const std::filesystem::path root(GPUFEED_SOURCE_DIR);
  std::vector<std::string> files;
  if (!exists(root / folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(root).string());
  std::ranges::sort(files);
  return files;
}

inline bool is_code(std::string_view path) {
  return path.ends_with(".h") || path.ends_with(".cpp") || path.ends_with(".cu") ||
         path.ends_with("CMakeLists.txt");
}

}  // namespace gpufeed
