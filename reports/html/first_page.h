// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/html/result_page.h"

namespace gpufeed::html {

/// What one signs: one sentence of verdict and advice, figures with their intervals, the parts with
/// their prices, what the answer rests on, and what else there is. On paper it is a page of its
/// own. \param id       goes before the names of its sections \param heading  of its first section
/// \param question  that it answers; empty: how fast the job is, and what holds it back
/// \param others    markup of what else could be chosen
std::string first_page(const PicturedResult& one, const std::string& id, const std::string& heading,
                       const std::string& question = "", const std::string& others = "");

/// The bill as a table; empty where nothing is bought.
std::string parts_table(const Result& result);
/// What a line of it is, "Store", and how its price is known, "estimate, 2023".
std::string part_in_words(const BillLine& line);
std::string price_known_by(const BillLine& line);

/// "577.8 to 1,774 samples/s", where 8 of 10 measurements will lie; empty where that is not known.
std::string rate_interval(const Result& result);

/// What it costs to buy, where that is known: "≥ 327,550 USD" where parts are not counted.
std::string price_text(const Result& result);

}  // namespace gpufeed::html
