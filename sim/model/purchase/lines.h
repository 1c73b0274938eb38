// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/bill.h"
#include "sim/model/fields/entry.h"

namespace gpufeed {

using Bill = std::vector<BillLine>;

/// So many of a product, with price and power as its entry says them.
template <class Product>
BillLine line_of(const Product& one, double count) {
  BillLine line;
  line.kind = Product::kKind;
  line.name = one.name;
  line.count = count;
  if (one.price) {
    const Provenance& known = one.provenance_of("price");
    line.price_USD = one.price->value;
    line.price_year = one.price_year;
    line.price_basis = one.quoted ? kQuoted : name_of(known.basis);
    line.price_source = known.source;
  }
  if (one.power) {
    const Provenance& known = one.provenance_of("power");
    line.power_W = one.power->value;
    line.power_basis = name_of(known.basis);
    line.power_source = known.source;
  }
  return line;
}

/// As a scenario names it.
template <class Product>
BillLine line_of(const Ref<Product>& product, double count) {
  BillLine line = line_of(*product, count);
  line.name = product.name;
  return line;
}

/// Takes the price, or the power, out of a line: it is told elsewhere.
void leave_out_price(BillLine& line, std::string_view basis);
void leave_out_power(BillLine& line, std::string_view basis);

bool same_product(const BillLine& a, const BillLine& b);

/// Adds a line, or its count to that of the same product.
void add_line(Bill& bill, BillLine line);

}  // namespace gpufeed
