// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sim/model/result/result.h"

namespace gpufeed {

/// Price and power of a configuration, a line of a screen each, with the years of the prices, how
/// many are estimates, and the parts that are not counted. Empty where the result has no bill.
std::string cost_rows(const Result& result);

/// What the job costs: an hour, a million samples, an epoch, the result; a line of a screen. Empty
/// where the result does not say.
std::string running_cost_rows(const Result& result);

/// The same without its label.
std::string running_cost_text(const Result& result);

/// "prices of 2023 to 2026"; empty where nothing has a price.
std::string price_years_text(std::optional<std::int64_t> oldest,
                             std::optional<std::int64_t> newest);

/// "at least " before a sum that lacks the named parts; else nothing.
std::string_view least_sum(const std::string& without);

/// Price and power in a few words: "price 129,000 USD, power at least 3.2 kW", as parts are not
/// counted.
std::string cost_in_short(const Result& result);

}  // namespace gpufeed
