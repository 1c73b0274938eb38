// SPDX-License-Identifier: Apache-2.0
// What workers of a pool tell each other of a choice.
#include <algorithm>
#include <iterator>
#include <utility>

#include "reports/study/candidates.h"

namespace gpufeed {
namespace {

PooledValue pooled(const std::optional<Operand>& value) {
  if (!value) return {};
  if (const auto* measure = std::get_if<Measure>(&*value)) return {true, measure->value, {}};
  return {false, 0, std::get<std::string>(*value)};
}

/// A result's numbers are in the units of its keys.
std::optional<Operand> value_of(const PooledValue& told) {
  if (told.is_number) return Measure{told.number, nullptr};
  if (told.text) return *told.text;
  return {};
}

template <class To, class From, class Convert>
std::vector<std::vector<To>> all_of(const std::vector<std::vector<From>>& lists,
                                    Convert&& convert) {
  std::vector<std::vector<To>> out;
  for (const auto& list : lists)
    std::ranges::transform(list, std::back_inserter(out.emplace_back()), convert);
  return out;
}

}  // namespace

PooledChoice Candidates::told_of(std::int64_t choice) const {
  const Candidate* const candidate = find(choice);
  if (!candidate) return {};
  const auto told = [](const std::optional<Operand>& value) { return pooled(value); };
  return {static_cast<std::int64_t>(candidate->stage),
          candidate->cost.price_USD,
          candidate->cost.power_W,
          candidate->cost.unpriced,
          candidate->cost.unpowered,
          candidate->price_USD,
          candidate->without_price,
          candidate->chooses_unpriced,
          candidate->most_samples_per_s,
          all_of<PooledValue>(candidate->optimistic, told),
          all_of<PooledValue>(candidate->simulated, told),
          candidate->choice,
          candidate->meets,
          candidate->noise,
          candidate->refusal,
          candidate->broken_rules};
}

void Candidates::take(std::int64_t choice, PooledChoice told) {
  if (told.stage == static_cast<std::int64_t>(Insight::unseen)) return;
  const auto operand = [](const PooledValue& value) { return value_of(value); };
  all_[index(choice)] = std::make_unique<Candidate>(
      Candidate{static_cast<Insight>(told.stage),
                {told.price_sum_USD, told.power_sum_W, told.unpriced, told.unpowered},
                told.price_USD,
                std::move(told.without_price),
                told.chooses_unpriced,
                told.most_samples_per_s,
                all_of<std::optional<Operand>>(told.optimistic, operand),
                all_of<std::optional<Operand>>(told.simulated, operand),
                std::move(told.choice),
                told.meets,
                told.noise,
                std::move(told.refusal),
                std::move(told.broken_rules)});
}

}  // namespace gpufeed
