// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gpufeed {

/// A number with its unit: SI value inside, text with a unit outside. Different `Unit`s do not mix.
template <class Unit>
struct Quantity {
  double value = 0.0;

  auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity o) { return value += o.value, *this; }
  constexpr Quantity& operator-=(Quantity o) { return value -= o.value, *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, double f) { return {a.value * f}; }
  friend constexpr Quantity operator*(double f, Quantity a) { return {a.value * f}; }
  friend constexpr Quantity operator/(Quantity a, double f) { return {a.value / f}; }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

using Bytes = Quantity<struct BytesUnit>;          ///< byte
using Seconds = Quantity<struct SecondsUnit>;      ///< second
using Bandwidth = Quantity<struct BandwidthUnit>;  ///< byte per second
using Rate = Quantity<struct RateUnit>;            ///< requests, samples or operations per second
using Ratio = Quantity<struct RatioUnit>;          ///< 1 = 100 %
using Power = Quantity<struct PowerUnit>;          ///< watt
using Money = Quantity<struct MoneyUnit>;          ///< US dollar
using FlopRate = Quantity<struct FlopRateUnit>;    ///< floating-point operation per second
using Frequency = Quantity<struct FrequencyUnit>;  ///< cycle per second

constexpr Seconds operator/(Bytes b, Bandwidth w) { return {b.value / w.value}; }
constexpr Bandwidth operator/(Bytes b, Seconds s) { return {b.value / s.value}; }
constexpr Bytes operator*(Bandwidth w, Seconds s) { return {w.value * s.value}; }
constexpr Bandwidth operator*(Rate r, Bytes b) { return {r.value * b.value}; }
constexpr Rate operator/(Bandwidth w, Bytes b) { return {w.value / b.value}; }
template <class Unit>
constexpr Quantity<Unit> operator*(Quantity<Unit> a,
                                   Ratio r) requires(!std::is_same_v<Quantity<Unit>, Ratio>) {
  return {a.value * r.value};
}

/// One spelling of a unit and the SI value of 1 of it.
struct UnitName {
  std::string_view name;
  double factor;
};

/// Every accepted spelling, and how `text` writes: the largest of `shown` not above the value.
struct UnitTable {
  std::string_view quantity;  ///< "size", for messages
  std::string_view example;   ///< "200 kB", for messages
  std::span<const UnitName> names;
  std::span<const UnitName> shown;
};

template <class Q>
const UnitTable& units_of();
template <>
const UnitTable& units_of<Bytes>();
template <>
const UnitTable& units_of<Seconds>();
template <>
const UnitTable& units_of<Bandwidth>();
template <>
const UnitTable& units_of<Rate>();
template <>
const UnitTable& units_of<Ratio>();
template <>
const UnitTable& units_of<Power>();
template <>
const UnitTable& units_of<Money>();
template <>
const UnitTable& units_of<FlopRate>();
template <>
const UnitTable& units_of<Frequency>();

/// The SI value of text such as "14.5 GB/s"; nothing where number or unit is missing or unknown.
std::optional<double> parse_in(const UnitTable& units, std::string_view text);
/// `value` with the unit that leaves 1 to 999 before the point; `digits` significant ones at most.
std::string text_in(const UnitTable& units, double value, int digits);

template <class Unit>
std::optional<Quantity<Unit>> parse_quantity(std::string_view text) {
  const auto value = parse_in(units_of<Quantity<Unit>>(), text);
  if (!value) return {};
  return Quantity<Unit>{*value};
}
template <class Unit>
std::string text(Quantity<Unit> q, int digits = 6) {
  return text_in(units_of<Quantity<Unit>>(), q.value, digits);
}

/// `value` rounded to `digits` significant digits, with thousands separated by commas: "1,542".
std::string text_number(double value, int digits = 4);

namespace literals {
#define GPUFEED_LITERAL(suffix, Type, factor)                \
  constexpr Type operator""_##suffix(unsigned long long v) { \
    return Type{static_cast<double>(v) * (factor)};          \
  }                                                          \
  constexpr Type operator""_##suffix(long double v) {        \
    return Type{static_cast<double>(v) * (factor)};          \
  }
GPUFEED_LITERAL(B, Bytes, 1.0)
GPUFEED_LITERAL(kB, Bytes, 1e3)
GPUFEED_LITERAL(MB, Bytes, 1e6)
GPUFEED_LITERAL(GB, Bytes, 1e9)
GPUFEED_LITERAL(TB, Bytes, 1e12)
GPUFEED_LITERAL(PB, Bytes, 1e15)
GPUFEED_LITERAL(GiB, Bytes, 1073741824.0)
GPUFEED_LITERAL(ns, Seconds, 1e-9)
GPUFEED_LITERAL(us, Seconds, 1e-6)
GPUFEED_LITERAL(ms, Seconds, 1e-3)
GPUFEED_LITERAL(s, Seconds, 1.0)
GPUFEED_LITERAL(h, Seconds, 3600.0)
GPUFEED_LITERAL(kBps, Bandwidth, 1e3)
GPUFEED_LITERAL(MBps, Bandwidth, 1e6)
GPUFEED_LITERAL(GBps, Bandwidth, 1e9)
GPUFEED_LITERAL(TBps, Bandwidth, 1e12)
GPUFEED_LITERAL(per_s, Rate, 1.0)
GPUFEED_LITERAL(percent, Ratio, 0.01)
GPUFEED_LITERAL(W, Power, 1.0)
GPUFEED_LITERAL(USD, Money, 1.0)
GPUFEED_LITERAL(TFLOPps, FlopRate, 1e12)
GPUFEED_LITERAL(MHz, Frequency, 1e6)
GPUFEED_LITERAL(GHz, Frequency, 1e9)
#undef GPUFEED_LITERAL
}  // namespace literals

}  // namespace gpufeed
