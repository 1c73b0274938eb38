// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/cost.h"

#include <algorithm>

#include "sim/answer/running_cost.h"
#include "sim/model/purchase/bill_of.h"

namespace gpufeed {
namespace {

void add(std::optional<double>& sum, double more) { sum = sum.value_or(0) + more; }

void list(std::string& names, const BillLine& line) {
  names += (names.empty() ? "" : " + ") + in_words(line);  // no comma: a column of CSV
}

}  // namespace

void answer_cost(const Scenario& scenario, Result& result) {
  result.bill = bill_of(scenario);
  result.rented = scenario.cost.rent_per_hour || scenario.system->rent_per_hour;
  for (const BillLine& line : result.bill) {
    if (line.price_USD && is_bought(line, result.rented)) {
      add(result.price_USD, *line.price_USD * line.count);
      const std::int64_t year = *line.price_year;
      result.oldest_price_year = std::min(result.oldest_price_year.value_or(year), year);
      result.newest_price_year = std::max(result.newest_price_year.value_or(year), year);
    }
    if (line.power_W) add(result.power_W, *line.power_W * line.count);
    if (lacks_price(line, result.rented)) list(result.without_price, line);
    if (lacks_power(line)) list(result.without_power, line);
    if (keeps_power(line)) list(result.removed_power, line);
  }
  for (const auto& [name, store] : scenario.store)
    if (store.of_servers) result.stores_of_servers.push_back(*store.of_servers);
  result.running_cost = running_cost(scenario, result);
}

}  // namespace gpufeed
