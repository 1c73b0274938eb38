// SPDX-License-Identifier: Apache-2.0
#include "reports/study/recommend.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "reports/study/best_chance.h"
#include "reports/study/candidates.h"
#include "reports/study/front.h"
#include "reports/study/obstacles.h"
#include "reports/study/search_order.h"
#include "reports/study/side_by_side.h"
#include "reports/study/study_pool.h"
#include "reports/writers/pooled_json.h"

namespace gpufeed {
namespace {

/// Choices between two looks at the incumbent, however many threads there are: what is simulated,
/// and so what is printed, does not depend on them.
constexpr std::size_t kAtATime = 32;
constexpr std::size_t kServedAtATime = 4;  ///< of engines that serve, which no bound excludes
/// Chances with which an answer is shown beside the one that is wanted.
constexpr std::array kSurer = {Ratio{0.8}, Ratio{0.95}};
/// For each of them, choices beyond those of the search that are made into scenarios at most.
constexpr std::size_t kFurther = 48;

/// Of a round of a pool: as many as there are choices between two looks.
constexpr std::size_t kMostTasks = kAtATime;

/// Ways to split a model that are held against the answer.
constexpr std::size_t kRivals = 5;

class GoalSearch {
 public:
  GoalSearch(const Choices& choices, const SearchRun& run)
      : choices_(choices),
        run_(run),
        goal_(choices.goal),
        candidates_(choices),
        order_(choices, candidates_),
        confidence_(goal_.confidence) {}

  Recommendation find() {
    if (goal_.front.empty())
      find_best();
    else
      find_front();
    if (out_.chosen.empty()) explain();
    side_by_side(out_.chosen.size(), run_.jobs, [&](std::size_t i) {
      Choice& choice = out_.chosen[i];
      if (candidates_.chance_of(choice.number)) choice = candidates_.find(choice.number)->choice;
    });
    if (tells_rates()) compare_neighbors();
    const bool wants_speed = order_.maximizes() && order_.key() == "job_samples_per_s";
    if (out_.chosen.size() == 1 && goal_.layouts && wants_speed) find_rivals();
    count(candidates_, out_);
    if (goal_.front.empty() && !out_.chosen.empty()) find_surer();
    return std::move(out_);
  }

 private:
  std::size_t at_a_time() const {
    return choices_.studied() == Studied::serving ? kServedAtATime : kAtATime;
  }

  void find_best() {
    out_.aim = fmt::format("the {} {}", order_.maximizes() ? "most" : "least", order_.key());
    order_.make_tables();
    search();
    if (best_ < 0 && out_.excluded_without_price > 0) {  // then one of those, which is told
      only_whole_ = false;
      search();
    }
    if (best_ < 0) return;
    best_ = best_equal();
    out_.chosen = {candidates_.find(best_)->choice};
  }

  void search() {
    sort();
    while (!take_in_order()) {
      order_.drop_tables();
      sort();
    }
    out_.checked_sums = order_.checked_sums();
  }

  void sort() {
    if (!order_.is_known()) examine_all();
    order_.sort(only_whole_);
    out_.excluded_without_price = order_.left_out();
  }

  std::int64_t best_equal() { return order_.is_simulated() ? cheapest_equal() : fastest_equal(); }

  /// The same search for more confidence, as far as it goes in reasonable time.
  void find_surer() {
    const double chance = out_.chosen.front().chance.value_or(1);
    const double noise = out_.noise;
    for (const Ratio confidence : kSurer) {
      if (chance >= confidence.value) continue;
      confidence_ = confidence;
      further_ = kFurther;
      SurerChoice surer{confidence.value, {}, true};
      if (!take_in_order()) return;  // a sum was wrong: prices are no order
      surer.all_seen = further_ > 0;
      if (best_ >= 0) surer.choice.push_back(candidates_.find(best_equal())->choice);
      out_.surer.push_back(std::move(surer));
    }
    out_.noise = noise;
  }

  /// The fastest of each other way to split the model, as far as the order tells, and how likely
  /// each is the fastest of all.
  void find_rivals() {
    std::set<std::uint32_t> seen{split_of(best_)};
    for (const Place& place : order_.places()) {
      if (out_.rivals.size() == kRivals) break;
      if (seen.contains(split_of(place.choice))) continue;
      look_into(place.choice);
      if (!candidates_.counts(place.choice, {})) continue;
      seen.insert(split_of(place.choice));
      out_.rivals.push_back(candidates_.find(place.choice)->choice);
    }
    std::ranges::stable_sort(out_.rivals, std::greater{}, &Choice::job_samples_per_s);
    std::vector<Choice*> all{&out_.chosen.front()};
    for (Choice& rival : out_.rivals) all.push_back(&rival);
    std::vector<Contestant> contestants(all.size());
    side_by_side(all.size(), run_.jobs, [&](std::size_t i) {
      contestants[i] = candidates_.contestant_of(all[i]->number);
    });
    const auto chances = chances_to_be_best(contestants);
    for (std::size_t i = 0; i < chances.size(); ++i) all[i]->chance_best = chances[i];
  }

  std::uint32_t split_of(std::int64_t choice) const {
    return choices_.split[static_cast<std::size_t>(choice)];
  }

  /// Whether the front is one of rates or times, among others.
  bool tells_rates() const {
    return std::ranges::any_of(goal_.front, [](const std::string& key) {
      return foresight_of(key) == Foresight::at_most || foresight_of(key) == Foresight::at_least;
    });
  }

  /// How sure each of a front is faster than the one before it.
  void compare_neighbors() {
    std::vector<Contestant> all(out_.chosen.size());
    side_by_side(all.size(), run_.jobs,
                 [&](std::size_t i) { all[i] = candidates_.contestant_of(out_.chosen[i].number); });
    for (std::size_t i = 1; i < all.size(); ++i)
      out_.chosen[i].chance_over_last = chance_in_draws(all[i], all[i - 1]);
  }

  void explain() {
    examine_all();
    if (any_meets())
      add_best_chance();
    else
      out_.obstacles = obstacles_of(candidates_, run_.jobs);
  }

  bool any_meets() {
    for (std::int64_t choice = 0; choice < choices_.count(); ++choice)
      if (candidates_.counts(choice, {})) return true;
    return false;
  }

  /// As predicted some choice meets all: chance alone is in the way. The most likely of them.
  void add_best_chance() {
    const Candidate* best = nullptr;
    for (std::int64_t i = 0; i < choices_.count(); ++i)
      if (const Candidate* one = candidates_.find(i); one && one->choice.chance)
        if (!best || *one->choice.chance > *best->choice.chance) best = one;
    Obstacle obstacle;
    obstacle.constraint = fmt::format("confidence = {} %", percent_number());
    obstacle.alone = true;
    if (best) {
      obstacle.key = "chance";
      obstacle.closest = best->choice.chance;
      obstacle.values = best->choice.values;
      obstacle.bottleneck = best->choice.bottleneck;
    }
    out_.obstacles.push_back(std::move(obstacle));
  }

  std::string percent_number() const { return text_number(100 * goal_.confidence->value); }

  /// \return false where a sum of the tables was wrong
  bool take_in_order() {
    double best = kNever;
    best_ = -1;
    const std::vector<Place>& order = order_.places();
    for (std::size_t next = 0; next < order.size() && order[next].least < best;
         next += at_a_time()) {
      const std::size_t some = std::min(at_a_time(), order.size() - next);
      if (further_ && !may_look_further(next, some)) break;
      for_each(
          some, [&](std::size_t i) { return order[next + i].choice; },
          [&](std::size_t i) {
            if (order[next + i].least < best) look_into(order[next + i].choice);
          });
      looked_at(some);
      for (std::size_t i = next; i < next + some; ++i) {
        const std::int64_t choice = order[i].choice;
        const Candidate* const candidate = candidates_.find(choice);
        if (!candidate || candidate->stage == Insight::refused) continue;
        if (!order_.agrees(*candidate, choice)) return false;
        if (order_.aim_of(*candidate, choice) >= best || !candidates_.counts(choice, confidence_))
          continue;
        best = order_.aim_of(*candidate, choice);
        best_ = choice;
      }
    }
    return true;
  }

  bool may_look_further(std::size_t next, std::size_t some) {
    const auto is_new = [&](const Place& place) {
      const Candidate* const known = candidates_.find(place.choice);
      return !known || known->stage == Insight::open || (known->meets && !known->choice.chance);
    };
    const auto begin = order_.places().begin() + static_cast<std::ptrdiff_t>(next);
    const auto more = static_cast<std::size_t>(
        std::count_if(begin, begin + static_cast<std::ptrdiff_t>(some), is_new));
    further_ = *further_ - std::min(*further_, more);
    return *further_ > 0;
  }

  /// Of the choices that the best one is not clearly better than, the cheapest; of those that cost
  /// the same, the first. Those with parts that have no price come last: they may cost more.
  std::int64_t cheapest_equal() {
    const Candidate& best = *candidates_.find(best_);
    out_.noise = best.noise;
    const double value = order_.aim_of(best, best_);
    const auto is_equal = [&](std::int64_t choice) {
      const Candidate& one = *candidates_.find(choice);
      const double its = order_.aim_of(one, choice);
      return (candidates_.counts(choice, confidence_) || one.stage == Insight::open) &&
             !clearly_less(value, its, best.noise);
    };
    std::vector<std::int64_t> equal;
    for (const Place& place : order_.places()) {
      if (clearly_less(value, place.least, best.noise)) break;
      candidates_.examine(place.choice);
      if (is_equal(place.choice)) equal.push_back(place.choice);
    }
    std::ranges::sort(equal, {}, [&](std::int64_t choice) {
      const Candidate& one = *candidates_.find(choice);
      return std::tuple(!one.price_USD, one.cost.unpriced, one.price_USD, choice);
    });
    // Until one is known to be equal: behind it, all cost as much or more.
    const auto known = std::ranges::find_if(
        equal, [&](std::int64_t choice) { return candidates_.counts(choice, confidence_); });
    equal.erase(known + 1, equal.end());
    for (std::size_t next = 0; next < equal.size(); next += at_a_time()) {
      const std::size_t some = std::min(at_a_time(), equal.size() - next);
      for_each(
          some, [&](std::size_t i) { return equal[next + i]; },
          [&](std::size_t i) { look_into(equal[next + i]); });
      for (std::size_t i = next; i < next + some; ++i)
        if (candidates_.counts(equal[i], confidence_) && is_equal(equal[i])) return equal[i];
    }
    return best_;
  }

  /// Of the choices that come to the same, such as those that differ in settings, the fastest; of
  /// those about as fast, the first. Those whose bound is not clearly above what was found are not
  /// simulated.
  std::int64_t fastest_equal() {
    constexpr double kRounding = 1e-9;
    const double value = order_.aim_of(*candidates_.find(best_), best_);
    std::vector<std::int64_t> equal;
    for (const Place& place : order_.places())
      if (std::abs(place.least - value) <= kRounding * std::abs(value))
        equal.push_back(place.choice);
    for (std::size_t next = 0; next < equal.size(); next += at_a_time())
      side_by_side(std::min(at_a_time(), equal.size() - next), run_.jobs,
                   [&](std::size_t i) { candidates_.examine(equal[next + i]); });
    auto by_bound = equal;
    std::ranges::stable_sort(by_bound, std::greater(), [&](std::int64_t choice) {
      return candidates_.find(choice)->most_samples_per_s;
    });
    std::int64_t found = fastest_of(equal);
    for (std::size_t next = 0; next < by_bound.size(); next += at_a_time()) {
      const Candidate& best = *candidates_.find(found);
      if (!clearly_less(best.choice.job_samples_per_s,
                        candidates_.find(by_bound[next])->most_samples_per_s, best.noise))
        break;
      const std::size_t some = std::min(at_a_time(), by_bound.size() - next);
      for_each(
          some, [&](std::size_t i) { return by_bound[next + i]; },
          [&](std::size_t i) { look_into(by_bound[next + i]); });
      found = fastest_of(equal);
    }
    return found;
  }

  /// Of those that were simulated, meet all constraints and lack the prices of the same parts.
  std::int64_t fastest_of(const std::vector<std::int64_t>& equal) {
    const Candidate& first = *candidates_.find(best_);
    double fastest = first.choice.job_samples_per_s;
    std::int64_t found = best_;
    for (const std::int64_t choice : equal) {
      const Candidate& one = *candidates_.find(choice);
      if (one.without_price != first.without_price ||
          !clearly_less(fastest, one.choice.job_samples_per_s, one.noise) ||
          !candidates_.counts(choice, confidence_))
        continue;
      fastest = one.choice.job_samples_per_s;
      found = choice;
    }
    return found;
  }

  /// Choices number 0 to `count` - 1 of some, side by side, and by all workers where it is a pool.
  void for_each(std::size_t count, const std::function<std::int64_t(std::size_t)>& choice,
                const std::function<void(std::size_t)>& work) {
    if (!run_.pool) return side_by_side(count, run_.jobs, work);
    const std::size_t each = (count + kMostTasks - 1) / kMostTasks;
    const auto end_of = [&](std::size_t task) { return std::min(count, (task + 1) * each); };
    const auto told = run_.pool->round((count + each - 1) / each, run_.jobs, [&](std::size_t task) {
      PooledChoices some;
      for (std::size_t i = task * each; i < end_of(task); ++i) {
        work(i);
        some.choices.push_back(candidates_.told_of(choice(i)));
      }
      return to_json(some);
    });
    for (std::size_t task = 0; task < told.size(); ++task) {
      PooledChoices some = pooled_choices_from_json(told[task]);
      for (std::size_t i = task * each; i < end_of(task) && i - task * each < some.choices.size();
           ++i)
        candidates_.take(choice(i), std::move(some.choices[i - task * each]));
    }
  }

  void look_into(std::int64_t choice) {
    if (candidates_.examine(choice).stage == Insight::open) candidates_.simulate(choice);
    if (confidence_) candidates_.counts(choice, confidence_);
  }

  void examine_all() {
    constexpr std::int64_t kChunk = 1024;
    for (std::int64_t next = 0; next < choices_.count(); next += kChunk) {
      const auto some = static_cast<std::size_t>(std::min(kChunk, choices_.count() - next));
      const auto choice = [&](std::size_t i) { return next + static_cast<std::int64_t>(i); };
      for_each(some, choice, [&](std::size_t i) { candidates_.examine(choice(i)); });
      looked_at(some);
    }
  }

  void looked_at(std::size_t more) {
    looked_at_ += static_cast<std::int64_t>(more);
    run_.progress(std::min(looked_at_, choices_.count()));
  }

  void find_front() {
    out_.aim = fmt::format("those that no other beats in {}", fmt::join(goal_.front, ", "));
    examine_all();
    const Front front = front_of(candidates_);
    for (const auto choice : front.choices) out_.chosen.push_back(candidates_.find(choice)->choice);
    out_.noise = front.noise;
  }

  const Choices& choices_;
  const SearchRun& run_;
  const Goal& goal_;
  Candidates candidates_;
  SearchOrder order_;
  std::optional<Ratio> confidence_;
  std::optional<std::size_t> further_;  ///< choices that may yet be made into scenarios
  Recommendation out_;
  std::int64_t best_ = -1;
  std::int64_t looked_at_ = 0;
  bool only_whole_ = true;  ///< whether choices that lack more prices than others are left out
};

std::vector<PlanPart> parts_of(const Choices& choices) {
  std::vector<PlanPart> parts;
  for (const SweepPlan& plan : choices.workloads)
    parts.insert(parts.end(), plan.parts.begin(), plan.parts.end());
  return parts;
}

}  // namespace

Recommendation recommend(const Choices& choices, const SearchRun& run) {
  if (run.pool) run.pool->is_of(parts_of(choices));
  return GoalSearch(choices, run).find();
}

}  // namespace gpufeed
