// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"
#include "sim/serving/answer.h"

namespace gpufeed::serving {

/// Whether another seed would ask for something else: a log, or equal requests at equal times, do
/// not.
bool is_drawn(const Requests& requests);

/// How far the model is off at a deviation: -1 at the lowest 10 % of the errors, 1 at the highest.
Errors errors_at(const Answer& answer, double deviation);

/// The same requests with all times as short, and as long, as in one of ten measurements: what is
/// simulated of runs that take longer.
std::vector<Answer> ends_of(const Document& document, const Answer& predicted);

/// Where four of five of what may be measured lie, and always what is predicted.
/// \param values  of outcomes of equal chance (outcomes.h)
Interval range_of(std::vector<double> values, double predicted);

/// Puts into `answer` where four of five measurements of it lie.
/// \param outcomes  those of outcomes_of, or the two of ends_of
void add_ranges(Answer& answer, const std::vector<Answer>& outcomes);

}  // namespace gpufeed::serving
