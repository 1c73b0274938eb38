// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/model/bill.h"

namespace gpufeed {

class Catalog;
struct Scenario;

/// The bill for who buys: products by their titles, "Tesla P100 SXM2 16 GB", in the place of the
/// catalog's names; what the scenario has no entry of keeps its name.
std::vector<BillLine> called_by_title(std::vector<BillLine> bill, const Scenario& scenario);

/// Titles of the products that a value of a key names, "2 x nvidia-l4", by their names; nothing of
/// words that the catalog does not know.
void add_titles(const std::string& value, const Catalog& catalog,
                std::map<std::string, std::string>& out);

}  // namespace gpufeed
