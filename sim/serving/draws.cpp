// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/draws.h"

#include <algorithm>
#include <cmath>
#include <future>

#include "sim/range/chance.h"
#include "sim/serving/answer.h"
#include "sim/serving/outcomes.h"

namespace gpufeed::serving {
namespace {

/// 10 and 90 % of the errors, as logarithms of measured / predicted.
struct Ends {
  double less;
  double more;
};
// 31 stages of dense models in 16 bits on Hopper; 46 of others.
const Ends kKnownWhole{std::log(0.90), std::log(1.12)};
const Ends kKnownFirst{std::log(0.85), std::log(1.30)};
const Ends kUnknown{std::log(0.90), std::log(2.0)};

/// The mean of the two values between which so many lie below. \param values  in order
double between(const std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size());
  const auto below = static_cast<std::size_t>(std::max(1.0, std::floor(place)));
  return (values[below - 1] + values[std::min(below, values.size() - 1)]) / 2;
}

/// What a figure of the answer is in each outcome.
template <class Of>
std::vector<double> values_of(const std::vector<Answer>& outcomes, const Of& of) {
  std::vector<double> values;
  values.reserve(outcomes.size());
  for (const Answer& one : outcomes) values.push_back(of(one));
  return values;
}

Interval least_and_most(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  return {least, most};
}

/// In 90 % quantiles of the error.
double deviation_of(std::int64_t which) {
  constexpr auto kAll = static_cast<std::int64_t>(gpufeed::kOutcomes);
  return outcome_deviation(static_cast<std::size_t>((2 * which + 1) * kAll / (2 * kOutcomesTried)));
}

}  // namespace

bool is_drawn(const Requests& requests) {
  if (requests.log) return false;
  const bool arrives_at_random = requests.rate && requests.arrivals == Arrivals::random;
  return arrives_at_random || requests.prompt_p95 || requests.answer_p95;
}

Errors errors_at(const Answer& answer, double deviation) {
  const auto at = [&](const Ends& ends) {
    return std::exp(deviation < 0 ? -ends.less * deviation : ends.more * deviation);
  };
  if (!answer.unmeasured.empty()) return {at(kUnknown), 1};
  return {at(kKnownWhole), at(kKnownFirst) / at(kKnownWhole)};
}

std::vector<Answer> ends_of(const Document& document, const Answer& predicted) {
  const auto at = [&](double deviation) {
    return one_draw(document, errors_at(predicted, deviation));
  };
  auto slow = std::async(std::launch::async, at, 1);
  std::vector<Answer> out{at(-1)};
  out.push_back(slow.get());
  return out;
}

Interval range_of(std::vector<double> values, double predicted) {
  std::ranges::sort(values);
  return {std::min(predicted, between(values, 0.1)), std::max(predicted, between(values, 0.9))};
}

void add_ranges(Answer& answer, const std::vector<Answer>& outcomes) {
  const bool are_equal_chances = std::ssize(outcomes) == kOutcomesTried;
  const auto range = [&](const auto& of) {
    std::vector<double> values = values_of(outcomes, of);
    const double predicted = of(answer);
    if (are_equal_chances) return range_of(std::move(values), predicted);
    values.push_back(predicted);
    return least_and_most(values);
  };
  const auto ttft_p95 = [](const Answer& one) { return one.ttft_s.p95; };
  answer.e2e_mean_range_s = range([](const Answer& one) { return one.e2e_s.mean; });
  answer.ttft_mean_range_s = range([](const Answer& one) { return one.ttft_s.mean; });
  answer.ttft_p95_range_s = range(ttft_p95);
  for (GoalTerm& term : answer.goal) term.draws_met = 0;
  if (!are_equal_chances) return;
  for (const Answer& one : outcomes)
    for (std::size_t i = 0; i < answer.goal.size(); ++i)
      answer.goal[i].draws_met += one.goal[i].met ? 1 : 0;
  answer.draws = Draws{
      std::ssize(outcomes), least_and_most(values_of(outcomes, ttft_p95)),
      least_and_most(values_of(outcomes, [](const Answer& one) { return one.goodput_per_s; }))};
  answer.meets_chance = chance_met(outcomes);
}

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

double chance_of(std::ptrdiff_t held, std::size_t count) {
  return (static_cast<double>(held) + 0.5) / (static_cast<double>(count) + 1);
}

std::optional<double> chance_met(const std::vector<Answer>& outcomes) {
  if (!outcomes.front().has_goal) return {};
  return chance_of(std::ranges::count_if(outcomes, meets_goal), outcomes.size());
}

bool meets_goal(const Answer& answer) {
  return answer.has_goal && std::ranges::all_of(answer.goal, &GoalTerm::met);
}

}  // namespace gpufeed::serving
