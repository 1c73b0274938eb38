// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/board.h"

#include <algorithm>
#include <map>

namespace gpufeed::cluster {
namespace {}  // namespace

void Room::take(const Job& job, const Placement& placement) {
  machines.take(job, placement);
  if (job.io <= 0) return;
  StoreLoad& load = stores[at(job.store)];
  load.io += job.io;
  ++load.jobs;
}

void Room::give(const Job& job, const Placement& placement) {
  machines.give(job, placement);
  if (job.io <= 0) return;
  StoreLoad& load = stores[at(job.store)];
  load.io = --load.jobs > 0 ? load.io - job.io : 0;
}

bool stores_let(const Case& of, const std::vector<StoreLoad>& stores, const Job& job,
                double aware) {
  if (aware <= 0 || stores.empty()) return true;
  const StoreLoad& load = stores[at(job.store)];
  return load.jobs == 0 ||
         load.io + job.io <= aware * of.stores[at(job.store)].bandwidth * (1 + 1e-9);
}

double expected_end(const Running& one, const Job& job, double now) {
  if (job.estimate <= kInstant) return now;
  double length = job.estimate;
  while (one.start + length <= now + kInstant) length *= 2;
  return one.start + length;
}

Board::Board(const Case& c)
    : of(&c),
      room(c),
      queues(at(c.pools)),
      used(c.users.size(), 0.0),
      held_milli(c.users.size(), 0),
      held_of_cohort_milli(c.cohorts_milli.size(), 0),
      place_in_running_(c.jobs.size(), -1) {
  std::map<std::tuple<int, int, std::vector<int>, int, std::int64_t, std::int64_t>, int> numbers;
  for (const Job& one : c.jobs) {
    const auto next = static_cast<int>(numbers.size());
    needs_.push_back(
        numbers
            .try_emplace({one.gpus, one.milli, one.types, one.pool, one.cpu_milli, one.memory},
                         next)
            .first->second);
  }
  count_of_needs_ = numbers.size();
}

const Running* Board::find(int number) const {
  const int place = place_in_running_[at(number)];
  return place < 0 ? nullptr : &running[at(place)];
}

std::tuple<double, double, int> Board::rank(int number) const {
  const Job& one = job(number);
  const auto first = [&] {
    switch (of->policy.order) {
      case Order::fifo:
        return 0.0;
      case Order::priority:
        return -one.priority;
      case Order::sjf:
        return one.estimate;
      case Order::fair:
        return used[at(one.user)] / of->users[at(one.user)].share;
    }
    return 0.0;
  };
  return {first(), one.arrival, number};
}

void Board::sort_queues() {
  for (auto& queue : queues)
    std::ranges::sort(queue, {}, [this](int number) { return rank(number); });
}

void Board::enqueue(int number) {
  auto& queue = queues[at(job(number).pool)];
  const auto by_rank = [this](int one) { return rank(one); };
  queue.insert(std::ranges::upper_bound(queue, rank(number), {}, by_rank), number);
  ++waiting;
  if (job(number).gpus > 0) ++waiting_for_gpus;
}

void Board::start(int number, Placement placement) {
  const Job& one = job(number);
  room.take(one, placement);
  hold(one, one.held_milli());
  place_in_running_[at(number)] = static_cast<int>(running.size());
  running.push_back({number, now, std::move(placement)});
  --waiting;
  if (one.gpus > 0) --waiting_for_gpus;
  decisions.push_back({number, true});
}

void Board::stop(int number) {
  const int place = place_in_running_[at(number)];
  const Job& one = job(number);
  room.give(one, running[at(place)].at);
  hold(one, -one.held_milli());
  place_in_running_[at(number)] = -1;
  if (at(place) + 1 < running.size()) {
    running[at(place)] = std::move(running.back());
    place_in_running_[at(running[at(place)].job)] = place;
  }
  running.pop_back();
}

void Board::hold(const Job& one, std::int64_t milli) {
  held_milli[at(one.user)] += milli;
  const int cohort = of->users[at(one.user)].cohort;
  if (cohort >= 0) held_of_cohort_milli[at(cohort)] += milli;
}

bool Board::within_own_quota(const Job& one) const {
  return held_milli[at(one.user)] + one.held_milli() <= of->users[at(one.user)].quota_milli;
}

bool Board::over_quota(const Job& one) const {
  const User& user = of->users[at(one.user)];
  if (user.cohort < 0) return !within_own_quota(one);
  return held_milli[at(one.user)] + one.held_milli() > user.quota_milli + user.borrow_milli ||
         held_of_cohort_milli[at(user.cohort)] + one.held_milli() >
             of->cohorts_milli[at(user.cohort)];
}

}  // namespace gpufeed::cluster
