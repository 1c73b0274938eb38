// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/bill.h"

namespace gpufeed {

struct Result;
struct Scenario;

/// The bill for who buys: products by their titles, "Tesla P100 SXM2 16 GB", in the place of the
/// catalog's names; what the scenario has no entry of keeps its name.
std::vector<BillLine> called_by_title(std::vector<BillLine> bill, const Scenario& scenario);

/// The answer with what has no price, or no power, so: for who reads figures, not settings.
Result missing_by_title(Result result, const Scenario& scenario);

/// The answer with its bill so, and with what its warnings, its bottleneck and its workload name.
Result called_by_title(Result result, const Scenario& scenario);

}  // namespace gpufeed
