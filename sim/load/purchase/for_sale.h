// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/diagnostics.h"

namespace gpufeed {

class Catalog;
struct Scenario;

/// Refuses what nobody sells as a part of a machine that is bought: what a product's entry calls
/// `not_sold`, and what was last sold before `cost.year`. What the machine comes with is bought
/// with it, what the buyer has a quote for is for sale, and of what is rented, or written out part
/// by part, nothing is bought.
void check_for_sale(const Scenario& scenario, const Catalog& catalog, Diagnostics& out);

}  // namespace gpufeed
