// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/model/fields/entry.h"

namespace gpufeed {

class Catalog;

/// A price or a rent that the catalog has, and when it was asked.
struct KnownPrice {
  std::string kind;  ///< of the entry
  std::string name;
  std::string what;  ///< "price", "rent an hour", "rent of a TB and month", ...
  Money amount;
  std::int64_t year = 0;
  Basis basis = Basis::estimate;
  std::string source;
};

/// Every price and rent of the catalog, the oldest first, then by kind and name. Entries that
/// cannot be read go to `out`.
std::vector<KnownPrice> known_prices(const Catalog& catalog, Diagnostics& out);

/// Months from the end of a price's year to that month: how old it is at least; below 0 where the
/// year is not over yet.
std::int64_t months_old(const KnownPrice& price, std::int64_t year, std::int64_t month);

}  // namespace gpufeed
