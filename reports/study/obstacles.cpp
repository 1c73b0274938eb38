// SPDX-License-Identifier: Apache-2.0
#include "reports/study/obstacles.h"

#include <algorithm>
#include <limits>

#include "reports/study/side_by_side.h"

namespace gpufeed {
namespace {

/// Whatever the threads: what is simulated does not depend on them.
constexpr std::size_t kTriedAtATime = 4;

class ObstacleFinder {
 public:
  ObstacleFinder(Candidates& candidates, unsigned jobs)
      : candidates_(candidates), goal_(candidates.choices().goal), jobs_(jobs) {}

  std::vector<Obstacle> find() {
    std::vector<Obstacle> together = of_products(), alone;
    std::ranges::copy_if(together, std::back_inserter(alone), &Obstacle::alone);
    if (!alone.empty()) return alone;
    for (std::size_t i = 0; i < goal_.constraints.size(); ++i) {
      if (Obstacle any = closest(i, false); any.alone)
        alone.push_back(std::move(any));
      else if (alone.empty())
        together.push_back(closest(i, true));
    }
    return alone.empty() ? together : alone;
  }

 private:
  static constexpr double kAnything = std::numeric_limits<double>::infinity();
  /// Of a key of which nothing is known before.
  bool may_simulate_all() const {
    constexpr std::int64_t kFew = 500;
    return candidates_.choices().studied() == Studied::serving &&
           candidates_.choices().count() <= kFew;
  }

  struct Ranked {
    double best;
    std::int64_t choice;
  };

  /// Rules about products that some choice breaks, in the order of the choices.
  std::vector<Obstacle> of_products() const {
    std::vector<Obstacle> rules;
    std::vector<std::int64_t> broken;
    std::int64_t buildable = 0;
    for (std::int64_t choice = 0; choice < candidates_.choices().count(); ++choice) {
      const Candidate& candidate = *candidates_.find(choice);
      if (candidate.stage == Insight::refused) continue;
      ++buildable;
      for (const std::string& rule : candidate.broken_rules) {
        const auto known = std::ranges::find(rules, rule, &Obstacle::constraint);
        const auto at = static_cast<std::size_t>(known - rules.begin());
        if (known == rules.end()) {
          rules.push_back({rule, false, {}, {}, false, {}, {}});
          broken.push_back(0);
        }
        ++broken[at];
      }
    }
    for (std::size_t i = 0; i < rules.size(); ++i) rules[i].alone = broken[i] == buildable;
    return rules;
  }

  /// The choices that can be built, those with the best possible value first.
  std::vector<Ranked> ranked(const LimitedKey& limited, std::size_t which, bool hold_others) const {
    std::vector<Ranked> order;
    for (std::int64_t choice = 0; choice < candidates_.choices().count(); ++choice) {
      const Candidate& candidate = *candidates_.find(choice);
      if (candidate.stage == Insight::refused) continue;
      if (hold_others && fails_another(candidate, which)) continue;
      const auto best = candidates_.value(candidate, limited.key, limited.wants_more);
      if (best)
        order.push_back({*best, choice});
      else if (candidate.stage != Insight::simulated && may_simulate_all())
        order.push_back({limited.wants_more ? kAnything : -kAnything, choice});
    }
    std::ranges::stable_sort(order, [&](const Ranked& a, const Ranked& b) {
      return limited.wants_more ? a.best > b.best : a.best < b.best;
    });
    return order;
  }

  bool fails_another(const Candidate& candidate, std::size_t which) const {
    if (!candidate.broken_rules.empty()) return true;
    for (std::size_t i = 0; i < goal_.constraints.size(); ++i)
      if (i != which && candidates_.fails(candidate, i)) return true;
    return false;
  }

  Obstacle closest(std::size_t which, bool hold_others) {
    const Condition& condition = goal_.constraints[which];
    const LimitedKey limited = limited_key(condition);
    Obstacle obstacle{condition.text, false, limited.key, {}, hold_others, {}, {}};
    const Foresight known = limited.key.empty() ? Foresight::none : foresight_of(limited.key);
    if (limited.key.empty() || (known == Foresight::none && !may_simulate_all())) return obstacle;
    const auto better = [&](double a, double b) { return limited.wants_more ? a > b : a < b; };
    const auto order = ranked(limited, which, hold_others);
    std::int64_t found = -1;
    for (std::size_t next = 0; next < order.size(); next += kTriedAtATime) {
      if (obstacle.closest && !better(order[next].best, *obstacle.closest)) break;
      const std::size_t some = std::min(kTriedAtATime, order.size() - next);
      if (known != Foresight::exact || hold_others)
        side_by_side(some, jobs_,
                     [&](std::size_t i) { candidates_.simulate(order[next + i].choice); });
      for (std::size_t i = next; i < next + some; ++i) {
        const Candidate& candidate = *candidates_.find(order[i].choice);
        if (hold_others && fails_another(candidate, which)) continue;
        const auto value = candidates_.value(candidate, limited.key, limited.wants_more);
        if (!value || (obstacle.closest && !better(*value, *obstacle.closest))) continue;
        obstacle.closest = value;
        found = order[i].choice;
      }
    }
    if (found < 0) return obstacle;
    obstacle.values = values_of(candidates_.choices(), found);
    obstacle.bottleneck = candidates_.find(found)->choice.bottleneck;
    obstacle.alone = !hold_others && candidates_.fails(*candidates_.find(found), which);
    return obstacle;
  }

  Candidates& candidates_;
  const Goal& goal_;
  unsigned jobs_;
};

}  // namespace

std::vector<Obstacle> obstacles_of(Candidates& candidates, unsigned jobs) {
  return ObstacleFinder(candidates, std::max(1U, jobs)).find();
}

}  // namespace gpufeed
