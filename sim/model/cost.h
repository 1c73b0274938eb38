// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/base/diagnostics.h"
#include "sim/model/fields/field.h"

namespace gpufeed {

/// What having the machines costs beside their price.
struct Cost {
  Seconds life_time{4 * 365.25 * 86400};
  Money electricity_per_kwh{0.12};
  double power_usage_effectiveness = 1.4;
  std::optional<Money> rent_per_hour;
  std::optional<std::int64_t> year;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("life_time", &Cost::life_time,
              "over which what is bought is written off, in equal parts; used all of it")
              .between(24_h, 876600_h));
    visit(key("electricity_per_kwh", &Cost::electricity_per_kwh,
              "price of a kilowatt-hour; of rented machines it is in the rent")
              .between(0_USD, 100_USD));
    visit(key("power_usage_effectiveness", &Cost::power_usage_effectiveness,
              "power of the whole building over that of its machines (PUE), 1 to 10"));
    visit(key("rent_per_hour", &Cost::rent_per_hour,
              "of one machine, as quoted; default: the system's, where it is one that is rented")
              .between(0_USD, 1000000_USD));
    visit(key("year", &Cost::year,
              "in which it is bought: parts that were last sold before it are refused; default: "
              "they are not")
              .between(1990, 2100));
  }
};

}  // namespace gpufeed
