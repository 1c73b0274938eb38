// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include <fmt/ranges.h>

#include "calib/discover/report/facts.h"

namespace gpufeed {
namespace {

/// Names of what is a disk: "nvme0n1", "sda", "vdb".
bool is_disk_name(std::string_view name) {
  const auto letters = [&](std::string_view prefix) {
    return name.size() > prefix.size() && name.starts_with(prefix) &&
           std::ranges::all_of(name.substr(prefix.size()),
                               [](unsigned char c) { return std::islower(c) != 0; });
  };
  if (letters("sd") || letters("vd") || letters("xvd")) return true;
  return name.starts_with("nvme") && name.find('n', 4) != std::string_view::npos &&
         name.find('p') == std::string_view::npos;
}

/// lsblk without -J: "sda      8:0    0  7T  0 disk".
bool read_lsblk(const std::string& line, ReportFacts& facts) {
  const auto words = split_words(line);
  if (words.size() < 6 || words[5] != "disk" || words[1].find(':') == std::string::npos)
    return words.size() > 5 && words[1].find(':') != std::string::npos &&
           (words[5] == "part" || words[5] == "lvm" || words[5] == "loop" ||
            words[5].starts_with("raid") || words[5] == "rom" || words[5] == "crypt");
  if (is_disk_name(words[0])) {
    const double size = size_in_bytes(words[3]);
    if (facts.drives[words[0]].size.value == 0) facts.drives[words[0]].size = {size};
  }
  return true;
}

/// nvme list: "/dev/nvme0n1  S6CK...  SAMSUNG MZQL23T8HCLS-00A07  1  3.84  TB / 3.84  TB ...".
bool read_nvme(const std::string& line, ReportFacts& facts) {
  const auto words = split_words(line);
  if (words.size() < 6 || !words[0].starts_with("/dev/nvme")) return false;
  DriveFacts& drive = facts.drives[words[0].substr(5)];
  const auto slash = std::ranges::find(words, "/");
  if (slash == words.end() || slash + 2 >= words.end()) return true;
  const double unit = *(slash + 2) == "TB" ? 1e12 : *(slash + 2) == "GB" ? 1e9 : 0;
  drive.size = {leading_number(*(slash + 1)) * unit};
  // serial number, model, namespace, usage
  const auto used = slash - words.begin();
  std::string model;
  for (std::ptrdiff_t i = 2; i < used - 3; ++i) {
    const std::string& word = words[static_cast<std::size_t>(i)];
    if (!word.starts_with("/dev/")) model += (model.empty() ? "" : " ") + word;
  }
  drive.product = model;
  return true;
}

/// "md0 : active raid0 nvme1n1[1] nvme0n1[0]".
bool read_array(const std::string& line, ReportFacts& facts) {
  const auto words = split_words(line);
  if (words.size() < 4 || !words[0].starts_with("md") || words[1] != ":") return false;
  std::vector<std::string> members;
  std::string layout = "an array";
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::size_t bracket = words[i].find('[');
    if (bracket != std::string::npos) members.push_back(words[i].substr(0, bracket));
    if (words[i].starts_with("raid")) layout = words[i];
  }
  std::ranges::sort(members);
  facts.questions.push_back(fmt::format(
      "is {} ({} of {}) to be a volume? Add [[volume]] with these drives; it is left out", words[0],
      layout, fmt::join(members, ", ")));
  return true;
}

/// "10.0.0.5:/data on /data type nfs4 (rw,relatime,vers=4.2,...)", or of a local drive.
bool read_mount(const std::string& line, ReportFacts& facts) {
  const auto words = split_words(line);
  if (words.size() < 6 || words[1] != "on" || words[3] != "type" || !words[5].starts_with('('))
    return false;
  facts.mounts.push_back({words[0], words[2], words[4], words[5]});
  return true;
}

}  // namespace

void read_drives(ReportLines& lines, ReportFacts& facts) {
  bool mdstat = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::string_view plain = trimmed(line);
    mdstat = mdstat || plain.starts_with("Personalities");
    const bool detail =
        mdstat &&
        (plain.find(" blocks") != std::string_view::npos || plain.starts_with("Personalities") ||
         plain.starts_with("bitmap:") || plain.starts_with("unused devices"));
    const bool heading =
        plain.starts_with("NAME") || plain.starts_with("Node ") || plain.starts_with("------");
    if (read_nvme(line, facts) || read_lsblk(line, facts) || read_array(line, facts) ||
        read_mount(line, facts) || detail || heading)
      lines.use(i);
  }
}

}  // namespace gpufeed
