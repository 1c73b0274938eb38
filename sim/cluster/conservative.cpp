// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sim/cluster/board.h"

namespace gpufeed::cluster {
namespace {

/// What is free from a date on, until the next step.
struct Step {
  double from = 0;
  Room room;
};

/// What will be free when, if all end as expected and all that is planned comes so.
class Plan {
 public:
  Plan(const Board& board, double aware)
      : board_(board), aware_(aware), tried_(board.count_of_needs()) {
    std::vector<std::pair<double, const Running*>> ends;
    for (const Running& one : board.running)
      ends.emplace_back(expected_end(one, board.job(one.job), board.now), &one);
    std::ranges::sort(ends, {},
                      [](const auto& end) { return std::pair(end.first, end.second->job); });
    steps_.push_back({board.now, board.room});
    for (const auto& [date, one] : ends) {
      if (date > steps_.back().from + kInstant) steps_.push_back({date, steps_.back().room});
      steps_.back().room.give(board.job(one->job), one->at);
    }
  }

  /// Whether it would fit at all right now.
  bool fits_now(const Job& job) const { return fits(steps_.front().room, job); }

  /// Reserves what the job needs at the earliest date at which it fits.
  /// \return where it lies, if that is now
  std::optional<Placement> reserve(int number) {
    const Job& job = board_.job(number);
    Tried& tried = tried_[at(board_.needs(number))];
    std::size_t first = 0;
    if (aware_ <= 0 && job.estimate >= tried.estimate)
      while (steps_[first].from < tried.date) ++first;
    while (first < steps_.size()) {
      const double end = steps_[first].from + job.estimate;
      std::size_t last = first;
      while (last < steps_.size() && is_within(last, first, end) && fits(steps_[last].room, job))
        ++last;
      if (last < steps_.size() && is_within(last, first, end)) {
        first = last + 1;  // no window that includes this step will do
        continue;
      }
      const Room least = least_of(first, last);
      auto placement = fits(least, job) ? least.machines.place(job) : std::nullopt;
      if (!placement) {
        ++first;
        continue;
      }
      tried = {job.estimate, steps_[first].from};
      take(job, *placement, first, last, end);
      if (first == 0) return placement;
      return {};
    }
    return {};  // on nodes that are away
  }

 private:
  bool is_within(std::size_t step, std::size_t first, double end) const {
    return step == first || steps_[step].from < end - kInstant;
  }
  bool fits(const Room& room, const Job& job) const {
    return stores_let(*board_.of, room.stores, job, aware_) && room.machines.fits(job);
  }

  Room least_of(std::size_t first, std::size_t last) const {
    Room least = steps_[first].room;
    for (std::size_t i = first + 1; i < last; ++i) {
      least.machines.take_less_of(steps_[i].room.machines);
      for (std::size_t s = 0; s < least.stores.size(); ++s)
        if (steps_[i].room.stores[s].io > least.stores[s].io)
          least.stores[s] = steps_[i].room.stores[s];
    }
    return least;
  }

  void take(const Job& job, const Placement& placement, std::size_t first, std::size_t last,
            double end) {
    const bool ends_with_step = last < steps_.size() && steps_[last].from <= end + kInstant;
    if (!ends_with_step)
      steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(last),
                    Step{end, steps_[last - 1].room});
    for (std::size_t i = first; i < last; ++i) steps_[i].room.take(job, placement);
  }

  /// Jobs of these needs that take so long have no place before: what is free only shrinks.
  struct Tried {
    double estimate = 0;
    double date = -kNever;
  };

  const Board& board_;
  double aware_;
  std::vector<Step> steps_;
  std::vector<Tried> tried_;  ///< by needs
};

}  // namespace

void schedule_conservatively(Board& board, int pool, double aware) {
  const auto waiting = board.queues[at(pool)];
  Plan plan(board, aware);
  const auto may_start = [&](int number) {
    return !board.over_quota(board.job(number)) && plan.fits_now(board.job(number));
  };
  // Who stands behind the last that could start now need not be planned.
  std::size_t end = waiting.size();
  const auto shorten = [&](std::size_t from) {
    while (end > from && !may_start(waiting[end - 1])) --end;
  };
  shorten(0);
  std::vector<int> started;
  for (std::size_t i = 0; i < end; ++i) {
    const Job& job = board.job(waiting[i]);
    if (board.over_quota(job)) continue;
    auto placement = plan.reserve(waiting[i]);
    if (!placement) continue;
    board.start(waiting[i], std::move(*placement));
    started.push_back(waiting[i]);
    shorten(i + 1);
  }
  std::erase_if(board.queues[at(pool)],
                [&](int number) { return std::ranges::count(started, number) > 0; });
}

}  // namespace gpufeed::cluster
