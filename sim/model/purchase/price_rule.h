// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

struct Chassis;
struct Cpu;
struct Drive;
struct Gpu;
struct Nic;

/// What is known of a product that its price follows, where no document tells it:
///
///     price = unit exp(sum_i coefficient_i term_i)
///
/// \param unit   what the price is proportional to, such as GB of memory; 1: nothing
/// \param terms  dimensionless; as many as the kind has coefficients
struct PriceTerms {
  double unit = 1;
  std::vector<double> terms;
};

/// Nothing where the law does not hold: storage-class memory, GPUs of a generation of which no
/// document tells a price.
PriceTerms price_terms(const Cpu& cpu);
std::optional<PriceTerms> price_terms(const Gpu& gpu);
std::optional<PriceTerms> price_terms(const Drive& drive);
PriceTerms price_terms(const Nic& nic);

/// Those of a kind ("cpu", "gpu", "drive", "nic"): the least squares of ln price over the products
/// of the catalog of which a document tells it; `price_rule_test` fits them anew.
std::span<const double> price_coefficients(std::string_view kind);

/// \return USD, of three digits; of drives those of 2025, of others those of the documents' years
Money price_by_rule(std::string_view kind, const PriceTerms& terms);

/// Of an empty chassis, by what it holds: GPU modules, wide cards, or neither. No document tells
/// any: these are judged, and tried on whole machines (`price_rule_test`).
Money price_by_rule(const Chassis& chassis);

/// How far the price of one product may be from an estimated one of its kind: times `least` to
/// times `most`. Of processors, GPUs, drives and network cards it holds at least 80 % of those of
/// which a document tells the price, each left out of the fit; of others it is judged.
struct PriceRange {
  double least = 1;
  double most = 1;
};
/// Nothing for kinds that have no estimated prices.
std::optional<PriceRange> range_of_estimates(std::string_view kind);

}  // namespace gpufeed
