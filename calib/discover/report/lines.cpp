// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/report/lines.h"

#include <cctype>
#include <charconv>
#include <cmath>

namespace gpufeed {

std::optional<std::string> value_after(std::string_view line, std::string_view key) {
  line = trimmed(line);
  if (!line.starts_with(key)) return {};
  line = trimmed(line.substr(key.size()));
  if (!line.starts_with(':')) return {};
  return std::string(trimmed(line.substr(1)));
}

double leading_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::isfinite(value) && value > 0 && value < 1e18 ? value : 0;
}

double size_in_bytes(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || !(value > 0) || value > 1e18) return 0;
  std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(rest - text.data())));
  if (unit.empty() || unit == "B" || unit == "bytes") return value;
  const auto power = std::string_view("KMGTP").find(
      static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
  if (power == std::string_view::npos) return 0;
  return value * std::pow(1024.0, static_cast<double>(power) + 1);
}

}  // namespace gpufeed
