// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/base/assert.h"
#include "sim/engine/engine.h"
#include "sim/engine/fair_shares.h"
#include "sim/engine/first_out.h"
#include "sim/engine/fluid_network.h"

namespace gpufeed {
namespace {

/// Dates of timers and ends of flows, one after the other; rates are found between.
class FluidEngine : public Engine {
 public:
  LinkId add_link(std::string, Bandwidth capacity) override {
    GPUFEED_ASSERT(std::isfinite(capacity.value) && capacity.value > 0,
                   "a link's capacity is finite and above 0");
    return {network_.add_link(capacity.value)};
  }

  RouteId add_route(std::span<const LinkId> links, Bandwidth flow_cap, Weight weight) override {
    GPUFEED_ASSERT(!links.empty(), "a route has a link");
    GPUFEED_ASSERT(weight.eighths > 0, "a flow's weight is above 0");
    return {network_.add_route(links, flow_cap.value, weight.value())};
  }

  void start_flow(RouteId id, Bytes size, Callback done) override {
    GPUFEED_ASSERT(size.value >= 0, "a flow's size is 0 or more");
    FluidNetwork::Route& route = network_.routes.at(static_cast<std::size_t>(id.value));
    const bool ending = id.value == ending_;  // its clock is at the present, its place found later
    if (route.flows.empty())
      network_.join(id.value);
    else if (!ending)
      network_.advance(route);
    route.flows.put({route.clock + size.value, next_++}, {size.value, done});
    change(route.bundle, route.weight);
    if (!ending) network_.place(id.value);
  }

  void after(Seconds delay, Callback done) override {
    GPUFEED_ASSERT(delay.value >= 0, "a delay is 0 or more");
    timers_.put({network_.now + delay.value, next_++}, done);
  }

  Seconds now() const override { return {network_.now}; }

  void run() override {
    while (!timers_.empty() || !network_.empty()) {
      const double timer = timers_.empty() ? kNever : timers_.first().date;
      const double flow = network_.empty() ? kNever : network_.next().date;
      // What happens at the present date may change flows again: only then are rates sought.
      if (!changed_.empty() && !network_.is_due(std::min(timer, flow)))
        find_rates();
      else if (timer_is_first(timer, flow))
        fire_timer();
      else
        end_flow(network_.next_route(), flow);
    }
  }

  Bytes carried(LinkId link) const override {
    return {network_.links.at(static_cast<std::size_t>(link.value)).carried};
  }
  Bytes moved(RouteId id) const override {
    const auto& route = network_.routes.at(static_cast<std::size_t>(id.value));
    return {route.moved + network_.received(route) * route.count()};
  }
  std::uint64_t events() const override { return events_; }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// Notes that a bundle has other flows than when its rate was found.
  void change(int id, double weight) {
    FluidNetwork::Bundle& bundle = network_.bundle(id);
    bundle.weight += weight;
    if (!std::exchange(bundle.changed, true)) changed_.push_back(id);
  }

  void find_rates() {
    shares_.find(changed_);
    for (const int id : changed_) network_.bundle(id).changed = false;
    changed_.clear();
  }

  /// Of what happens at one date, what was begun first.
  bool timer_is_first(double timer, double flow) {
    if (timer != flow) return timer < flow;
    return timers_.first().number < network_.next().number;
  }

  void fire_timer() {
    network_.now = std::max(network_.now, timers_.first().date);
    const Callback done = timers_.take_first();
    ++events_;
    done();
    timers_.close();
  }

  void end_flow(int id, double date) {
    network_.now = std::max(network_.now, date);
    FluidNetwork::Route& route = network_.route(id);
    network_.advance(route);
    route.clock = std::max(route.clock, route.flows.first().date);
    const FluidNetwork::Flow flow = route.flows.take_first();
    for (const auto& take : network_.bundle(route.bundle).takes)
      network_.link(take.link).carried += take.times * flow.size;
    change(route.bundle, -route.weight);
    ++events_;
    // Most start another one there at once.
    ending_ = id;
    flow.done();
    ending_ = FluidNetwork::kNone;
    route.flows.close();
    if (route.flows.empty())
      network_.leave(id);
    else
      network_.place(id);
  }

  FluidNetwork network_;
  FairShares shares_{network_};
  std::vector<int> changed_;          ///< bundles whose flows are not those of their rate
  int ending_ = FluidNetwork::kNone;  ///< route of the flow whose end is being told
  FirstOut<Callback> timers_;
  std::uint64_t next_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_fluid_engine() { return std::make_unique<FluidEngine>(); }

}  // namespace gpufeed
