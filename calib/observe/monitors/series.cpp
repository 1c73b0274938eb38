// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/monitors/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "sim/base/diagnostics.h"
#include "sim/base/files/paste.h"

namespace gpufeed {

void MonitorFacts::watched_for(double seconds) {
  if (seconds > 0) time_s = std::max(time_s.value_or(0), seconds);
}

MonitorReader::MonitorReader(const MonitorText& text, MonitorFacts& facts)
    : text_(text), facts_(facts) {
  const std::size_t first = text.text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool json =
      first != std::string::npos && (text.text[first] == '{' || text.text[first] == '[');
  if (json) return;
  lines_ = pasted_lines(text.text);
  // a number at its end may be half a number
  if (lines_.size() > 1 && !text.text.ends_with('\n')) {
    left_out(fmt::format("line {}: the text ends within it", lines_.size()));
    lines_.pop_back();
  }
}

bool MonitorReader::is_ours(const SeriesKey& key) {
  const auto [at, is_new] = facts_.told_by.try_emplace(key, text_.name);
  const bool counted = facts_.counters.contains(key);  // a further look at the same counter
  if (is_new || at->second == text_.name || counted) return true;
  left_out(fmt::format("{}{}{}: {} tells it already", key.node, key.node.empty() ? "" : " ",
                       key.part, at->second));
  return false;
}

void MonitorReader::rate(const SeriesKey& key, double time_s, double value) {
  if (!std::isfinite(value) || value < 0) return;
  if (is_ours(key)) facts_.rates[key].push_back({time_s, value});
}

void MonitorReader::counter(const SeriesKey& key, double time_s, double value) {
  if (!std::isfinite(value) || value < 0) return;
  if (is_ours(key)) facts_.counters[key].push_back({time_s, value});
}

void MonitorReader::source(const std::string& what) {
  facts_.sources.push_back(
      fmt::format("{} ({})", what, text_.name.substr(text_.name.rfind('/') + 1)));
}

void MonitorReader::note(const std::string& what) { facts_.notes.push_back(what); }

void MonitorReader::left_out(const std::string& what) {
  const std::string line =
      fmt::format("{}: {}", text_.name.substr(text_.name.rfind('/') + 1), what);
  if (!std::ranges::count(facts_.left_out, line)) facts_.left_out.push_back(line);
}

void MonitorReader::fail(std::size_t line, const std::string& message) const {
  throw InputError({{{text_.name, static_cast<int>(line) + 1, 1}, message}});
}

bool is_made_disk(const std::string& name) {
  for (const char* made : {"loop", "ram", "zram", "dm-", "md", "sr", "fd", "nbd"})
    if (name.starts_with(made)) return true;
  // partitions: sda1, nvme0n1p2
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == name.size()) return false;
  if (name.starts_with("nvme") || name.starts_with("mmcblk")) return name[digits - 1] == 'p';
  return name.starts_with("sd") || name.starts_with("vd") || name.starts_with("xvd") ||
         name.starts_with("hd");
}

bool is_made_card(const std::string& name) {
  constexpr std::array kMade{"lo",   "docker",  "veth", "br-",   "virbr", "cni",
                             "cali", "flannel", "tunl", "vxlan", "kube",  "bond"};
  if (name.find('.') != std::string::npos) return true;  // a VLAN of another
  return std::ranges::any_of(kMade, [&](const char* made) { return name.starts_with(made); });
}

std::vector<std::string> words_in(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::optional<double> number_at(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  double value = 0;
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || !std::isfinite(value)) return {};
  const auto end = static_cast<std::size_t>(rest - text.data());
  const bool glued = end < text.size() && text[end] != ' ' && text[end] != '%' && text[end] != ',';
  return glued && text[end] != '.' ? std::nullopt : std::optional(value);
}

std::optional<double> seconds_in(std::string_view text) {
  const std::string word(text);
  int year = 1970;
  unsigned month = 1;
  unsigned day = 1;
  int hour = 0;
  int minute = 0;
  double second = 0;
  int end = 0;
  char gap = ' ';
  constexpr int kWhole = 7;
  const bool dated = std::sscanf(word.c_str(), "%4d/%2u/%2u%c%2d:%2d:%lf%n", &year, &month, &day,
                                 &gap, &hour, &minute, &second, &end) == kWhole ||
                     std::sscanf(word.c_str(), "%4d-%2u-%2u%c%2d:%2d:%lf%n", &year, &month, &day,
                                 &gap, &hour, &minute, &second, &end) == kWhole ||
                     std::sscanf(word.c_str(), "%2u/%2u/%4d%c%2d:%2d:%lf%n", &month, &day, &year,
                                 &gap, &hour, &minute, &second, &end) == kWhole;
  if (!dated) {
    year = 1970;
    month = day = 1;
    if (std::sscanf(word.c_str(), "%2d:%2d:%lf%n", &hour, &minute, &second, &end) != 3) return {};
  }
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 || minute < 0 ||
      minute > 59 || !(second >= 0) || second > 61 || year < 1970 || year > 9999)
    return {};
  constexpr int kHalfDay = 12;
  const std::string_view rest = std::string_view(word).substr(static_cast<std::size_t>(end));
  if (rest.starts_with(" PM") && hour < kHalfDay) hour += kHalfDay;
  if (rest.starts_with(" AM") && hour == kHalfDay) hour = 0;
  const std::chrono::sys_days days =
      std::chrono::year{year} / std::chrono::month{month} / std::chrono::day{day};
  const double date = 86400.0 * static_cast<double>(days.time_since_epoch().count());
  return date + 3600.0 * hour + 60.0 * minute + second;
}

}  // namespace gpufeed
