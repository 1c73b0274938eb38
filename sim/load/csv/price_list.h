// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sim/base/nearest.h"
#include "sim/model/fields/entry.h"

namespace gpufeed {

/// What a seller asks for one product.
struct Quote {
  Money price;
  std::int64_t year = 0;
  Location where;
};

/// Quotes by the product's name in the catalog.
using PriceList = std::map<std::string, Quote, std::less<>>;

/// Takes a list of the buyer's prices: CSV whose first line names the columns name, price and year
/// in any order; prices are US dollars, "1299" or "1299 USD". Blank lines and those that begin with
/// # are passed over. Every problem goes to `out`.
/// \param known  names that may be quoted
PriceList parse_prices(std::string_view text, const std::string& name, const Names& known,
                       Diagnostics& out);

/// Puts the quote for `entry`, if there is one, in the place of its own price.
void quote(const PriceList& prices, Entry& entry, Purchase& purchase);

}  // namespace gpufeed
