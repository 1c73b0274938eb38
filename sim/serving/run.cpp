// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <queue>

#include "sim/serving/replica.h"

namespace gpufeed::serving {
namespace {

struct Arrival {
  double at;
  std::int32_t request;
  bool operator>(const Arrival& other) const {
    return at != other.at ? at > other.at : request > other.request;
  }
};

/// All replicas, and who gets what comes.
class Run {
 public:
  explicit Run(const Case& of) : of_(of) {
    outcome_.requests.resize(of.requests.size());
    outcome_.tiers.resize(of.tiers.size());
    for (const TierLaw& law : of.tiers) shared_tiers_.emplace_back(law, of.kv_bytes);
    for (std::int64_t i = 0; i < of.replicas; ++i)
      replicas_.emplace_back(Shared{of, outcome_, shared_tiers_, ended_});
    follower_.assign(of.requests.size(), -1);
    for (std::size_t i = 0; i < of.requests.size(); ++i) {
      const auto number = static_cast<std::int32_t>(i);
      if (of.requests[i].after >= 0)
        follower_[static_cast<std::size_t>(of.requests[i].after)] = number;
      else if (of.clients == 0)
        arrivals_.push({of.requests[i].arrival, number});
      else
        waiting_.push_back(number);
    }
    for (std::int64_t i = 0; i < of.clients; ++i) start_next(0);
  }

  Outcome run() {
    for (;;) {
      Replica* first = nullptr;
      double at = kNever;
      for (Replica& one : replicas_)
        if (const double next = one.next(); next < at) {
          at = next;
          first = &one;
        }
      if (!arrivals_.empty() && arrivals_.top().at <= at) {
        const Arrival arrival = arrivals_.top();
        arrivals_.pop();
        arrive(arrival);
        continue;
      }
      if (!first) break;
      first->step();
      for (const std::int32_t request : ended_) go_on(request);
      ended_.clear();
    }
    for (std::size_t i = 0; i < of_.tiers.size(); ++i) {
      if (of_.tiers[i].shared) add(outcome_.tiers[i], shared_tiers_[i].totals_at(outcome_.end));
      for (const Replica& one : replicas_)
        if (!of_.tiers[i].shared) add(outcome_.tiers[i], one.tiers()[i].totals_at(outcome_.end));
    }
    return std::move(outcome_);
  }

 private:
  static void add(TierTotals& sum, const TierTotals& one) {
    sum.hit_blocks += one.hit_blocks;
    sum.hit_tokens += one.hit_tokens;
    sum.left += one.left;
    sum.reads += one.reads;
    sum.read_B += one.read_B;
    sum.written_B += one.written_B;
    sum.busy += one.busy;
    sum.late += one.late;
    sum.waited += one.waited;
    sum.held += one.held;
    sum.most_held += one.most_held;
  }

  void start_next(double at) {
    if (next_waiting_ < waiting_.size()) arrivals_.push({at, waiting_[next_waiting_++]});
  }

  void go_on(std::int32_t request) {
    const double end = outcome_.requests[static_cast<std::size_t>(request)].end;
    outcome_.end = std::max(outcome_.end, end);
    const std::int32_t next = follower_[static_cast<std::size_t>(request)];
    if (next >= 0)
      arrivals_.push({end + of_.pause, next});
    else if (of_.clients > 0)
      start_next(end);
  }

  void arrive(const Arrival& arrival) {
    const Request& request = of_.requests[static_cast<std::size_t>(arrival.request)];
    Record& record = outcome_.requests[static_cast<std::size_t>(arrival.request)];
    record.arrival = arrival.at;
    const std::int64_t most = request.prompt + std::int64_t{request.answer};
    if ((most + kBlock - 1) / kBlock > of_.pool) {
      record.refused = true;
      record.end = arrival.at;
      go_on(arrival.request);
      return;
    }
    route(arrival.request).arrive(arrival.request, arrival.at);
  }

  Replica& route(std::int32_t request) {
    if (replicas_.size() == 1) return replicas_.front();
    if (of_.route == Route::round_robin) return replicas_[turn_++ % replicas_.size()];
    std::size_t best = 0;
    std::pair<std::int64_t, std::int64_t> most{-1, 0};
    for (std::size_t i = 0; i < replicas_.size(); ++i) {
      const std::int64_t blocks =
          of_.route == Route::prefix ? replicas_[i].leading_blocks(request) : 0;
      const std::pair<std::int64_t, std::int64_t> one{blocks, -replicas_[i].load()};
      if (i > 0 && one <= most) continue;
      most = one;
      best = i;
    }
    return replicas_[best];
  }

  const Case& of_;
  Outcome outcome_;
  std::vector<Tier> shared_tiers_;
  std::vector<std::int32_t> ended_;
  std::deque<Replica> replicas_;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
  std::vector<std::int32_t> follower_;
  std::vector<std::int32_t> waiting_;
  std::size_t next_waiting_ = 0;
  std::size_t turn_ = 0;
};

}  // namespace

Outcome run(const Case& of) { return Run(of).run(); }

}  // namespace gpufeed::serving
