// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/draws.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

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

class Ranges {
 public:
  Ranges(const Answer& answer, const std::vector<Answer>& others)
      : answer_(answer), others_(others) {}

  template <class Of>
  Interval of(const Ends& model, Of of) const {
    double sum = 0, squares = 0, count = 0;
    const auto add = [&](const Answer& one) {
      const double value = std::log(std::max(of(one), 1e-12));
      sum += value;
      squares += value * value;
      ++count;
    };
    add(answer_);
    for (const Answer& one : others_) add(one);
    const double mean = sum / count;
    double spread = 0;
    if (!others_.empty()) {
      const double variance = std::max(0.0, (squares - sum * mean) / (count - 1));
      const boost::math::students_t student(count - 1);
      spread = boost::math::quantile(student, 0.9) * std::sqrt(variance * (1 + 1 / count));
    }
    return {std::exp(mean - std::hypot(model.less, spread)),
            std::exp(mean + std::hypot(model.more, spread))};
  }

  template <class Of>
  Interval seen(Of of) const {
    Interval out{of(answer_), of(answer_)};
    for (const Answer& one : others_) {
      out.low = std::min(out.low, of(one));
      out.high = std::max(out.high, of(one));
    }
    return out;
  }

 private:
  const Answer& answer_;
  const std::vector<Answer>& others_;
};

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

std::vector<Answer> other_draws(const Document& document, int count) {
  std::vector<Answer> out;
  Document other = document;
  for (int i = 0; i < count; ++i) {
    ++other.serving.requests.seed;
    out.push_back(one_draw(other));
  }
  return out;
}

void add_ranges(Answer& answer, const std::vector<Answer>& others) {
  const bool is_known = answer.unmeasured.empty();
  const Ranges ranges(answer, others);
  const auto ttft_p95 = [](const Answer& one) { return one.ttft_s.p95; };
  answer.e2e_mean_range_s = ranges.of(is_known ? kKnownWhole : kUnknown,
                                      [](const Answer& one) { return one.e2e_s.mean; });
  answer.ttft_mean_range_s = ranges.of(is_known ? kKnownFirst : kUnknown,
                                       [](const Answer& one) { return one.ttft_s.mean; });
  answer.ttft_p95_range_s = ranges.of(is_known ? kKnownFirst : kUnknown, ttft_p95);
  if (others.empty()) return;
  for (const Answer& one : others)
    for (std::size_t i = 0; i < answer.goal.size(); ++i)
      answer.goal[i].draws_met += one.goal[i].draws_met;
  answer.draws = Draws{1 + std::ssize(others), ranges.seen(ttft_p95),
                       ranges.seen([](const Answer& one) { return one.goodput_per_s; })};
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

bool meets_goal(const Answer& answer) {
  return answer.has_goal && std::ranges::all_of(answer.goal, &GoalTerm::met);
}

}  // namespace gpufeed::serving
