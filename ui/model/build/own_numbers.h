// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/load/read/catalog.h"

namespace gpufeed::ui {

/// A number of a product: as the catalog has it, and as the scenario's own values say.
struct ProductNumber {
  std::string key;
  std::string help;     ///< what it is
  std::string catalog;  ///< "3 GB/s"; "unknown"
  std::string basis;    ///< how the catalog knows it
  std::string source;
  std::string own;  ///< empty where the scenario takes the catalog's
};

/// All numbers of a product. \param text  the scenario
/// \throws InputError  where the catalog has no such product, or the text is no TOML
std::vector<ProductNumber> product_numbers(const std::string& text, const Catalog& catalog,
                                           const std::string& kind, const std::string& product);

/// `text` with a number as the user's own, wherever the product is used; empty: the catalog's
/// again. \throws InputError  where the text cannot take it
std::string with_own_number(const std::string& text, const std::string& product,
                            const std::string& key, const std::string& value);

/// What the user's own price of a product is, as it was typed in; empty: the catalog's stands.
std::string own_price(const std::string& text, const std::string& product);

/// `text` with a quote for one piece: "12,500" are USD; "12500 USD" is the same; empty: the
/// catalog's price again. \throws InputError  where the text cannot take it
std::string with_quote(const std::string& text, const std::string& product,
                       const std::string& quote);

}  // namespace gpufeed::ui
