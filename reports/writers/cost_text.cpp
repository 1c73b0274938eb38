// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/cost_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/phrases.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"
#include "sim/model/catalog/system.h"
#include "sim/model/network/network.h"

namespace gpufeed {
namespace {

std::string dollars(double price) { return text_number(std::round(price), 15) + " USD"; }

std::string watts(double power) { return text(Power{power}, 4); }

/// Of those that are bought.
template <class Test>
std::int64_t lines_that(const Result& result, const Test& test) {
  return std::ranges::count_if(result.bill, [&](const BillLine& line) {
    return is_bought(line, result.rented) && test(line);
  });
}

/// "3 estimated: 45,000 USD of it, chassis 0.33 to 3 times", of so many prices.
std::string estimates(const Result& result, std::int64_t of) {
  double sum = 0;
  std::int64_t count = 0;
  std::vector<std::string> told;
  for (const BillLine& line : result.bill) {
    if (!is_bought(line, result.rented) || !line.price_USD ||
        line.price_basis != name_of(Basis::estimate))
      continue;
    ++count;
    sum += *line.price_USD * line.count;
    if (!line.price_within) continue;
    std::string text =
        fmt::format("{} {} to {} times", line.kind, text_number(1 / *line.price_within, 2),
                    text_number(*line.price_within, 2));
    if (std::ranges::count(told, text) == 0) told.push_back(std::move(text));
  }
  if (count == 0) return "";
  if (count < of) told.insert(told.begin(), dollars(sum) + " of it");
  return (count == of ? ", estimated" : fmt::format(", {} estimated", count)) +
         (told.empty() ? "" : fmt::format(": {}", fmt::join(told, ", ")));
}

/// "3 prices of 2016 to 2022, 2 quoted, 1 estimated: 45,000 USD of it, ...".
std::string prices(const Result& result) {
  const auto count =
      lines_that(result, [](const BillLine& line) { return line.price_USD.has_value(); });
  std::string out = count == 1 ? "a price of " : fmt::format("{} prices of ", count);
  out += std::to_string(*result.oldest_price_year);
  if (result.newest_price_year != result.oldest_price_year)
    out += fmt::format(" to {}", *result.newest_price_year);
  const std::int64_t quoted =
      lines_that(result, [](const BillLine& line) { return line.price_basis == kQuoted; });
  if (quoted > 0) out += quoted == count ? ", quoted" : fmt::format(", {} quoted", quoted);
  return out + estimates(result, count);
}

bool is_system(const BillLine& line) { return line.kind == System::kKind; }

bool parts_changed(const Result& result) {
  const auto own = [](const BillLine& line) {
    return line.kind != System::kKind && (line.price_USD || line.price_basis.empty()) &&
           line.kind != Array::kKind && line.kind != NetworkSwitch::kKind &&
           line.kind != Cable::kKind && line.store.empty();
  };
  return lines_that(result, own) > 0;
}

/// A sum that lacks parts is less than the whole.
std::string sum(const std::string& known, const std::string& without) {
  return std::string(least_sum(without)) + known;
}

std::string price_text(const Result& result) {
  if (result.rented && !result.price_USD)
    return result.without_price.empty()
               ? "nothing is bought: it is rented"
               : "the machines are rented; not known: " + result.without_price;
  if (!result.price_USD) return "not known: nothing in it has a price";
  std::string out =
      fmt::format("{} ({}", sum(dollars(*result.price_USD), result.without_price), prices(result));
  const bool sold = lines_that(result, [](const BillLine& line) {
                      return is_system(line) && line.price_USD.has_value();
                    }) > 0;
  if (sold)
    out += parts_changed(result) ? "; the system as sold, and the parts put into it since"
                                 : "; the system as sold";
  if (result.rented) out += "; of the stores, for the machines are rented";
  if (!result.without_price.empty())
    out += "; not counted, price not known: " + result.without_price;
  return out + ")";
}

/// Parts of unknown power are left out of the sum, those taken out of a system as sold still in it.
std::string power_sum(const Result& result) {
  const bool less = !result.without_power.empty(), more = !result.removed_power.empty();
  const std::string_view how = less && more ? "about "
                               : more       ? "at most "
                               : less       ? "at least "
                                            : "";
  return std::string(how) + watts(*result.power_W);
}

std::string power_text(const Result& result) {
  if (!result.power_W) return "not known: nothing in it says what it draws";
  std::string out = power_sum(result) + " at full load";
  if (!result.without_power.empty())
    out += fmt::format(" (not counted, power not known: {})", result.without_power);
  if (!result.removed_power.empty())
    out += fmt::format(" (still counted, power not known: {})", result.removed_power);
  return out;
}

/// Small sums to three digits, large ones to the dollar.
std::string cents(std::optional<double> sum) {
  if (!sum) return "an unknown sum";
  return *sum < 1000 ? text_number(*sum, 3) + " USD" : dollars(*sum);
}

/// "depreciation 8.11 USD, electricity 1.71 USD".
std::string per_hour(const RunningCost& cost) {
  std::string out;
  const auto add = [&](std::string_view what, const std::optional<double>& sum) {
    if (sum) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", what, cents(sum));
  };
  add("rent", cost.rent_per_hour_USD);
  if (cost.rent_per_hour_USD)
    out += cost.rent_year ? fmt::format(", {} of {}", cost.rent_basis, *cost.rent_year)
                          : fmt::format(", {}", cost.rent_basis);
  add("rent of stores", cost.store_rent_per_hour_USD);
  add(term::kDepreciation, cost.write_off_per_hour_USD);
  add("electricity at full load", cost.electricity_per_hour_USD);
  return out;
}

}  // namespace

std::string price_years_text(std::optional<std::int64_t> oldest,
                             std::optional<std::int64_t> newest) {
  if (!newest) return "";
  std::string out = "prices of ";
  if (oldest != newest) out += fmt::format("{} to ", oldest.value_or(0));
  return out + std::to_string(*newest);
}

std::string_view least_sum(const std::string& without) {
  return without.empty() ? "" : "at least ";
}

std::string cost_rows(const Result& result) {
  if (result.bill.empty()) return "";
  return item("Price", price_text(result)) + item("Power", power_text(result));
}

std::string running_cost_rows(const Result& result) {
  const std::string text = running_cost_text(result);
  return text.empty() ? "" : item("Cost", text);
}

std::string running_cost_text(const Result& result) {
  if (!result.running_cost) return "";
  const RunningCost& cost = *result.running_cost;
  const bool whole = cost.without.empty();
  std::string out = fmt::format("{}{} an hour ({}); {} per million samples, ",
                                whole ? "" : "at least ", cents(cost.per_hour_USD), per_hour(cost),
                                cents(cost.job_per_million_samples_USD));
  if (cost.per_epoch_USD) out += cents(cost.per_epoch_USD) + " per epoch, ";
  out += fmt::format("{} to the result, of which {} while GPUs wait", cents(cost.per_result_USD),
                     cents(cost.gpus_waiting_USD));
  if (cost.requests_per_result_USD)
    out += fmt::format("; requests to stores {} of it", cents(cost.requests_per_result_USD));
  if (cost.energy_per_epoch_kWh)
    out += fmt::format("; {} kWh per epoch", text_number(*cost.energy_per_epoch_kWh, 3));
  else if (cost.energy_per_result_kWh)
    out += fmt::format("; {} kWh to the result", text_number(*cost.energy_per_result_kWh, 3));
  return out;
}

std::string cost_in_short(const Result& result) {
  std::string out;
  if (result.price_USD) out += "price " + sum(dollars(*result.price_USD), result.without_price);
  if (result.price_USD && result.power_W) out += ", ";
  if (result.power_W) out += "power " + power_sum(result);
  return out;
}

}  // namespace gpufeed
