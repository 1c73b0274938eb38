// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/fields/price_law.h"

namespace gpufeed {

struct Chassis;
struct Cpu;
struct Drive;
struct Gpu;
struct Nic;

/// What is known of a product that its price follows, where no document tells it.
/// \param unit   what the price is proportional to, such as GB of memory; 1: nothing
/// \param terms  dimensionless; one for each coefficient of the law
struct PriceTerms {
  double unit = 1;
  std::vector<double> terms;
};

/// Nothing where the law does not hold: storage-class memory, GPUs of a generation of which no
/// document tells a price.
std::optional<PriceTerms> price_terms(const Cpu& cpu, const PriceLaw& law);
std::optional<PriceTerms> price_terms(const Gpu& gpu, const PriceLaw& law);
std::optional<PriceTerms> price_terms(const Drive& drive, const PriceLaw& law);
std::optional<PriceTerms> price_terms(const Nic& nic, const PriceLaw& law);

/// \return USD, of three digits; of drives those of their price's year, of others those of the
/// documents' years
Money price_by_rule(const PriceTerms& terms, const PriceLaw& law);

/// Of an empty chassis, by what it holds: GPU modules, wide cards, or neither.
ChassisClass class_of(const Chassis& chassis);
/// No document tells any: these are judged, and tried on whole machines (`price_rule_test`).
/// Nothing where the law has no price of its class.
std::optional<Money> price_by_rule(const Chassis& chassis, const PriceLaw& law);

}  // namespace gpufeed
