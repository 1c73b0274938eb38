// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/best_three.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed::ui {
namespace {

constexpr std::size_t kMost = 3;

void add(std::vector<BestChoice>& best, std::string heading, const gpufeed::Choice& choice) {
  const bool known = std::ranges::any_of(
      best, [&](const BestChoice& one) { return one.choice.number == choice.number; });
  if (!known && best.size() < kMost) best.push_back({std::move(heading), choice});
}

double per_dollar(const gpufeed::Choice& choice) {
  return choice.price_USD && *choice.price_USD > 0 ? choice.job_samples_per_s / *choice.price_USD
                                                   : 0;
}

}  // namespace

std::vector<BestChoice> best_three(const Recommendation& answer, Aim asked,
                                   const std::optional<Recommendation>& front) {
  std::vector<BestChoice> best;
  if (answer.chosen.empty()) return best;
  if (asked == Aim::front) {
    const auto by_rate = [](const auto& a, const auto& b) {
      return a.job_samples_per_s < b.job_samples_per_s;
    };
    add(best, "The cheapest", answer.chosen.front());
    add(best, "Most for the money", *std::ranges::max_element(answer.chosen, {}, per_dollar));
    add(best, "The fastest", *std::ranges::max_element(answer.chosen, by_rate));
    return best;
  }
  add(best, asked == Aim::cheapest ? "The cheapest" : "The fastest", answer.chosen.front());
  for (const SurerChoice& surer : answer.surer)
    if (!surer.choice.empty() && best.size() + 1 < kMost)
      add(best, fmt::format("Surer: {} and more", percent(surer.confidence)), surer.choice.front());
  if (!front) return best;
  const auto& own = answer.chosen.front();
  std::vector<const gpufeed::Choice*> others;
  for (const gpufeed::Choice& one : front->chosen)
    if (one.price_USD && own.price_USD &&
        (asked == Aim::cheapest ? *one.price_USD > *own.price_USD
                                : *one.price_USD < *own.price_USD))
      others.push_back(&one);
  std::ranges::stable_sort(others, [&](const gpufeed::Choice* a, const gpufeed::Choice* b) {
    return asked == Aim::cheapest ? *a->price_USD < *b->price_USD : *a->price_USD > *b->price_USD;
  });
  for (const gpufeed::Choice* one : others)
    add(best, asked == Aim::cheapest ? "Faster, for more money" : "Cheaper, and slower", *one);
  return best;
}

}  // namespace gpufeed::ui
