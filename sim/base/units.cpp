// SPDX-License-Identifier: Apache-2.0
#include "sim/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gpufeed {
namespace {

constexpr double kKi = 1024.0;

constexpr std::array kByteNames{UnitName{"B", 1},
                                UnitName{"kB", 1e3},
                                UnitName{"MB", 1e6},
                                UnitName{"GB", 1e9},
                                UnitName{"TB", 1e12},
                                UnitName{"PB", 1e15},
                                UnitName{"KiB", kKi},
                                UnitName{"MiB", kKi* kKi},
                                UnitName{"GiB", kKi* kKi* kKi},
                                UnitName{"TiB", kKi* kKi* kKi* kKi}};
constexpr std::array kByteShown{UnitName{"B", 1},    UnitName{"kB", 1e3},  UnitName{"MB", 1e6},
                                UnitName{"GB", 1e9}, UnitName{"TB", 1e12}, UnitName{"PB", 1e15}};

constexpr std::array kSecondNames{UnitName{"ns", 1e-9}, UnitName{"us", 1e-6}, UnitName{"µs", 1e-6},
                                  UnitName{"ms", 1e-3}, UnitName{"s", 1},     UnitName{"min", 60},
                                  UnitName{"h", 3600},  UnitName{"d", 86400}};
constexpr std::array kSecondShown{UnitName{"ns", 1e-9}, UnitName{"us", 1e-6}, UnitName{"ms", 1e-3},
                                  UnitName{"s", 1}, UnitName{"h", 3600}};

constexpr std::array kBandwidthNames{UnitName{"B/s", 1},          UnitName{"kB/s", 1e3},
                                     UnitName{"MB/s", 1e6},       UnitName{"GB/s", 1e9},
                                     UnitName{"TB/s", 1e12},      UnitName{"KiB/s", kKi},
                                     UnitName{"MiB/s", kKi* kKi}, UnitName{"GiB/s", kKi* kKi* kKi},
                                     UnitName{"kb/s", 1e3 / 8},   UnitName{"Mb/s", 1e6 / 8},
                                     UnitName{"Gb/s", 1e9 / 8},   UnitName{"Tb/s", 1e12 / 8}};
constexpr std::array kBandwidthShown{UnitName{"B/s", 1}, UnitName{"kB/s", 1e3},
                                     UnitName{"MB/s", 1e6}, UnitName{"GB/s", 1e9},
                                     UnitName{"TB/s", 1e12}};

constexpr std::array kRateNames{UnitName{"/s", 1},        UnitName{"k/s", 1e3},
                                UnitName{"M/s", 1e6},     UnitName{"IOPS", 1},
                                UnitName{"kIOPS", 1e3},   UnitName{"MIOPS", 1e6},
                                UnitName{"samples/s", 1}, UnitName{"requests/s", 1}};
constexpr std::array kRateShown{UnitName{"/s", 1}, UnitName{"k/s", 1e3}, UnitName{"M/s", 1e6}};

constexpr std::array kRatioNames{UnitName{"%", 0.01}};
constexpr std::array kPowerNames{UnitName{"W", 1}, UnitName{"kW", 1e3}};
constexpr std::array kMoneyNames{UnitName{"USD", 1}};
constexpr std::array kFlopRateNames{UnitName{"FLOP/s", 1}, UnitName{"GFLOP/s", 1e9},
                                    UnitName{"TFLOP/s", 1e12}, UnitName{"PFLOP/s", 1e15}};

constexpr std::array kFrequencyNames{UnitName{"MHz", 1e6}, UnitName{"GHz", 1e9}};

constexpr UnitTable kBytes{"size", "200 kB", kByteNames, kByteShown};
constexpr UnitTable kSeconds{"time", "90 us", kSecondNames, kSecondShown};
constexpr UnitTable kBandwidth{"bandwidth", "14.5 GB/s", kBandwidthNames, kBandwidthShown};
constexpr UnitTable kRate{"rate", "1.5 M/s", kRateNames, kRateShown};
constexpr UnitTable kRatio{"ratio", "0.5 %", kRatioNames, kRatioNames};
constexpr UnitTable kPower{"power", "300 W", kPowerNames, kPowerNames};
constexpr UnitTable kMoney{"price", "129000 USD", kMoneyNames, kMoneyNames};
constexpr UnitTable kFlopRate{"computing rate", "15.7 TFLOP/s", kFlopRateNames, kFlopRateNames};
constexpr UnitTable kFrequency{"clock", "1.41 GHz", kFrequencyNames, kFrequencyNames};

constexpr bool is_space(char c) { return c == ' '; }

}  // namespace

template <>
const UnitTable& units_of<Bytes>() {
  return kBytes;
}
template <>
const UnitTable& units_of<Seconds>() {
  return kSeconds;
}
template <>
const UnitTable& units_of<Bandwidth>() {
  return kBandwidth;
}
template <>
const UnitTable& units_of<Rate>() {
  return kRate;
}
template <>
const UnitTable& units_of<Ratio>() {
  return kRatio;
}
template <>
const UnitTable& units_of<Power>() {
  return kPower;
}
template <>
const UnitTable& units_of<Money>() {
  return kMoney;
}
template <>
const UnitTable& units_of<FlopRate>() {
  return kFlopRate;
}
template <>
const UnitTable& units_of<Frequency>() {
  return kFrequency;
}

std::optional<double> parse_in(const UnitTable& units, std::string_view text) {
  // Of anything beyond, a square or a ratio would be 0 or infinite.
  const auto is_usable = [](double v) {
    return v == 0 || (std::abs(v) >= 1e-100 && std::abs(v) <= 1e100);
  };
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !is_usable(number)) return {};
  auto unit = text.substr(static_cast<std::size_t>(rest - text.data()));
  while (!unit.empty() && is_space(unit.front())) unit.remove_prefix(1);
  for (const auto& known : units.names)
    if (unit == known.name && is_usable(number * known.factor)) return number * known.factor;
  return {};
}

namespace {

/// Half away from zero in decimal, as a reader rounds: 38.55 becomes 38.6.
double rounded(double value, int digits) {
  if (value == 0.0) return 0.0;
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const double unit = std::pow(10.0, magnitude - digits + 1);
  const double scaled = value / unit;
  return std::round(scaled + std::copysign(1e-9, scaled)) * unit;
}

/// In full, without an exponent and without zeros at the end.
std::string plain(double value, int digits) {
  const int magnitude =
      value == 0.0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-12));
  std::string out = fmt::format("{:.{}f}", value, std::max(0, digits - 1 - magnitude));
  if (out.find('.') == std::string::npos) return out;
  out.resize(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

}  // namespace

std::string text_in(const UnitTable& units, double value, int digits) {
  const UnitName* unit = &units.shown.front();
  const double round_up = 1 - 0.5 * std::pow(10.0, -digits);  // 999.6 MB in 3 digits is 1 GB
  for (const auto& candidate : units.shown)
    if (std::abs(value) >= candidate.factor * round_up || (value == 0 && candidate.factor == 1))
      unit = &candidate;
  return fmt::format("{} {}", plain(rounded(value / unit->factor, digits), digits), unit->name);
}

std::string text_number(double value, int digits) {
  if (!std::isfinite(value)) return "unlimited";
  std::string out = plain(rounded(value, digits), digits);
  auto end = std::min(out.find('.'), out.size());
  const std::size_t start = out.front() == '-' ? 1 : 0;
  for (; end > start + 3; end -= 3) out.insert(end - 3, 1, ',');
  return out;
}

}  // namespace gpufeed
