// SPDX-License-Identifier: Apache-2.0
#include "sim/import/log_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "sim/import/job_logs.h"

namespace gpufeed {

std::optional<double> log_number(std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<double> log_date(std::string_view text) {
  std::array<int, 6> part{};
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() != kForm.size()) return {};
  std::size_t number = 0;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] != '0') {
      if (text[i] != kForm[i] && !(kForm[i] == 'T' && text[i] == ' ')) return {};
      ++number;
    } else if (text[i] < '0' || text[i] > '9') {
      return {};
    } else {
      part[number] = part[number] * 10 + (text[i] - '0');
    }
  }
  const std::chrono::year_month_day day{std::chrono::year(part[0]),
                                        std::chrono::month(static_cast<unsigned>(part[1])),
                                        std::chrono::day(static_cast<unsigned>(part[2]))};
  if (!day.ok()) return {};
  const auto days = std::chrono::sys_days(day).time_since_epoch().count();
  return static_cast<double>(days) * 86400 + part[3] * 3600.0 + part[4] * 60.0 + part[5];
}

std::vector<std::string_view> log_fields(std::string_view text, char apart) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(apart, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::optional<double> log_length(std::string_view text) {
  double days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto given = log_number(text.substr(0, dash));
    if (!given) return {};
    days = *given;
    text.remove_prefix(dash + 1);
  }
  double seconds = 0;
  for (const auto part : log_fields(text, ':')) {
    const auto value = log_number(part);
    if (!value) return {};
    seconds = seconds * 60 + *value;
  }
  return days * 86400 + seconds;
}

std::optional<double> log_bytes(std::string_view text) {
  double factor = 1048576;
  constexpr std::string_view kLetters = "KMGTP";
  if (!text.empty())
    if (const std::size_t at = kLetters.find(text.back()); at != std::string_view::npos) {
      factor = std::pow(1024.0, static_cast<double>(at) + 1);
      text.remove_suffix(1);
    }
  const auto value = log_number(text);
  if (!value) return {};
  return *value * factor;
}

void put_in_order(LoggedJobs& made) {
  std::ranges::stable_sort(made.jobs, {},
                           [](const cluster::JobRow& job) { return job.arrival.value; });
  if (made.jobs.empty()) return;
  const Seconds first = made.jobs.front().arrival;
  for (cluster::JobRow& job : made.jobs) job.arrival -= first;
}

}  // namespace gpufeed
