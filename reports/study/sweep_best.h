// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/study/sweep_store.h"

namespace gpufeed {

/// The best finished points as a table: of a sweep with constraints the cheapest that meet them
/// all, or, where no price is known or each lacks other parts, and of one without, those of the
/// greatest rate of the job. A price that lacks parts comes behind all that are whole.
/// Empty where no point has a rate.
std::string best_rows(SweepStore& store, const Sweep& sweep);

}  // namespace gpufeed
