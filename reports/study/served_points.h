// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/study/chances.h"
#include "reports/writers/result_cells.h"
#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"

namespace gpufeed {

/// Whether all conditions hold of these values of the columns of what is studied.
bool meets_all(const std::vector<Condition>& conditions, const std::vector<Cell>& cells,
               Studied what);

/// How likely an engine that serves meets conditions: their share of the outcomes of equal chance
/// (sim/serving/outcomes.h), (held + 1/2) / (all + 1), so that few outcomes make nothing certain;
/// what holds of what is known without simulation, such as a price, is certain.
Chances chances_in(const std::vector<serving::Answer>& outcomes,
                   const std::vector<Condition>& conditions);

/// Where four of five outcomes lie, of times, goodput and cost; `predicted` is in their middle.
std::vector<PredictionInterval> intervals_in(const std::vector<serving::Answer>& outcomes,
                                             const serving::Answer& predicted);

}  // namespace gpufeed
