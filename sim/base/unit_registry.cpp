// SPDX-License-Identifier: Apache-2.0
#include "sim/base/unit_registry.h"

#include <algorithm>
#include <array>

#include "sim/base/units.h"

namespace gpufeed {
namespace {

/// Units that no quantity of a scenario has: counts and ratios.
constexpr std::array<std::string_view, 4> kPlainUnits{"", "GPUs", "x", "steps/s"};

template <class... Q>
std::array<const UnitTable*, sizeof...(Q)> tables_of() {
  return {&units_of<Q>()...};
}

const auto& unit_tables() {
  static const auto tables =
      tables_of<Bytes, Seconds, Bandwidth, Rate, Ratio, Power, Money, FlopRate, Frequency>();
  return tables;
}

}  // namespace

std::optional<double> unit_factor(std::string_view unit) {
  if (std::ranges::count(kPlainUnits, unit)) return 1;
  for (const UnitTable* table : unit_tables())
    for (const auto& known : table->names)
      if (known.name == unit) return known.factor;
  return {};
}

Names known_units() {
  Names names(kPlainUnits.begin() + 1, kPlainUnits.end());
  for (const UnitTable* table : unit_tables())
    for (const auto& unit : table->names) names.emplace_back(unit.name);
  return names;
}

}  // namespace gpufeed
