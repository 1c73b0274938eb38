// SPDX-License-Identifier: Apache-2.0
#include "reports/study/search_order.h"

#include <algorithm>

#include "sim/bounds.h"

namespace gpufeed {
namespace {

double most_by_layout(const Choices& choices, std::int64_t choice) {
  return choices.most_samples_per_s[static_cast<std::size_t>(choice)];
}

}  // namespace

bool SearchOrder::is_axis() const {
  return std::ranges::count(choices_.goal.axes, key(), &Axis::name) > 0;
}

double SearchOrder::aim_of(const Candidate& candidate, std::int64_t choice) const {
  const auto value = is_axis() ? axis_value(choices_, choice, key())
                               : candidates_.value(candidate, key(), maximizes());
  return value ? sign() * *value : kNever;
}

void SearchOrder::make_tables() {
  if (is_axis() || (key() != "price_USD" && key() != "power_W")) return;
  if (choices_.studied() == Studied::serving) return;
  tables_ = CostTables::make(
      points(), [&](const std::vector<std::uint32_t>& chosen) { return cost(chosen); });
}

std::optional<CostOf> SearchOrder::cost(const std::vector<std::uint32_t>& chosen) const {
  const SweepPlan& plan = choices_.workloads.front();
  try {
    const Result result = bill_only(plan.source.load(overrides_at(plan, chosen)));
    if (!result.price_USD && key() == "price_USD") return {};
    return cost_of(result);
  } catch (const InputError&) {
    return {};
  }
}

bool SearchOrder::agrees(const Candidate& candidate, std::int64_t choice) const {
  if (tables_) return same_cost(candidate.cost, tables_->at(points(), choice));
  constexpr double kRounding = 1e-6;
  return !knows_rates() ||
         candidate.most_samples_per_s <= (1 + kRounding) * most_by_layout(choices_, choice);
}

bool SearchOrder::knows_rates() const {
  return trusts_layouts_ && maximizes() && key() == "job_samples_per_s" &&
         !choices_.most_samples_per_s.empty();
}

void SearchOrder::sort(bool only_whole) {
  places_.clear();
  places_.reserve(static_cast<std::size_t>(choices_.count()));
  for (std::int64_t choice = 0; choice < choices_.count(); ++choice) {
    const double least = tables_         ? sign() * cost_in(tables_->at(points(), choice))
                         : knows_rates() ? -most_by_layout(choices_, choice)
                         : is_axis() ? sign() * axis_value(choices_, choice, key()).value_or(kNever)
                                     : least_of(choice);
    if (least < kNever) places_.push_back({least, choice});
  }
  left_out_ = 0;
  if (only_whole) leave_out_unknown();
  std::ranges::stable_sort(places_, {}, &Place::least);
}

/// By the bound. Of a key that bounds say nothing of, anything is possible.
double SearchOrder::least_of(std::int64_t choice) const {
  const Candidate& candidate = *candidates_.find(choice);
  if (candidate.stage == Insight::refused) return kNever;
  return is_bounded() ? aim_of(candidate, choice) : -kNever;
}

bool SearchOrder::is_bounded() const {
  switch (foresight_of(key())) {
    case Foresight::exact:
      return true;
    case Foresight::at_most:
      return maximizes();
    case Foresight::at_least:
      return !maximizes();
    case Foresight::none:
      return false;
  }
  return false;
}

/// How many parts are not in the sum that is wanted.
double SearchOrder::lacking(std::int64_t choice) const {
  const CostOf cost = tables_ ? tables_->at(points(), choice) : candidates_.find(choice)->cost;
  switch (sum_of(key())) {
    case SumOf::prices:
      return cost.unpriced;
    case SumOf::powers:
      return cost.unpowered;
    case SumOf::nothing:
      return 0;
  }
  return 0;
}

/// Takes out what lacks more of the wanted sum than others do: it is more than what is known of
/// it, and so not known to be less than anything.
void SearchOrder::leave_out_unknown() {
  if (places_.empty() || is_axis() || sum_of(key()) == SumOf::nothing) return;
  constexpr double kRounding = 1e-6;
  double least = kNever;
  for (const Place& place : places_) least = std::min(least, lacking(place.choice));
  left_out_ = static_cast<std::int64_t>(std::erase_if(
      places_, [&](const Place& place) { return lacking(place.choice) > least + kRounding; }));
}

double SearchOrder::cost_in(const CostOf& cost) const {
  return key() == "price_USD" ? cost.price_USD : cost.power_W;
}

}  // namespace gpufeed
