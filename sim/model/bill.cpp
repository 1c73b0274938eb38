// SPDX-License-Identifier: Apache-2.0
#include "sim/model/bill.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/units.h"
#include "sim/model/catalog/stores.h"

namespace gpufeed {

bool is_bought(const BillLine& line, bool rented) {
  return line.price_basis != kRented &&
         (!rented || line.kind == Array::kKind || !line.store.empty());
}

bool lacks_price(const BillLine& line, bool rented) {
  return !line.price_USD && line.price_basis.empty() && is_bought(line, rented);
}

bool lacks_power(const BillLine& line) {
  return !line.power_W && line.power_basis.empty() && line.count >= 0;
}

bool keeps_power(const BillLine& line) {
  return !line.power_W && line.power_basis.empty() && line.count < 0;
}

std::string in_words(const BillLine& line) {
  const std::string count = text_number(std::abs(line.count));
  if (line.name == kUnknownMemory) return count + " " + std::string(line.name);
  return fmt::format("{} x {}{}", count, line.name, line.count < 0 ? " taken out" : "");
}

}  // namespace gpufeed
