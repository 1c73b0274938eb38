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

/// How what is sold of a kind is priced: what costs something by itself, and of machines those with
/// a price or a rent of their own.
struct PriceShare {
  std::string kind;
  std::int64_t sold = 0;
  std::int64_t documented = 0;   ///< price or rent
  std::int64_t unpriced = 0;     ///< neither price nor rent
  std::int64_t sold_lately = 0;  ///< of those first sold in kLately or after
  std::int64_t documented_lately = 0;
};
inline constexpr std::int64_t kLately = 2022;

/// One for each kind of which something is sold. Entries that cannot be read go to `out`.
std::vector<PriceShare> price_shares(const Catalog& catalog, Diagnostics& out);

/// Months from the end of a price's year to that month: how old it is at least; below 0 where the
/// year is not over yet.
std::int64_t months_old(const KnownPrice& price, std::int64_t year, std::int64_t month);

}  // namespace gpufeed
