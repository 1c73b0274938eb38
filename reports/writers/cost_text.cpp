// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/cost_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/phrases.h"
#include "sim/base/units.h"
#include "sim/model/catalog/system.h"

namespace gpufeed {
namespace {

std::string dollars(double price) { return text_number(std::round(price), 15) + " USD"; }

std::string watts(double power) { return text(Power{power}, 4); }

template <class Test>
std::int64_t lines_that(const Result& result, const Test& test) {
  return std::ranges::count_if(result.bill, test);
}

std::int64_t prices_known_by(const Result& result, std::string_view basis) {
  return lines_that(result, [&](const BillLine& line) { return line.price_basis == basis; });
}

/// "3 prices of 2016 to 2022, 1 an estimate, 2 quoted".
std::string prices(const Result& result) {
  const auto count =
      lines_that(result, [](const BillLine& line) { return line.price_USD.has_value(); });
  std::string out = count == 1 ? "a price of " : fmt::format("{} prices of ", count);
  out += std::to_string(*result.oldest_price_year);
  if (result.newest_price_year != result.oldest_price_year)
    out += fmt::format(" to {}", *result.newest_price_year);
  const auto estimates = prices_known_by(result, name_of(Basis::estimate));
  const auto quoted = prices_known_by(result, kQuoted);
  if (estimates > 0) out += estimates == count ? ", estimated" : fmt::format(", {} estimated", estimates);
  if (quoted > 0) out += quoted == count ? ", quoted" : fmt::format(", {} quoted", quoted);
  return out;
}

bool is_system(const BillLine& line) { return line.kind == System::kKind; }

bool parts_changed(const Result& result) {
  const auto own = [](const BillLine& line) {
    return line.kind != System::kKind && (line.price_USD || line.price_basis.empty()) &&
           line.kind != Array::kKind && line.kind != "fabric";
  };
  return lines_that(result, own) > 0;
}

std::string price_text(const Result& result) {
  if (!result.price_USD) return "not known: nothing in it has a price";
  std::string out = fmt::format("{} ({}", dollars(*result.price_USD), prices(result));
  const bool sold = lines_that(result, [](const BillLine& line) {
                      return is_system(line) && line.price_USD.has_value();
                    }) > 0;
  if (sold)
    out += parts_changed(result) ? "; the system as sold, and the parts put into it since"
                                 : "; the system as sold";
  if (!result.without_price.empty())
    out += "; not counted, without a price: " + result.without_price;
  return out + ")";
}

std::string power_text(const Result& result) {
  if (!result.power_W) return "not known: nothing in it says what it draws";
  std::string out = watts(*result.power_W) + " at full load";
  if (!result.without_power.empty())
    out += fmt::format(" (not counted, for none is known: {})", result.without_power);
  return out;
}

std::string in_short(const char* what, const std::string& sum, const std::string& without) {
  return fmt::format("{} {}{}", what, without.empty() ? "" : "at least ", sum);
}

}  // namespace

std::string cost_rows(const Result& result) {
  if (result.bill.empty()) return "";
  return item("Price", price_text(result)) + item("Power", power_text(result));
}

std::string cost_in_short(const Result& result) {
  std::string out;
  if (result.price_USD)
    out = in_short("price", dollars(*result.price_USD), result.without_price);
  if (result.power_W)
    out += (out.empty() ? "" : ", ") +
           in_short("power", watts(*result.power_W), result.without_power);
  return out;
}

}  // namespace gpufeed
