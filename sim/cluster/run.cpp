// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "sim/base/numbers/random.h"
#include "sim/cluster/board.h"
#include "sim/cluster/life.h"
#include "sim/cluster/outcome.h"
#include "sim/cluster/shares.h"

namespace gpufeed::cluster {
namespace {

class Run {
 public:
  Run(const Case& of, const std::function<void(Board&)>& pass)
      : case_(of), board_(of), whole_(of), empty_(of), pass_(pass), random_(of.seed) {
    for (const Store& store : of.stores) capacities_.push_back(store.bandwidth);
    for (const Node& node : of.nodes) {
      capacities_.push_back(node.link);
      speeds_.push_back(node.speed);
      count_idle(node, 1);
    }
    left_.assign(of.stores.size() + of.nodes.size(), {});
    for (const Job& job : of.jobs) lives_.emplace_back(job);
    out_.jobs.resize(of.jobs.size());
    uses_.resize(of.jobs.size());
    arrivals_.resize(of.jobs.size());
    std::iota(arrivals_.begin(), arrivals_.end(), 0);
    std::ranges::stable_sort(arrivals_, {}, [this](int job) { return board_.job(job).arrival; });
    if (!arrivals_.empty()) out_.first_arrival = board_.job(arrivals_.front()).arrival;
    for (const Failure& one : of.failures)
      if (one.at >= out_.first_arrival - kInstant) failures_.insert({{one.at, one.node}, one});
    for (std::size_t n = 0; n < of.nodes.size() + of.stores.size(); ++n)
      draw_failure(static_cast<int>(n), out_.first_arrival);
    board_.now = out_.last_end = out_.first_arrival;
  }

  Outcome run() {
    while (true) {
      const double date = next_date();
      if (date == kNever || date > case_.until) break;
      go_to(date);
      end_segments();
      repair();
      recover();
      fail();
      arrive();
      if (pass_)
        pass_(board_);
      else
        schedule(board_);
      follow_decisions();
      set_rates();
      remember();
    }
    if (case_.until != kNever) {
      go_to(std::max(board_.now, case_.until));
      out_.last_end = board_.now;
    }
    for (const Running& one : board_.running) {
      lives_[at(one.job)].advance(board_.now, record(one.job));
      leave(one.job, false);
    }
    return std::move(out_);
  }

 private:
  void count_idle(const Node& node, int sign) {
    idle_W_ += sign * node.idle_W;
    idle_cost_ += sign * node.idle_W * node.cost_per_J;
  }

  JobRecord& record(int job) { return out_.jobs[at(job)]; }
  bool is_now(double date) const { return date <= board_.now + kInstant; }

  double next_date() const {
    double date = kNever;
    if (!ends_.empty()) date = ends_.begin()->first;
    if (next_arrival_ < arrivals_.size())
      date = std::min(date, board_.job(arrivals_[next_arrival_]).arrival);
    // what nodes do matters to those who wait, run or will come
    if (date == kNever && board_.waiting == 0 && board_.running.empty()) return date;
    if (!failures_.empty()) date = std::min(date, failures_.begin()->first.first);
    if (!drawn_.empty()) date = std::min(date, drawn_.begin()->first);
    if (!repairs_.empty()) date = std::min(date, repairs_.begin()->first);
    if (!recoveries_.empty()) date = std::min(date, recoveries_.begin()->first);
    return date;
  }

  void go_to(double date) {
    const double time = date - board_.now;
    if (time > 0) {
      if (board_.waiting_for_gpus > 0)
        out_.stranded += static_cast<double>(board_.room.machines.free_milli()) / kMilli * time;
      out_.idle_energy += idle_W_ * time;
      out_.idle_energy_cost += idle_cost_ * time;
      for (std::size_t u = 0; u < board_.used.size(); ++u)
        board_.used[u] += static_cast<double>(board_.held_milli[u]) / kMilli * time;
    }
    board_.now = date;
  }

  /// An attempt is over: what it held.
  void leave(int job, bool finished) {
    const double start = lives_[at(job)].attempt_start();
    const double time = board_.now - start;
    record(job).held += static_cast<double>(board_.job(job).held_milli()) / kMilli * time;
    for (const Part& part : record(job).at.parts) {
      const Node& node = case_.nodes[at(part.node)];
      if (node.gpus == 0) continue;
      const double share =
          static_cast<double>(part.gpus.size()) * board_.job(job).milli / kMilli / node.gpus * time;
      const double energy = share * node.idle_W;
      const double cost = share * node.cost_per_s + energy * node.cost_per_J;
      record(job).energy += energy;
      record(job).cost += cost;
      out_.held_idle_energy += energy;
      out_.held_cost += cost;
    }
    out_.attempts.push_back({job, start, board_.now, record(job).at, finished});
  }

  void forget_end(int job) { ends_.erase({lives_[at(job)].segment_end(), job}); }

  void end_segments() {
    std::vector<int> over;
    for (const auto& [date, job] : ends_) {
      if (!is_now(date)) break;
      over.push_back(job);
    }
    std::ranges::sort(over);
    for (const int job : over) {
      forget_end(job);
      Life& life = lives_[at(job)];
      const bool moved = life.io() > 0;
      if (life.next(board_.now, record(job))) {
        leave(job, true);
        board_.stop(job);
        out_.last_end = board_.now;
        record(job).end = board_.now;
      } else {
        to_rate_.push_back(job);
      }
      flows_changed_ = flows_changed_ || moved || life.io() > 0;
    }
  }

  void repair() {
    while (!repairs_.empty() && is_now(repairs_.begin()->first)) {
      board_.room.machines.set_up(repairs_.begin()->second, true);
      count_idle(case_.nodes[at(repairs_.begin()->second)], 1);
      repairs_.erase(repairs_.begin());
    }
  }

  /// Nodes, then stores.
  bool is_node(int part) const { return at(part) < case_.nodes.size(); }

  /// A part's next failure at random, after a date.
  void draw_failure(int part, double after) {
    const double mtbf = is_node(part) ? case_.nodes[at(part)].mtbf
                                      : case_.stores[at(part) - case_.nodes.size()].mtbf;
    if (mtbf == kNever) return;
    drawn_.insert({after - mtbf * std::log(1 - random_.uniform(0, 1)), part});
  }

  void fail() {
    while (!failures_.empty() && is_now(failures_.begin()->first.first)) {
      const auto first = failures_.begin();
      const Failure failure = first->second;
      failures_.erase(first);
      fail(failure);
    }
    while (!drawn_.empty() && is_now(drawn_.begin()->first)) {
      const auto [date, part] = *drawn_.begin();
      drawn_.erase(drawn_.begin());
      const int store = part - static_cast<int>(case_.nodes.size());
      const double repair =
          is_node(part) ? case_.nodes[at(part)].repair : case_.stores[at(store)].repair;
      fail({date, is_node(part) ? part : store, repair, !is_node(part), 0});
      draw_failure(part, date + repair);
    }
  }

  /// What stands where of `left_` and `capacities_`.
  std::size_t place_of(const Failure& failure) const {
    return at(failure.node) + (failure.of_store ? 0 : case_.stores.size());
  }

  void slow_down(const Failure& failure) {
    if (failure.repair <= 0) return;
    left_[place_of(failure)].push_back(failure.left);
    recoveries_.insert({failure.at + failure.repair, failure});
    set_speed(failure);
  }

  void recover() {
    while (!recoveries_.empty() && is_now(recoveries_.begin()->first)) {
      const Failure over = recoveries_.begin()->second;
      recoveries_.erase(recoveries_.begin());
      auto& left = left_[place_of(over)];
      left.erase(std::ranges::find(left, over.left));
      set_speed(over);
    }
  }

  /// Of what slows a part down at the same time, the worst counts.
  void set_speed(const Failure& failure) {
    const std::size_t place = place_of(failure);
    double part = 1;
    for (const double one : left_[place]) part = std::min(part, one);
    if (failure.of_store) {
      capacities_[place] = case_.stores[place].bandwidth * part;
      flows_changed_ = true;
      return;
    }
    speeds_[at(failure.node)] = case_.nodes[at(failure.node)].speed * part;
    for (const Running& one : board_.running) {
      if (std::ranges::count(one.at.parts, failure.node, &Part::node) == 0) continue;
      lives_[at(one.job)].set_full(full_rate_of(board_.job(one.job), one.at, speeds_));
      if (lives_[at(one.job)].io() > 0)
        flows_changed_ = true;
      else
        to_rate_.push_back(one.job);
    }
  }

  void fail(const Failure& failure) {
    if (failure.of_store || failure.left > 0) return slow_down(failure);
    if (!board_.room.machines.is_up(failure.node)) return;
    std::vector<int> hit;
    for (const Running& one : board_.running)
      if (std::ranges::count(one.at.parts, failure.node, &Part::node) > 0) hit.push_back(one.job);
    std::ranges::sort(hit);
    for (const int job : hit) {
      stop(job);
      board_.stop(job);
      board_.enqueue(job);
    }
    if (failure.repair <= 0) return;
    board_.room.machines.set_up(failure.node, false);
    count_idle(case_.nodes[at(failure.node)], -1);
    repairs_.insert({failure.at + failure.repair, failure.node});
  }

  /// The job loses what it had not saved.
  void stop(int job) {
    Life& life = lives_[at(job)];
    if (!life.runs()) return;  // it was to begin at this instant
    forget_end(job);
    flows_changed_ = flows_changed_ || life.io() > 0;
    life.stop(board_.now, record(job));
    leave(job, false);
  }

  void arrive() {
    for (; next_arrival_ < arrivals_.size(); ++next_arrival_) {
      const int number = arrivals_[next_arrival_];
      const Job& job = board_.job(number);
      if (!is_now(job.arrival)) break;
      if (whole_.fits(job) && !empty_.over_quota(job))
        board_.enqueue(number);
      else
        record(number).refused = true;
    }
  }

  void follow_decisions() {
    for (const Decision& one : board_.decisions)
      if (one.starts)
        begin(one.job);
      else
        stop(one.job);
  }

  void begin(int job) {
    const Running* const one = board_.find(job);
    if (!one) {  // stopped at the same instant
      ++record(job).attempts;
      if (!record(job).start) record(job).start = board_.now;
      return;
    }
    record(job).at = one->at;
    Life& life = lives_[at(job)];
    if (!case_.stores.empty()) uses_[at(job)] = uses_of(case_, board_.job(job), one->at);
    life.begin(board_.now, ability_of(case_, board_.job(job), one->at, speeds_), record(job));
    to_rate_.push_back(job);
    flows_changed_ = flows_changed_ || life.io() > 0;
  }

  void set_rate(int job, double rate, int held_by) {
    forget_end(job);
    lives_[at(job)].set_rate(board_.now, rate, held_by, record(job));
    ends_.insert({lives_[at(job)].segment_end(), job});
  }

  void set_rates() {
    for (const int job : std::exchange(to_rate_, {})) {
      if (!board_.find(job)) continue;
      Life& life = lives_[at(job)];
      if (life.restarts())
        ends_.insert({life.segment_end(), job});
      else if (life.io() <= 0)
        set_rate(job, life.full_rate(), -1);
    }
    if (!std::exchange(flows_changed_, false)) return;
    std::vector<int> readers;
    for (const Running& one : board_.running)
      if (lives_[at(one.job)].io() > 0) readers.push_back(one.job);
    std::ranges::sort(readers);
    std::vector<Flow> flows;
    flows.reserve(readers.size());
    for (const int job : readers)
      flows.push_back({lives_[at(job)].io() * lives_[at(job)].full_rate(),
                       static_cast<double>(record(job).at.parts.size()), uses_[at(job)]});
    const std::vector<FlowShare> shares = fair_rates(flows, capacities_);
    delivered_.assign(case_.stores.size(), 0.0);
    for (std::size_t i = 0; i < readers.size(); ++i) {
      const Life& life = lives_[at(readers[i])];
      const FlowShare& share = shares[i];
      delivered_[at(board_.job(readers[i]).store)] += share.rate;
      set_rate(readers[i], std::min(life.full_rate(), share.rate / life.io()), share.held_by);
    }
  }

  void remember() {
    out_.moments.push_back({board_.now, delivered_, board_.waiting,
                            board_.room.machines.free_milli(),
                            std::reduce(board_.held_milli.begin(), board_.held_milli.end())});
  }

  const Case& case_;
  Board board_;
  const Machines whole_;
  const Board empty_;  ///< on which nothing runs
  const std::function<void(Board&)>& pass_;
  std::vector<double> capacities_;  ///< of stores, then of the nodes' links
  std::vector<Life> lives_;
  double idle_cost_ = 0;                   ///< USD a second of that
  std::vector<double> speeds_;             ///< of nodes, now
  std::vector<std::vector<double>> left_;  ///< of stores, then of nodes: what slows each down
  double idle_W_ = 0;                      ///< of nodes that are up
  std::vector<Uses> uses_;                 ///< of each job where it lies now
  std::vector<int> arrivals_;
  std::size_t next_arrival_ = 0;
  std::multimap<std::pair<double, int>, Failure> failures_;  ///< by date and node
  std::multimap<double, Failure> recoveries_;                ///< of what is slow
  /// Of segments, by job; of nodes: when they are back, and when they fail at random.
  std::set<std::pair<double, int>> ends_, repairs_, drawn_;
  Random random_;
  std::vector<int> to_rate_;  ///< jobs whose segment is new
  bool flows_changed_ = false;
  std::vector<double> delivered_;
  Outcome out_;
};

}  // namespace

Outcome run(const Case& of, const std::function<void(Board&)>& pass) { return Run(of, pass).run(); }

}  // namespace gpufeed::cluster
