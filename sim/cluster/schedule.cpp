// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/cluster/board.h"

namespace gpufeed::cluster {
namespace {

/// When the head would fit if all ended as expected, and what would be free then.
struct Shadow {
  double date = kNever;
  Room room;
};

/// Follows what is free for one job while others end.
class Awaited {
 public:
  Awaited(const Board& board, const Job& head, double aware, Room& room)
      : board_(board), head_(head), aware_(aware), room_(room) {
    const auto nodes = board.of->nodes.size();
    splits_ = room.machines.may_split(head);
    usable_.assign(splits_ ? nodes : 0, 0);
    for (std::size_t n = 0; n < nodes; ++n) look_at(static_cast<int>(n));
  }

  void ends(const Job& job, const Placement& placement) {
    room_.give(job, placement);
    for (const Part& part : placement.parts) look_at(part.node);
  }
  bool fits() const {
    return (one_holds_ || (splits_ && sum_ >= head_.gpus)) &&
           stores_let(*board_.of, room_.stores, head_, aware_);
  }

 private:
  void look_at(int node) {
    if (board_.of->nodes[at(node)].pool != head_.pool) return;
    one_holds_ = one_holds_ || room_.machines.holds(node, head_);
    if (!splits_) return;
    const int now = room_.machines.usable(node, head_);
    sum_ += now - usable_[at(node)];
    usable_[at(node)] = now;
  }

  const Board& board_;
  const Job& head_;
  double aware_;
  Room& room_;
  bool splits_ = false;
  bool one_holds_ = false;
  int sum_ = 0;
  std::vector<int> usable_;
};

Shadow shadow_of(const Board& board, const Job& head, double aware) {
  std::vector<std::pair<double, const Running*>> ends;
  for (const Running& one : board.running)
    ends.emplace_back(expected_end(one, board.job(one.job), board.now), &one);
  std::ranges::sort(ends, {},
                    [](const auto& end) { return std::pair(end.first, end.second->job); });
  Shadow shadow{kNever, board.room};
  Awaited awaited(board, head, aware, shadow.room);
  for (std::size_t i = 0; i < ends.size();) {
    const double date = ends[i].first;
    for (; i < ends.size() && ends[i].first <= date + kInstant; ++i)
      awaited.ends(board.job(ends[i].second->job), ends[i].second->at);
    if (awaited.fits()) {
      shadow.date = date;
      return shadow;
    }
  }
  return shadow;
}

/// A pass over one queue.
class Pass {
 public:
  Pass(Board& board, int pool, double aware)
      : board_(board),
        pool_(pool),
        aware_(aware),
        no_place_(board.count_of_needs(), 0),
        delays_(board.count_of_needs(), 0) {}

  void run() {
    const std::vector<int> waiting = std::exchange(board_.queues[at(pool_)], {});
    std::vector<int> left;
    left.reserve(waiting.size());
    std::size_t i = 0;
    for (; i < waiting.size() && !head_; ++i)
      if (!starts(waiting[i])) {
        left.push_back(waiting[i]);
        if (!board_.over_quota(board_.job(waiting[i]))) becomes_head(waiting[i]);
      }
    if (board_.of->policy.backfill == Backfill::easy)
      for (; i < waiting.size(); ++i)
        if (!backfills(waiting[i])) left.push_back(waiting[i]);
    left.insert(left.end(), waiting.begin() + static_cast<std::ptrdiff_t>(i), waiting.end());
    board_.queues[at(pool_)] = std::move(left);
    for (const int job : returned_) board_.enqueue(job);
  }

 private:
  void becomes_head(int job) {
    if (board_.of->policy.backfill != Backfill::skip) head_ = job;
  }

  /// Where it would be put now; what is free only shrinks, until one is stopped.
  std::optional<Placement> place_now(int number) {
    const Job& job = board_.job(number);
    char& none = no_place_[at(board_.needs(number))];
    if (none != 0 || board_.over_quota(job) ||
        !stores_let(*board_.of, board_.room.stores, job, aware_))
      return {};
    auto placement = board_.room.machines.place(job);
    if (!placement) none = 1;
    return placement;
  }

  /// Whether it starts, in the place of others if need be.
  bool starts(int number) {
    auto placement = place_now(number);
    const Policy& policy = board_.of->policy;
    const Job& job = board_.job(number);
    if (!placement && policy.reclaim != Reclaim::never && board_.within_own_quota(job))
      placement = reclaim(job);
    if (!placement && policy.preempt && !board_.over_quota(job))
      placement = take_place_of_others(job);
    if (!placement) return false;
    board_.start(number, std::move(*placement));
    return true;
  }

  /// Of those that run in this pool, by (priority, latest start, highest number).
  template <class Is>
  std::vector<const Running*> victims(Is is) const {
    std::vector<const Running*> out;
    for (const Running& one : board_.running)
      if (board_.job(one.job).pool == pool_ && is(board_.job(one.job))) out.push_back(&one);
    std::ranges::sort(out, {}, [this](const Running* one) {
      return std::tuple(board_.job(one->job).priority, -one->start, -one->job);
    });
    return out;
  }

  void stop_all(const std::vector<const Running*>& taken) {
    std::vector<int> jobs;
    jobs.reserve(taken.size());
    for (const Running* one : taken) jobs.push_back(one->job);
    for (const int other : jobs) {
      board_.stop(other);
      board_.decisions.push_back({other, false});
      returned_.push_back(other);
    }
    std::ranges::fill(no_place_, 0);
  }

  std::optional<Placement> take_place_of_others(const Job& job) {
    Room room = board_.room;
    std::vector<const Running*> taken;
    for (const Running* one : victims([&](const Job& other) {
           return other.preemptible && other.priority < job.priority;
         })) {
      room.give(board_.job(one->job), one->at);
      taken.push_back(one);
      if (!stores_let(*board_.of, room.stores, job, aware_)) continue;
      auto placement = room.machines.place(job);
      if (!placement) continue;
      stop_all(taken);
      return placement;
    }
    return {};
  }

  /// What others of the cohort run beyond their quotas makes room for a job within its own; of
  /// those taken, the last come back first where it fits beside them, too.
  /// \source  kueue.sigs.k8s.io/docs/concepts/preemption, reclaimWithinCohort
  std::optional<Placement> reclaim(const Job& job) {
    const Case& of = *board_.of;
    const int cohort = of.users[at(job.user)].cohort;
    if (cohort < 0) return {};
    const auto borrows = [&](const Job& other, const std::vector<std::int64_t>& now) {
      return now[at(other.user)] > of.users[at(other.user)].quota_milli;
    };
    const auto others = victims([&](const Job& other) {
      return other.user != job.user && of.users[at(other.user)].cohort == cohort &&
             borrows(other, board_.held_milli) &&
             (of.policy.reclaim == Reclaim::any || other.priority < job.priority);
    });
    if (others.empty()) return {};
    Room room = board_.room;
    std::vector<std::int64_t> held = board_.held_milli;
    std::int64_t of_cohort = board_.held_of_cohort_milli[at(cohort)];
    const auto move = [&](const Job& other, int sign) {
      held[at(other.user)] += sign * other.held_milli();
      of_cohort += sign * other.held_milli();
    };
    const auto fits = [&] {
      return of_cohort + job.held_milli() <= of.cohorts_milli[at(cohort)] &&
             stores_let(of, room.stores, job, aware_) && room.machines.fits(job);
    };
    std::vector<const Running*> taken;
    for (const Running* one : others) {
      const Job& other = board_.job(one->job);
      if (!borrows(other, held)) continue;
      room.give(other, one->at);
      move(other, -1);
      taken.push_back(one);
      if (!fits()) continue;
      for (std::size_t i = taken.size() - 1; i-- > 0;) {
        const Job& back = board_.job(taken[i]->job);
        room.take(back, taken[i]->at);
        move(back, 1);
        if (fits()) {
          taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(i));
          continue;
        }
        room.give(back, taken[i]->at);
        move(back, -1);
      }
      auto placement = room.machines.place(job);
      stop_all(taken);
      return placement;
    }
    return {};
  }

  /// Whether one behind the head starts.
  bool backfills(int number) {
    const Job& job = board_.job(number);
    if (shadow_ && !ends_before(job) && delays_[at(board_.needs(number))] != 0) return false;
    auto placement = place_now(number);
    if (!placement) return false;
    if (!shadow_) shadow_ = shadow_of(board_, board_.job(*head_), aware_);
    if (!ends_before(job) && !head_fits_beside(job, *placement)) {
      // by the store it may depend on what the job reads, too
      if (aware_ <= 0) delays_[at(board_.needs(number))] = 1;
      return false;
    }
    std::ranges::fill(delays_, 0);  // from now on others may be put elsewhere
    board_.start(number, std::move(*placement));
    return true;
  }

  bool ends_before(const Job& job) const {
    return board_.now + job.estimate <= shadow_->date + kInstant;
  }

  /// Whether the head would still fit at its date with the job, which then stays there.
  bool head_fits_beside(const Job& job, const Placement& placement) {
    const Job& head = board_.job(*head_);
    Room& then = shadow_->room;
    then.take(job, placement);
    if (stores_let(*board_.of, then.stores, head, aware_) && then.machines.fits(head)) return true;
    then.give(job, placement);
    return false;
  }

  Board& board_;
  int pool_;
  double aware_;
  std::optional<int> head_;
  std::optional<Shadow> shadow_;
  std::vector<char> no_place_;  ///< of needs: that found none in this pass
  std::vector<char> delays_;    ///< of needs: that would delay the head, as things lie
  std::vector<int> returned_;
};

void pass_over(Board& board, double aware) {
  for (int pool = 0; pool < board.of->pools; ++pool) {
    if (board.queues[at(pool)].empty()) continue;
    if (board.of->policy.backfill == Backfill::conservative)
      schedule_conservatively(board, pool, aware);
    else
      Pass(board, pool, aware).run();
  }
}

}  // namespace

void schedule(Board& board) {
  board.decisions.clear();
  if (board.of->policy.order == Order::fair) board.sort_queues();
  const Policy& policy = board.of->policy;
  pass_over(board, policy.storage_aware);
  if (policy.storage_aware > 0 && policy.storage_soft) pass_over(board, 0);
}

}  // namespace gpufeed::cluster
