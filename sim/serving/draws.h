// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"
#include "sim/serving/answer.h"

namespace gpufeed::serving {

/// Whether another seed would ask for something else: a log, or equal requests at equal times, do
/// not.
bool is_drawn(const Requests& requests);

/// The same scenario with the seeds after its own.
/// \returns the answers, without ranges and what-ifs
std::vector<Answer> other_draws(const Document& document, int count);

/// How far the model is off at a deviation: -1 at the lowest 10 % of the errors, 1 at the highest.
Errors errors_at(const Answer& answer, double deviation);

/// Puts into `answer` where four of five measurements of it lie: by how far the model is off, and
/// by how far draws of the requests lie apart. The two are independent: on each side the
/// logarithms' 90 % quantiles add as squares; that of n draws is Student's for one draw more, t(n -
/// 1) s sqrt(1 + 1/n), about their mean. \param others  other draws of the same; empty: what is
/// asked for is known, or its spread is not
void add_ranges(Answer& answer, const std::vector<Answer>& others);

}  // namespace gpufeed::serving
