// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include "sim/base/assert.h"
#include "sim/engine/engine.h"
#include "sim/engine/ordered_routes.h"

namespace gpufeed {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Dates closer than this, relative to the clock, are one: alike routes then end together instead
/// of one rounding after the other.
constexpr double kSameDate = 1e-12;

/// Flows on one route are alike: they have one rate at any time, so a clock that counts the bytes
/// each of them has received says when each ends. A change of flows concerns the routes that are
/// joined by links to those where it happened, and only where their rates differ do dates change.
/// So what an event costs follows the routes in use around it, not the flows.
class FluidEngine : public Engine {
 public:
  LinkId add_link(std::string, Bandwidth capacity) override {
    GPUFEED_ASSERT(std::isfinite(capacity.value) && capacity.value > 0,
                   "a link's capacity is finite and above 0");
    links_.emplace_back().capacity = capacity.value;
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
    order_.add();
    return {static_cast<int>(routes_.size()) - 1};
  }

  void start_flow(RouteId id, Bytes size, Callback done) override {
    GPUFEED_ASSERT(size.value >= 0, "a flow's size is 0 or more");
    Route& route = routes_.at(static_cast<std::size_t>(id.value));
    if (route.flows.empty())
      join_links(id.value);
    else
      advance(route);
    route.flows.push({route.clock + size.value, size.value, next_++, done});
    change(id.value);
  }

  void after(Seconds delay, Callback done) override {
    GPUFEED_ASSERT(delay.value >= 0, "a delay is 0 or more");
    timers_.push({now_ + delay.value, next_++, done});
  }

  Seconds now() const override { return {now_}; }

  void run() override {
    while (!timers_.empty() || !order_.empty()) {
      const double timer = timers_.empty() ? kNever : timers_.top().date;
      const double flow = order_.empty() ? kNever : order_.first_key().date;
      // What happens at the present date may change flows again: only then are rates sought.
      if (!changed_.empty() && !is_due(std::min(timer, flow)))
        find_rates();
      else if (timer_is_first(timer, flow))
        fire_timer();
      else
        end_flow(order_.first(), flow);
    }
  }

  Bytes carried(LinkId link) const override {
    return {links_.at(static_cast<std::size_t>(link.value)).carried};
  }
  Bytes moved(RouteId id) const override {
    const Route& route = routes_.at(static_cast<std::size_t>(id.value));
    const double under_way =
        route.flows.empty() ? 0 : route.rate * (now_ - route.since) * count(route);
    return {route.moved + under_way};
  }
  std::uint64_t events() const override { return events_; }

 private:
  struct Use {  ///< of a link by a route that has flows
    int route;
    std::size_t take;
  };
  struct Link {
    double capacity = 0;
    double carried = 0;
    double left = 0;    ///< while rates are sought: not given away yet
    double wanted = 0;  ///< likewise: weight of the flows without a rate
    bool seen = false;  ///< likewise: is among `near_links_`
    std::vector<Use> uses;
  };
  struct Take {
    int link;
    double times;
    std::size_t use = 0;  ///< position among the link's uses
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
    double clock = 0;     ///< bytes that a flow has received that was there since the clock began
    double since = 0;     ///< date of `clock`
    double rate = 0;      ///< of one flow
    double new_rate = 0;  ///< while rates are sought; below 0: not found yet
    double moved = 0;     ///< until `since`
    bool seen = false;    ///< while rates are sought: is among `near_routes_`
    bool changed = false;
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
  /// What gives each flow of some routes the least for each unit of its weight: a link, or the cap
  /// of one route.
  struct Constraint {
    double share;
    int link;   ///< -1: a cap
    int route;  ///< of the cap
    bool operator<(const Constraint& other) const { return share > other.share; }
  };

  Route& route_at(int id) { return routes_[static_cast<std::size_t>(id)]; }
  Link& link_at(int id) { return links_[static_cast<std::size_t>(id)]; }
  static double count(const Route& route) { return static_cast<double>(route.flows.size()); }
  /// How much the flows of `route` count on one of its links.
  static double weight_on(const Route& route, const Take& take) {
    return route.weight * take.times * count(route);
  }
  bool is_due(double date) const { return date <= now_ * (1 + kSameDate); }

  void join_links(int id) {
    Route& route = route_at(id);
    route.clock = 0;
    route.since = now_;
    route.rate = 0;
    for (std::size_t i = 0; i < route.takes.size(); ++i) {
      auto& uses = link_at(route.takes[i].link).uses;
      route.takes[i].use = uses.size();
      uses.push_back({id, i});
    }
  }

  void leave_links(int id) {
    for (const Take& take : route_at(id).takes) {
      auto& uses = link_at(take.link).uses;
      uses[take.use] = uses.back();
      const Use& moved = uses[take.use];
      route_at(moved.route).takes[moved.take].use = take.use;
      uses.pop_back();
    }
  }

  /// Brings a route's clock to the present.
  void advance(Route& route) {
    const double received = route.rate * (now_ - route.since);
    route.clock += received;
    route.moved += received * count(route);
    route.since = now_;
  }

  /// Notes that a route has other flows than when its rate was found. Its clock is at the present.
  void change(int id) {
    Route& route = route_at(id);
    if (!route.changed) changed_.push_back(id);
    route.changed = true;
    if (route.flows.empty()) return order_.remove(id);
    const Flow& first = route.flows.top();
    order_.set(id, {first.end <= route.clock ? now_ : kNever, first.number});
  }

  void find_rates() {
    gather();
    if (near_routes_.size() == 1)
      fill_alone(route_at(near_routes_.front()));
    else
      fill();
    for (const int id : near_routes_) take_rate(id);
    for (const int id : near_links_) link_at(id).seen = false;
    for (const int id : changed_) route_at(id).changed = false;
    changed_.clear();
  }

  /// The rate of a route that shares no link.
  void fill_alone(Route& route) {
    double share = route.cap / route.weight;
    for (const Take& take : route.takes)
      share = std::min(share, link_at(take.link).capacity / weight_on(route, take));
    route.new_rate = share * route.weight;
  }

  /// Max-min fairness by filling: the limit that gives least for a unit of weight binds all that
  /// are under it. A share never sinks while others are fixed, so limits come from a heap.
  void fill() {
    constraints_.clear();
    for (const int id : near_links_) {
      Link& link = link_at(id);
      link.left = link.capacity;
      link.wanted = 0;
      for (const Use& use : link.uses)
        link.wanted += weight_on(route_at(use.route), route_at(use.route).takes[use.take]);
      constraints_.push_back({link.left / link.wanted, id, -1});
    }
    for (const int id : near_routes_) {
      Route& route = route_at(id);
      route.new_rate = -1;
      if (std::isfinite(route.cap)) constraints_.push_back({route.cap / route.weight, -1, id});
    }
    std::make_heap(constraints_.begin(), constraints_.end());
    for (std::size_t found = 0; found < near_routes_.size();) found += apply_least();
  }

  /// The routes that changes concern, and their links.
  void gather() {
    near_routes_.clear();
    near_links_.clear();
    for (const int id : changed_) {
      if (route_at(id).flows.empty())
        for (const Take& take : route_at(id).takes) see_link(take.link);
      else
        see_route(id);
    }
    std::size_t routes = 0, links = 0;
    while (routes < near_routes_.size() || links < near_links_.size()) {
      for (; routes < near_routes_.size(); ++routes)
        for (const Take& take : route_at(near_routes_[routes]).takes) see_link(take.link);
      for (; links < near_links_.size(); ++links)
        for (const Use& use : link_at(near_links_[links]).uses) see_route(use.route);
    }
  }
  void see_route(int id) {
    if (!std::exchange(route_at(id).seen, true)) near_routes_.push_back(id);
  }
  void see_link(int id) {
    Link& link = link_at(id);
    if (!link.uses.empty() && !std::exchange(link.seen, true)) near_links_.push_back(id);
  }

  /// \return how many routes it bound
  std::size_t apply_least() {
    GPUFEED_ASSERT(!constraints_.empty(), "every route is under a link");
    std::pop_heap(constraints_.begin(), constraints_.end());
    const Constraint least = constraints_.back();
    constraints_.pop_back();
    if (least.link < 0) {
      if (route_at(least.route).new_rate >= 0) return 0;
      bind(least.route, least.share);
      return 1;
    }
    Link& link = link_at(least.link);
    if (link.wanted <= 0) return 0;
    const double share = std::max(0.0, link.left) / link.wanted;
    if (share > least.share * (1 + kSameDate)) {
      constraints_.push_back({share, least.link, -1});
      std::push_heap(constraints_.begin(), constraints_.end());
      return 0;
    }
    std::size_t bound = 0;
    for (const Use& use : link.uses) {
      if (route_at(use.route).new_rate >= 0) continue;
      bind(use.route, least.share);
      ++bound;
    }
    return bound;
  }

  void bind(int id, double share) {
    Route& route = route_at(id);
    route.new_rate = share * route.weight;
    for (const Take& take : route.takes) {
      const double weight = weight_on(route, take);
      link_at(take.link).left -= weight * share;
      link_at(take.link).wanted -= weight;
    }
  }

  void take_rate(int id) {
    Route& route = route_at(id);
    route.seen = false;
    if (!route.changed && route.new_rate == route.rate) return;
    advance(route);
    route.rate = route.new_rate;
    const Flow& first = route.flows.top();
    const double left = std::max(0.0, first.end - route.clock);
    order_.set(id, {now_ + left / route.rate, first.number});
  }

  /// Of what happens at one date, what was begun first.
  bool timer_is_first(double timer, double flow) {
    if (timer != flow) return timer < flow;
    return timers_.top().number < order_.first_key().number;
  }

  void fire_timer() {
    const Timer timer = timers_.top();
    timers_.pop();
    now_ = std::max(now_, timer.date);
    ++events_;
    timer.done();
  }

  void end_flow(int id, double date) {
    now_ = std::max(now_, date);
    Route& route = route_at(id);
    advance(route);
    const Flow flow = route.flows.top();
    route.flows.pop();
    route.clock = std::max(route.clock, flow.end);
    for (const Take& take : route.takes) link_at(take.link).carried += take.times * flow.size;
    if (route.flows.empty()) leave_links(id);
    change(id);
    ++events_;
    flow.done();
  }

  std::vector<Link> links_;
  std::vector<Route> routes_;
  OrderedRoutes order_;       ///< routes with flows, by when the next of them ends
  std::vector<int> changed_;  ///< routes whose flows are not those of their rate
  std::vector<int> near_routes_, near_links_;
  std::vector<Constraint> constraints_;
  std::priority_queue<Timer> timers_;
  std::uint64_t next_ = 0;
  std::uint64_t events_ = 0;
  double now_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_fluid_engine() { return std::make_unique<FluidEngine>(); }

}  // namespace gpufeed
