// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/report/archive.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "calib/discover/live.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/transient_folder.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

struct Heading {
  std::string path;
  std::string target;  ///< of a symbolic link; empty: a file
  bool hex = false;
};

/// Whether a path may be made below another root: nothing leads out of it.
bool is_inside(const std::string& path) {
  constexpr std::size_t kLongest = 1000;
  return path.size() < kLongest && (path.starts_with("/sys/") || path.starts_with("/proc/")) &&
         path.find("..") == std::string::npos && path.find('\0') == std::string::npos;
}

std::optional<Heading> heading_in(const std::string& line) {
  if (!line.starts_with("==> /") || !line.ends_with(" <==")) return {};
  Heading out;
  out.path = line.substr(4, line.size() - 8);
  if (out.path.ends_with(" (hex)")) {
    out.hex = true;
    out.path.resize(out.path.size() - 6);
  }
  if (const std::size_t arrow = out.path.find(" -> "); arrow != std::string::npos) {
    out.target = out.path.substr(arrow + 4);
    out.path.resize(arrow);
    if (!is_inside(out.target)) return {};
  }
  return is_inside(out.path) ? std::optional(out) : std::nullopt;
}

std::string bytes_of(const std::string& hex) {
  std::string out;
  for (const std::string& word : split_words(hex))
    out += static_cast<char>(std::strtol(word.substr(0, 2).c_str(), nullptr, 16));
  return out;
}

class Restorer {
 public:
  explicit Restorer(ReportLines& lines) : lines_(lines) {}

  /// How many files there were.
  std::size_t restore(const fs::path& root) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < lines_.size();) {
      const auto heading = heading_in(lines_[i]);
      if (!heading) {
        ++i;
        continue;
      }
      std::size_t end = i + 1;
      while (end < lines_.size() && !lines_[end].starts_with("==> ")) ++end;
      constexpr std::size_t kMost = 200000;
      if (++count > kMost)
        throw InputError({{{lines_.name(), static_cast<int>(i) + 1, 1},
                           fmt::format("more than {} files: this is no one machine", kMost)}});
      write(root, *heading, i + 1, end);
      lines_.use(i, end);
      i = end;
    }
    return count;
  }

 private:
  void write(const fs::path& root, const Heading& heading, std::size_t from, std::size_t to) const {
    std::error_code none;
    const fs::path path = root / heading.path.substr(1);
    fs::create_directories(path.parent_path(), none);
    if (!heading.target.empty()) {
      const fs::path target = root / heading.target.substr(1);
      fs::create_directories(target, none);
      const fs::path folder = fs::weakly_canonical(path.parent_path(), none);
      if (!fs::exists(path, none))
        fs::create_symlink(target.lexically_relative(folder), path, none);
      return;
    }
    std::string content;
    for (std::size_t i = from; i < to; ++i) content += lines_[i] + "\n";
    while (content.ends_with("\n\n")) content.pop_back();  // the blank line before a heading
    std::ofstream(path, std::ios::binary) << (heading.hex ? bytes_of(content) : content);
  }

  ReportLines& lines_;
};

}  // namespace

std::optional<FoundMachine> machine_of_archive(ReportLines& lines) {
  bool any = false;
  for (std::size_t i = 0; i < lines.size() && !any; ++i)
    any = heading_in(lines[i]) && lines[i].starts_with("==> /sys/devices/system/");
  if (!any) return {};
  const TransientFolder root;
  Restorer(lines).restore(root.path());
  return machine_at(root.path());
}

}  // namespace gpufeed
