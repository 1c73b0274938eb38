// SPDX-License-Identifier: Apache-2.0
#include "reports/study/front.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>

namespace gpufeed {
namespace {

/// A choice and its aims, each so that less is better.
struct Aims {
  std::vector<double> exact, simulated;
  std::int64_t choice = 0;
  double noise = 0;
};

/// Whether it is as good in what is exactly known, and nothing simulated is clearly better in the
/// other.
bool covers(const Aims& one, const Aims& other) {
  for (std::size_t i = 0; i < one.exact.size(); ++i)
    if (one.exact[i] > other.exact[i]) return false;
  for (std::size_t i = 0; i < one.simulated.size(); ++i)
    if (clearly_less(other.simulated[i], one.simulated[i], one.noise)) return false;
  return true;
}

/// Of two that are alike in what is exactly known: no worse in anything, and clearly better in one.
bool beats(const Aims& one, const Aims& other) {
  bool better = false;
  for (std::size_t i = 0; i < one.simulated.size(); ++i) {
    if (one.simulated[i] > other.simulated[i]) return false;
    better = better || clearly_less(one.simulated[i], other.simulated[i], one.noise);
  }
  return better;
}

class FrontSearch {
 public:
  explicit FrontSearch(Candidates& candidates)
      : candidates_(candidates), goal_(candidates.choices().goal) {}

  Front find() {
    const std::vector<Aims> order = possible();
    for (auto next = order.begin(); next != order.end();) {
      const auto end = std::find_if(next, order.end(),
                                    [&](const Aims& other) { return other.exact != next->exact; });
      take_group({next, end});
      next = end;
    }
    Front out;
    for (const Aims& one : front_) {
      out.choices.push_back(one.choice);
      if (!one.simulated.empty()) out.noise = std::max(out.noise, one.noise);
    }
    return out;
  }

 private:
  /// Whether a price or power of the front lacks parts that others have in theirs: it is more than
  /// what is known of it.
  bool lacks_more(const Candidate& candidate) const {
    return std::ranges::any_of(goal_.front, [&](const std::string& key) {
      const SumOf sum = sum_of(key);
      return (sum == SumOf::prices && candidate.cost.unpriced > least_unpriced_) ||
             (sum == SumOf::powers && candidate.cost.unpowered > least_unpowered_);
    });
  }

  /// Nothing where one of the aims is not known.
  std::optional<Aims> aims_of(std::int64_t choice) const {
    const Candidate& candidate = *candidates_.find(choice);
    if (lacks_more(candidate)) return {};
    Aims aims{{}, {}, choice, candidate.noise};
    for (const auto& key : goal_.front) {
      const Foresight known = foresight_of(key);
      const bool more = known == Foresight::at_most;
      if (candidate.simulated.empty() && known == Foresight::none) {
        aims.simulated.push_back(-std::numeric_limits<double>::infinity());
        continue;
      }
      const auto value = candidates_.value(candidate, key, more);
      if (!value) return {};
      if (known == Foresight::exact)
        aims.exact.push_back(*value);
      else
        aims.simulated.push_back(more ? -*value : *value);
    }
    return aims;
  }

  /// Those that may meet all constraints, at their best, in an order in which none can be covered
  /// by one of a later group: groups are alike in what is exactly known.
  std::vector<Aims> possible() {
    for (std::int64_t choice = 0; choice < candidates_.choices().count(); ++choice)
      if (const Candidate& one = *candidates_.find(choice); one.stage == Insight::open) {
        least_unpriced_ = std::min(least_unpriced_, one.cost.unpriced);
        least_unpowered_ = std::min(least_unpowered_, one.cost.unpowered);
      }
    std::vector<Aims> order;
    for (std::int64_t choice = 0; choice < candidates_.choices().count(); ++choice)
      if (candidates_.find(choice)->stage == Insight::open)
        if (auto aims = aims_of(choice)) order.push_back(std::move(*aims));
    std::ranges::stable_sort(order, {},
                             [](const Aims& one) { return std::tie(one.exact, one.simulated); });
    return order;
  }

  void take_group(const std::vector<Aims>& group) {
    std::vector<Aims> good;
    const auto is_beaten = [&](const Aims& one) {
      return std::ranges::any_of(good, [&](const Aims& other) { return beats(other, one); });
    };
    for (const Aims& one : group) {
      if (is_covered(one) || is_beaten(one)) continue;
      candidates_.simulate(one.choice);
      if (!candidates_.counts(one.choice, goal_.confidence)) continue;
      if (auto aims = aims_of(one.choice)) good.push_back(std::move(*aims));
    }
    std::vector<Aims> best;
    std::ranges::copy_if(good, std::back_inserter(best), std::not_fn(is_beaten));
    // By one measure for all, so that of several equals only the first is on the front.
    double noise = 0;
    for (const Aims& one : best) noise = std::max(noise, one.noise);
    for (Aims& one : best) one.noise = noise;
    std::ranges::sort(best, {}, &Aims::choice);
    for (const Aims& one : best)
      if (!is_covered(one)) front_.push_back(one);
  }

  bool is_covered(const Aims& one) const {
    return std::ranges::any_of(front_, [&](const Aims& other) { return covers(other, one); });
  }

  Candidates& candidates_;
  const Goal& goal_;
  std::vector<Aims> front_;
  double least_unpriced_ = std::numeric_limits<double>::infinity();
  double least_unpowered_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Front front_of(Candidates& candidates) { return FrontSearch(candidates).find(); }

}  // namespace gpufeed
