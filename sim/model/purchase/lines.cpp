// SPDX-License-Identifier: Apache-2.0
#include "sim/model/purchase/lines.h"

#include <algorithm>

namespace gpufeed {

void leave_out_price(BillLine& line, std::string_view basis) {
  line.price_USD.reset();
  line.price_year.reset();
  line.price_basis = basis;
  line.price_source.clear();
}

void leave_out_power(BillLine& line, std::string_view basis) {
  line.power_W.reset();
  line.power_basis = basis;
  line.power_source.clear();
}

bool same_product(const BillLine& a, const BillLine& b) {
  return a.kind == b.kind && a.name == b.name && a.store == b.store && a.price_USD == b.price_USD &&
         a.power_W == b.power_W;
}

void add_line(Bill& bill, BillLine line) {
  const auto same =
      std::ranges::find_if(bill, [&](const BillLine& old) { return same_product(old, line); });
  if (same == bill.end())
    bill.push_back(std::move(line));
  else
    same->count += line.count;
}

}  // namespace gpufeed
