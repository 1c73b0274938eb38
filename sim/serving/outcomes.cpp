// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/outcomes.h"

#include <algorithm>

#include "sim/range/chance.h"
#include "sim/serving/answer.h"
#include "sim/serving/draws.h"

namespace gpufeed::serving {
namespace {

/// In 90 % quantiles of the error.
double deviation_of(std::int64_t which) {
  constexpr auto kAll = static_cast<std::int64_t>(gpufeed::kOutcomes);
  return outcome_deviation(static_cast<std::size_t>((2 * which + 1) * kAll / (2 * kOutcomesTried)));
}

}  // namespace

Answer outcome_of(const Document& document, const Answer& predicted, std::int64_t which) {
  Document other = document;
  if (is_drawn(document.serving.requests)) other.serving.requests.seed += which;
  return one_draw(other, errors_at(predicted, deviation_of(which)));
}

std::vector<Answer> outcomes_of(const Document& document, const Answer& predicted) {
  std::vector<Answer> out;
  for (std::int64_t which = 0; which < kOutcomesTried; ++which)
    out.push_back(outcome_of(document, predicted, which));
  return out;
}

bool meets_goal(const Answer& answer) {
  return answer.has_goal && std::ranges::all_of(answer.goal, &GoalTerm::met);
}

}  // namespace gpufeed::serving
