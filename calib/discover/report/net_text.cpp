// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "calib/discover/report/facts.h"

namespace gpufeed {
namespace {

/// "100000Mb/s", "100Gb/s", "200 Gb/sec (4X HDR)".
Bandwidth rate_in(const std::string& text) {
  const double number = leading_number(text);
  const double unit = text.find("Gb") != std::string::npos   ? 1e9
                      : text.find("Mb") != std::string::npos ? 1e6
                                                             : 0;
  const double rate = number * unit / 8;
  return {rate < 1e13 ? rate : 0};
}

/// "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP ...".
std::string interface_in(const std::string& line) {
  const auto words = split_words(line);
  if (words.size() < 3 || !words[0].ends_with(':') || leading_number(words[0]) == 0) return "";
  if (!words[1].ends_with(':') || !words[2].starts_with('<')) return "";
  const std::string name = words[1].substr(0, words[1].size() - 1);
  return name.substr(0, name.find('@'));
}

}  // namespace

void read_net(ReportLines& lines, ReportFacts& facts) {
  std::string current;  // of ethtool or ibstat
  bool addresses = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::string_view plain = trimmed(line);
    if (const std::string name = interface_in(line); !name.empty()) {
      facts.net[name];
      addresses = true;
      lines.use(i);
    } else if (addresses && (plain.starts_with("link/") || plain.starts_with("altname") ||
                             plain.starts_with("inet") || plain.starts_with("valid_lft") ||
                             plain.starts_with("vf "))) {
      lines.use(i);
    } else if (plain.starts_with("Settings for ") && plain.ends_with(':')) {
      current = plain.substr(13, plain.size() - 14);
      facts.net[current];
      lines.use(i);
    } else if (plain.starts_with("CA '") && plain.ends_with('\'')) {  // ibstat
      current = plain.substr(4, plain.size() - 5);
      facts.net[current];
      lines.use(i);
    } else if (!current.empty() && !line.empty() && (line[0] == '\t' || line[0] == ' ')) {
      if (const auto speed = value_after(plain, "Speed")) facts.net[current].rate = rate_in(*speed);
      if (const auto rate = value_after(plain, "Rate"))
        facts.net[current].rate = {leading_number(*rate) * 1e9 / 8};
      if (const auto bus = value_after(plain, "bus-info")) facts.net[current].bus = plain_bus(*bus);
      lines.use(i);
    } else if (!plain.empty()) {
      current.clear();
    }
  }
}

}  // namespace gpufeed
