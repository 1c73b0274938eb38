// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include "sim/base/assert.h"
#include "sim/engine/engine.h"

namespace gpufeed {
namespace {

/// Flows on one route are alike: they have one rate at any time, so a clock that counts the bytes
/// each of them has received says when each ends. The cost of an event follows the number of routes
/// in use, not of flows.
class FluidEngine : public Engine {
 public:
  LinkId add_link(std::string, Bandwidth capacity) override {
    GPUFEED_ASSERT(std::isfinite(capacity.value) && capacity.value > 0,
                   "a link's capacity is finite and above 0");
    links_.push_back({capacity.value});
    return {static_cast<int>(links_.size()) - 1};
  }

  RouteId add_route(std::span<const LinkId> links, Bandwidth flow_cap, Weight weight) override {
    GPUFEED_ASSERT(!links.empty(), "a route has a link");
    GPUFEED_ASSERT(weight.eighths > 0, "a flow's weight is above 0");
    Route route;
    route.cap = flow_cap.value;
    route.weight = weight.value();
    for (const LinkId id : links) {
      const auto it = std::ranges::find(route.takes, id.value, &Take::link);
      if (it == route.takes.end())
        route.takes.push_back({id.value, 1});
      else
        it->times += 1;
    }
    routes_.push_back(std::move(route));
    return {static_cast<int>(routes_.size()) - 1};
  }

  void start_flow(RouteId id, Bytes size, Callback done) override {
    GPUFEED_ASSERT(size.value >= 0, "a flow's size is 0 or more");
    Route& route = routes_.at(static_cast<std::size_t>(id.value));
    if (route.flows.empty()) {
      route.clock = 0;
      active_.push_back(id.value);
    }
    route.flows.push({route.clock + size.value, size.value, next_++, done});
    rates_known_ = false;
  }

  void after(Seconds delay, Callback done) override {
    GPUFEED_ASSERT(delay.value >= 0, "a delay is 0 or more");
    timers_.push({now_ + delay.value, next_++, done});
  }

  Seconds now() const override { return {now_}; }

  void run() override {
    while (!timers_.empty() || !active_.empty()) {
      if (!rates_known_) find_rates();
      const int first = first_to_end();
      const double end = first < 0 ? kNever : now_ + time_left(route_at(first));
      if (timer_is_first(first, end))
        fire_timer();
      else
        end_flow(first, end);
    }
  }

  Bytes carried(LinkId link) const override {
    return {links_.at(static_cast<std::size_t>(link.value)).carried};
  }
  Bytes moved(RouteId route) const override {
    return {routes_.at(static_cast<std::size_t>(route.value)).moved};
  }
  std::uint64_t events() const override { return events_; }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  struct Link {
    double capacity;
    double carried = 0;
    double left = 0;    ///< while rates are sought: not given away yet
    double wanted = 0;  ///< likewise: weight of the flows without a rate
  };
  struct Take {
    int link;
    double times;
  };
  struct Flow {
    double end;  ///< on its route's clock
    double size;
    std::uint64_t number;
    Callback done;
    /// Later ones come first, as std::priority_queue wants it.
    bool operator<(const Flow& other) const {
      return std::pair(end, number) > std::pair(other.end, other.number);
    }
  };
  struct Route {
    std::vector<Take> takes;
    double cap = 0;
    double weight = 1;
    double clock = 0;  ///< bytes that a flow has received that was there since the clock began
    double rate = -1;  ///< of one flow; below 0: not known yet
    double moved = 0;
    std::priority_queue<Flow> flows;
  };
  struct Timer {
    double date;
    std::uint64_t number;
    Callback done;
    bool operator<(const Timer& other) const {
      return std::pair(date, number) > std::pair(other.date, other.number);
    }
  };

  Route& route_at(int id) { return routes_[static_cast<std::size_t>(id)]; }
  Link& link_at(const Take& take) { return links_[static_cast<std::size_t>(take.link)]; }

  static double time_left(const Route& route) {
    return std::max(0.0, route.flows.top().end - route.clock) / route.rate;
  }

  /// Max-min fairness by filling: the link that gives least to each flow on it binds all of them.
  void find_rates() {
    for (const int id : active_)
      for (const Take& take : route_at(id).takes)
        link_at(take).left = link_at(take).capacity, link_at(take).wanted = 0;
    for (const int id : active_) {
      Route& route = route_at(id);
      route.rate = -1;
      for (const Take& take : route.takes) link_at(take).wanted += weight_on(route, take);
    }
    for (std::size_t known = 0; known < active_.size();) known += fix_slowest();
    rates_known_ = true;
  }

  /// How much the flows of `route` count on one of its links.
  static double weight_on(const Route& route, const Take& take) {
    return route.weight * take.times * static_cast<double>(route.flows.size());
  }

  /// What the links still give to one flow of `route`, for each unit of its weight.
  double share_of(const Route& route) {
    double share = route.cap / route.weight;
    for (const Take& take : route.takes)
      share = std::min(share, link_at(take).left / link_at(take).wanted);
    return share;
  }

  std::size_t fix_slowest() {
    double least = kNever;
    for (const int id : active_)
      if (route_at(id).rate < 0) least = std::min(least, share_of(route_at(id)));
    least = std::max(least, 0.0);
    slowest_.clear();
    constexpr double kSame = 1e-12;
    for (const int id : active_)
      if (route_at(id).rate < 0 && share_of(route_at(id)) <= least * (1 + kSame))
        slowest_.push_back(id);
    for (const int id : slowest_) {
      Route& route = route_at(id);
      route.rate = least * route.weight;
      for (const Take& take : route.takes) {
        const double weight = weight_on(route, take);
        link_at(take).left = std::max(0.0, link_at(take).left - weight * least);
        link_at(take).wanted -= weight;
      }
    }
    return slowest_.size();
  }

  /// The route whose next flow ends first; -1 where none does.
  int first_to_end() {
    int first = -1;
    double least = kNever;
    for (const int id : active_) {
      const double left = time_left(route_at(id));
      if (first < 0 || left < least ||
          (left == least && route_at(id).flows.top().number < route_at(first).flows.top().number)) {
        first = id;
        least = left;
      }
    }
    return first;
  }

  /// Of what happens at one date, what was begun first.
  bool timer_is_first(int flow_of, double end) {
    if (timers_.empty()) return false;
    const Timer& timer = timers_.top();
    if (timer.date != end) return timer.date < end;
    return flow_of < 0 || timer.number < route_at(flow_of).flows.top().number;
  }

  void advance(double date) {
    const double passed = date - now_;
    if (passed > 0)
      for (const int id : active_) {
        Route& route = route_at(id);
        route.clock += route.rate * passed;
        route.moved += route.rate * passed * static_cast<double>(route.flows.size());
      }
    now_ = date;
  }

  void fire_timer() {
    const Timer timer = timers_.top();
    timers_.pop();
    advance(timer.date);
    ++events_;
    timer.done();
  }

  void end_flow(int id, double date) {
    advance(date);
    Route& route = route_at(id);
    const Flow flow = route.flows.top();
    route.flows.pop();
    route.clock = std::max(route.clock, flow.end);
    for (const Take& take : route.takes) link_at(take).carried += take.times * flow.size;
    if (route.flows.empty()) std::erase(active_, id);
    rates_known_ = false;
    ++events_;
    flow.done();
  }

  std::vector<Link> links_;
  std::vector<Route> routes_;
  std::vector<int> active_;  ///< routes with flows
  std::vector<int> slowest_;
  std::priority_queue<Timer> timers_;
  std::uint64_t next_ = 0;
  std::uint64_t events_ = 0;
  double now_ = 0;
  bool rates_known_ = true;
};

}  // namespace

std::unique_ptr<Engine> make_fluid_engine() { return std::make_unique<FluidEngine>(); }

}  // namespace gpufeed
