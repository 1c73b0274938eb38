// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"

namespace gpufeed::serving {

/// Outcomes of equal chance, of which a chance is a share.
inline constexpr std::int64_t kOutcomesTried = 20;

/// What may be measured: the same scenario simulated with requests of the seed after `which`, and
/// all that takes time slower or faster by as much as the model may be off. That is drawn evenly
/// from the law of the answer's ranges (draws.h), lowest first: what waits in a queue waits longer
/// than by that factor. Two scenarios of the same `which` have the same requests and the same error
/// of the model. \param predicted  its answer
/// \param which  0 to kOutcomesTried - 1
Answer outcome_of(const Document& document, const Answer& predicted, std::int64_t which);
std::vector<Answer> outcomes_of(const Document& document, const Answer& predicted);

/// Whether all times of its goal are met.
bool meets_goal(const Answer& answer);

/// (held + 1/2) / (count + 1), so that few outcomes make nothing certain.
double chance_of(std::ptrdiff_t held, std::size_t count);
/// That all of the goal's times are met; nothing where there is no goal.
std::optional<double> chance_met(const std::vector<Answer>& outcomes);

}  // namespace gpufeed::serving
