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
  explicit Run(const Case& of) : case_(of), board_(of), whole_(of), random_(of.seed) {
    for (const Store& store : of.stores) capacities_.push_back(store.bandwidth);
    for (const Node& node : of.nodes) capacities_.push_back(node.link);
    for (const Job& job : of.jobs) lives_.emplace_back(job);
    out_.jobs.resize(of.jobs.size());
    flows_.resize(of.jobs.size());
    arrivals_.resize(of.jobs.size());
    std::iota(arrivals_.begin(), arrivals_.end(), 0);
    std::ranges::stable_sort(arrivals_, {}, [this](int job) { return board_.job(job).arrival; });
    if (!arrivals_.empty()) out_.first_arrival = board_.job(arrivals_.front()).arrival;
    for (const Failure& one : of.failures)
      if (one.at >= out_.first_arrival - kInstant)
        failures_.insert({{one.at, one.node}, one.repair});
    for (std::size_t n = 0; n < of.nodes.size(); ++n)
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
      fail();
      arrive();
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
  JobRecord& record(int job) { return out_.jobs[at(job)]; }
  bool is_now(double date) const { return date <= board_.now + kInstant; }

  double next_date() const {
    double date = kNever;
    if (!ends_.empty()) date = ends_.begin()->first;
    if (next_arrival_ < arrivals_.size())
      date = std::min(date, board_.job(arrivals_[next_arrival_]).arrival);
    // what nodes do matters to those who wait, run or will come
    if (date == kNever && board_.waiting == 0) return date;
    if (!failures_.empty()) date = std::min(date, failures_.begin()->first.first);
    if (!drawn_.empty()) date = std::min(date, drawn_.begin()->first);
    if (!repairs_.empty()) date = std::min(date, repairs_.begin()->first);
    return date;
  }

  void go_to(double date) {
    const double time = date - board_.now;
    if (time > 0) {
      if (board_.waiting_for_gpus > 0)
        out_.stranded += static_cast<double>(board_.room.machines.free_milli()) / kMilli * time;
      for (std::size_t u = 0; u < board_.used.size(); ++u)
        board_.used[u] += static_cast<double>(board_.held_milli[u]) / kMilli * time;
    }
    board_.now = date;
  }

  /// An attempt is over: what it held.
  void leave(int job, bool finished) {
    const double start = lives_[at(job)].attempt_start();
    record(job).held +=
        static_cast<double>(board_.job(job).held_milli()) / kMilli * (board_.now - start);
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
      const bool worked = life.works();
      if (life.next(board_.now, record(job))) {
        leave(job, true);
        board_.stop(job);
        out_.last_end = board_.now;
        record(job).end = board_.now;
      } else {
        to_rate_.push_back(job);
      }
      flows_changed_ = flows_changed_ || (board_.job(job).io > 0 && (worked || life.works()));
    }
  }

  void repair() {
    while (!repairs_.empty() && is_now(repairs_.begin()->first)) {
      board_.room.machines.set_up(repairs_.begin()->second, true);
      repairs_.erase(repairs_.begin());
    }
  }

  /// The node's next failure at random, after a date.
  void draw_failure(int node, double after) {
    const Node& one = case_.nodes[at(node)];
    if (one.mtbf == kNever) return;
    const double part = random_.uniform(0, 1);
    drawn_.insert({after - one.mtbf * std::log(1 - part), node});
  }

  void fail() {
    while (!failures_.empty() && is_now(failures_.begin()->first.first)) {
      const auto first = failures_.begin();
      const Failure failure{first->first.first, first->first.second, first->second};
      failures_.erase(first);
      fail(failure);
    }
    while (!drawn_.empty() && is_now(drawn_.begin()->first)) {
      const auto [date, node] = *drawn_.begin();
      drawn_.erase(drawn_.begin());
      fail({date, node, case_.nodes[at(node)].repair});
      draw_failure(node, date + case_.nodes[at(node)].repair);
    }
  }

  void fail(const Failure& failure) {
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
    repairs_.insert({failure.at + failure.repair, failure.node});
  }

  /// The job loses what it had not saved.
  void stop(int job) {
    Life& life = lives_[at(job)];
    if (!life.runs()) return;  // it was to begin at this instant
    forget_end(job);
    flows_changed_ = flows_changed_ || (board_.job(job).io > 0 && life.works());
    life.stop(board_.now, record(job));
    leave(job, false);
  }

  void arrive() {
    for (; next_arrival_ < arrivals_.size(); ++next_arrival_) {
      const int number = arrivals_[next_arrival_];
      const Job& job = board_.job(number);
      if (!is_now(job.arrival)) break;
      if (whole_.fits(job) && job.held_milli() <= case_.users[at(job.user)].quota_milli)
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
    const Job& of_job = board_.job(job);
    double slowest = kNever;
    double busy = 0;
    for (const Part& part : one->at.parts) {
      const double speed = case_.nodes[at(part.node)].speed;
      slowest = std::min(slowest, speed);
      busy += static_cast<double>(part.gpus.size()) * of_job.milli / kMilli / speed;
    }
    const double full = slowest * (one->at.parts.size() > 1 ? of_job.over_nodes
                                   : one->at.switches > 1   ? of_job.over_switches
                                                            : 1.0);
    double alone = full;
    if (of_job.io > 0) {
      flows_[at(job)] = flow_of(of_job, one->at, full);
      for (const auto& [resource, part] : flows_[at(job)].uses)
        alone = std::min(alone, capacities_[at(resource)] / part / of_job.io);
    }
    record(job).at = one->at;
    Life& life = lives_[at(job)];
    life.begin(board_.now, full, alone, busy * of_job.gpu_busy, record(job));
    to_rate_.push_back(job);
    flows_changed_ = flows_changed_ || (of_job.io > 0 && life.works());
  }

  Flow flow_of(const Job& job, const Placement& placement, double full) const {
    Flow flow{job.io * full, static_cast<double>(placement.parts.size())};
    flow.uses.emplace_back(job.store, 1.0);
    for (const Part& part : placement.parts)
      if (case_.nodes[at(part.node)].link != kNever)
        flow.uses.emplace_back(static_cast<int>(case_.stores.size()) + part.node,
                               job.gpus > 0 ? static_cast<double>(part.gpus.size()) / job.gpus : 1);
    return flow;
  }

  void set_rate(int job, double rate) {
    forget_end(job);
    lives_[at(job)].set_rate(board_.now, rate, record(job));
    ends_.insert({lives_[at(job)].segment_end(), job});
  }

  void set_rates() {
    for (const int job : std::exchange(to_rate_, {})) {
      if (!board_.find(job)) continue;
      Life& life = lives_[at(job)];
      if (!life.works())
        ends_.insert({life.segment_end(), job});
      else if (board_.job(job).io <= 0)
        set_rate(job, life.full_rate());
    }
    if (!std::exchange(flows_changed_, false)) return;
    std::vector<int> readers;
    for (const Running& one : board_.running)
      if (board_.job(one.job).io > 0 && lives_[at(one.job)].works()) readers.push_back(one.job);
    std::ranges::sort(readers);
    std::vector<Flow> flows;
    flows.reserve(readers.size());
    for (const int job : readers) flows.push_back(flows_[at(job)]);
    const std::vector<double> rates = fair_rates(flows, capacities_);
    delivered_.assign(case_.stores.size(), 0.0);
    for (std::size_t i = 0; i < readers.size(); ++i) {
      const Job& job = board_.job(readers[i]);
      delivered_[at(job.store)] += rates[i];
      set_rate(readers[i], std::min(lives_[at(readers[i])].full_rate(), rates[i] / job.io));
    }
  }

  void remember() {
    out_.moments.push_back(
        {board_.now, delivered_, board_.waiting, board_.room.machines.free_milli()});
  }

  const Case& case_;
  Board board_;
  const Machines whole_;
  std::vector<double> capacities_;  ///< of stores, then of the nodes' links
  std::vector<Life> lives_;
  std::vector<Flow> flows_;  ///< of each job where it lies now
  std::vector<int> arrivals_;
  std::size_t next_arrival_ = 0;
  std::multimap<std::pair<double, int>, double> failures_;  ///< by date and node: the repair
  /// Of segments, by job; of nodes: when they are back, and when they fail at random.
  std::set<std::pair<double, int>> ends_, repairs_, drawn_;
  Random random_;
  std::vector<int> to_rate_;  ///< jobs whose segment is new
  bool flows_changed_ = false;
  std::vector<double> delivered_;
  Outcome out_;
};

}  // namespace

Outcome run(const Case& of) { return Run(of).run(); }

}  // namespace gpufeed::cluster
