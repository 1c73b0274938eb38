// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <xbt/log.h>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Activity.hpp>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Link.hpp>
#include <simgrid/s4u/NetZone.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <deque>
#include <utility>
#include <vector>

#include "sim/base/assert.h"
#include "sim/engine/engine.h"

namespace gpufeed {

/// SimGrid's clock, a private static of its kernel that no engine resets. A run that begins at a
/// later date rounds differently, which can decide who wins a tie; so every engine begins at 0. A
/// library without this symbol fails to link.
extern double simgrid_clock __asm__("_ZN7simgrid6kernel10EngineImpl4now_E");

namespace {

namespace s4u = simgrid::s4u;

/// SimGrid takes a size as a whole number. Counting in 2^-14 byte keeps the fraction of a stripe
/// such as a third of a batch, and a power of two rounds neither sizes nor capacities.
constexpr double kGrainsPerByte = 16384.0;
constexpr double kTooManyGrains = 0x1p64;

/// Leaves the program's own signal handling in place: SimGrid's would turn Ctrl-C into a report.
class KeptSignals {
 public:
  KeptSignals() {
    for (std::size_t i = 0; i < kNumbers.size(); ++i) sigaction(kNumbers[i], nullptr, &saved_[i]);
  }
  ~KeptSignals() {
    for (std::size_t i = 0; i < kNumbers.size(); ++i) sigaction(kNumbers[i], &saved_[i], nullptr);
  }
  KeptSignals(const KeptSignals&) = delete;
  KeptSignals& operator=(const KeptSignals&) = delete;

 private:
  static constexpr std::array kNumbers{SIGINT, SIGSEGV, SIGBUS};
  std::array<struct sigaction, kNumbers.size()> saved_{};
};

/// Each engine of SimGrid connects a handler of virtual machines to this private signal and leaves
/// it there: after a thousand engines the end of a flow would call a thousand of them. An explicit
/// instantiation may name a private member, and so lets us disconnect them.
using Completion = simgrid::xbt::signal<void(s4u::Activity const&)>;
Completion& completion();
template <Completion* Signal>
struct Opened {
  friend Completion& completion() { return *Signal; }
};
template struct Opened<&s4u::Activity::on_completion>;

class SimgridEngine final : public Engine {
 public:
  SimgridEngine();
  ~SimgridEngine() override;

  LinkId add_link(std::string name, Bandwidth capacity) override;
  RouteId add_route(std::span<const LinkId> links, Bandwidth flow_cap, Weight weight) override;
  void start_flow(RouteId route, Bytes size, Callback done) override;
  void after(Seconds delay, Callback done) override;
  Seconds now() const override { return {s4u::Engine::get_clock()}; }
  void run() override;
  Bytes carried(LinkId link) const override;
  Bytes moved(RouteId route) const override;
  std::uint64_t events() const override { return events_; }

 private:
  struct Link {
    s4u::Link* handle = nullptr;
    Bytes carried{};
  };
  struct Route {
    std::vector<LinkId> links;
    Bandwidth cap;
    Weight weight;
    s4u::Host* source = nullptr;  // set when sealed
    s4u::Host* destination = nullptr;
    Bytes finished{};
  };
  struct Flow {
    SimgridEngine* engine = nullptr;
    RouteId route{};
    Bytes size{};
    Callback done{};
    s4u::CommPtr activity{};
  };
  struct Timer {
    double date = 0.0;  // on SimGrid's clock
    std::uint64_t order = 0;
    Callback done{};
  };

  static std::unique_ptr<s4u::Engine> start_simgrid();
  static void flow_ended(const s4u::Activity& activity);
  static bool fires_later(const Timer& a, const Timer& b) {
    return std::pair(a.date, a.order) > std::pair(b.date, b.order);
  }

  const Link& at(LinkId id) const;
  const Route& at(RouteId id) const;
  void seal();
  double scale(const Route& route) const;
  void give_each_route_its_hosts();
  void join(s4u::Host* source, s4u::Host* destination, Route& route);
  Flow& idle_flow();
  void finish(Flow& flow);
  void fire_first_timer();

  std::unique_ptr<s4u::Engine> simgrid_;
  s4u::NetZone* zone_ = nullptr;
  bool weighted_ = false;  // some route's weight is not 1
  bool sealed_ = false;
  bool ran_ = false;
  std::uint64_t events_ = 0;
  std::uint64_t timers_set_ = 0;
  std::vector<Link> links_;
  std::vector<Route> routes_;
  std::deque<Flow> flows_;
  std::vector<Flow*> idle_;
  s4u::CommPtr last_ended_;
  std::vector<Timer> timers_;  // a heap: SimGrid's own does not keep the order of equal dates
};

/// The exact configuration; SimGrid takes it once a process, after its first engine is made.
void configure() {
  s4u::Engine::set_config("network/model:CM02");      // no correction factors for TCP
  s4u::Engine::set_config("network/weight-S:0");      // shares do not depend on capacities
  s4u::Engine::set_config("network/crosstraffic:0");  // no acknowledgements on the way back
  s4u::Engine::set_config("network/TCP-gamma:1e40");  // no window limit; 0 would drop all limits
}

std::unique_ptr<s4u::Engine> SimgridEngine::start_simgrid() {
  GPUFEED_ASSERT(!s4u::Engine::is_initialized(), "one SimGrid engine lives at a time");
  static bool first = true;
  if (first) xbt_log_control_set("root.thresh:error");
  const KeptSignals kept;
  static char name[] = "gpufeed";
  char* arguments[] = {name, nullptr};
  int count = 1;
  auto engine = std::make_unique<s4u::Engine>(&count, arguments);
  if (std::exchange(first, false)) configure();
  return engine;
}

SimgridEngine::SimgridEngine()
    : simgrid_(start_simgrid()), zone_(s4u::create_full_zone("machine")) {
  simgrid_clock = 0.0;
  completion().disconnect_slots();
  completion().connect(flow_ended);
}

SimgridEngine::~SimgridEngine() {
  for (Flow& flow : flows_) {
    if (!flow.activity) continue;
    flow.activity->set_data(nullptr);  // cancelling reports the activity as ended
    flow.activity->cancel();
  }
}

LinkId SimgridEngine::add_link(std::string name, Bandwidth capacity) {
  GPUFEED_ASSERT(!sealed_, "links are declared before the first flow or timer");
  GPUFEED_ASSERT(capacity.value > 0.0 && std::isfinite(capacity.value * kGrainsPerByte),
                 "a link's capacity is finite and above 0");
  const LinkId id{static_cast<int>(links_.size())};
  const std::string unique = fmt::format("{} {}", id.value, name);
  links_.push_back({zone_->create_link(unique, capacity.value * kGrainsPerByte)});
  return id;
}

RouteId SimgridEngine::add_route(std::span<const LinkId> links, Bandwidth flow_cap, Weight weight) {
  GPUFEED_ASSERT(!sealed_, "routes are declared before the first flow or timer");
  GPUFEED_ASSERT(!links.empty(), "a route has at least one link");
  GPUFEED_ASSERT(flow_cap.value > 0.0, "a flow's cap is above 0");
  GPUFEED_ASSERT(weight.eighths > 0, "a flow's weight is above 0");
  for (const LinkId link : links) at(link);
  const RouteId id{static_cast<int>(routes_.size())};
  routes_.push_back({{links.begin(), links.end()}, flow_cap, weight});
  weighted_ = weighted_ || weight.eighths != Weight{}.eighths;
  return id;
}

void SimgridEngine::start_flow(RouteId route, Bytes size, Callback done) {
  const Route& way = at(route);
  const double grains = size.value * kGrainsPerByte / scale(way);
  GPUFEED_ASSERT(grains >= 0.0 && grains < kTooManyGrains, "a flow has 0 bytes to 1 PiB");
  GPUFEED_ASSERT(done.call != nullptr, "a flow has a callback");
  if (size.value == 0.0) return after({}, done);  // SimGrid never starts an empty one
  seal();

  Flow& flow = idle_flow();
  flow.route = route;
  flow.size = size;
  flow.done = done;
  flow.activity = s4u::Comm::sendto_init();
  flow.activity->set_data(&flow);
  flow.activity->set_payload_size(static_cast<std::uint64_t>(std::max(1.0, std::round(grains))));
  flow.activity->set_source(way.source);
  flow.activity->set_destination(way.destination);  // starts it
}

void SimgridEngine::after(Seconds delay, Callback done) {
  GPUFEED_ASSERT(delay.value >= 0.0 && std::isfinite(delay.value),
                 "a delay is finite and 0 or more");
  GPUFEED_ASSERT(done.call != nullptr, "a timer has a callback");
  seal();
  const double date = s4u::Engine::get_clock() + delay.value;
  timers_.push_back({date, timers_set_++, done});
  std::ranges::push_heap(timers_, fires_later);
  simgrid::kernel::timer::Timer::set(date, [this] { fire_first_timer(); });
}

void SimgridEngine::run() {
  GPUFEED_ASSERT(!ran_, "an engine runs once");
  ran_ = true;
  seal();
  simgrid_->run();
  GPUFEED_ASSERT(timers_.empty() && idle_.size() == flows_.size(),
                 "when SimGrid stops, every flow and timer has ended");
}

Bytes SimgridEngine::carried(LinkId link) const { return at(link).carried; }

Bytes SimgridEngine::moved(RouteId route) const {
  Bytes bytes = at(route).finished;
  for (const Flow& flow : flows_)
    if (flow.activity && flow.route == route)
      bytes +=
          flow.size - Bytes{flow.activity->get_remaining() / kGrainsPerByte} * scale(at(route));
  return bytes;
}

const SimgridEngine::Link& SimgridEngine::at(LinkId id) const {
  GPUFEED_ASSERT(id.value >= 0 && id.value < std::ssize(links_), "the link is of this engine");
  return links_[static_cast<std::size_t>(id.value)];
}

const SimgridEngine::Route& SimgridEngine::at(RouteId id) const {
  GPUFEED_ASSERT(id.value >= 0 && id.value < std::ssize(routes_), "the route is of this engine");
  return routes_[static_cast<std::size_t>(id.value)];
}

void SimgridEngine::seal() {
  if (sealed_) return;
  sealed_ = true;
  give_each_route_its_hosts();
  zone_->seal();  // by hand: SimGrid's run seals only once in a process
}

/// SimGrid gives all flows of a link one rate. A flow that takes each of its links k times and has
/// 1/k of its bytes moves k times as many, which is what weight k means.
double SimgridEngine::scale(const Route& route) const {
  return weighted_ ? static_cast<double>(route.weight.eighths) : 1.0;
}

/// A route is an ordered pair of hosts. The table of a full zone grows with the square of its
/// hosts, so there are only as many as give each route a pair.
void SimgridEngine::give_each_route_its_hosts() {
  std::vector<s4u::Host*> hosts;
  auto route = routes_.begin();
  while (route != routes_.end()) {
    s4u::Host* added = zone_->create_host(fmt::format("host {}", hosts.size()), 1.0);
    for (s4u::Host* host : hosts) {
      if (route != routes_.end()) join(host, added, *route++);
      if (route != routes_.end()) join(added, host, *route++);
    }
    hosts.push_back(added);
  }
}

void SimgridEngine::join(s4u::Host* source, s4u::Host* destination, Route& route) {
  std::vector<s4u::LinkInRoute> links;
  const double times = scale(route);
  for (const LinkId link : route.links)
    links.insert(links.end(), static_cast<std::size_t>(times), s4u::LinkInRoute(at(link).handle));
  if (const double cap = route.cap.value * kGrainsPerByte / times; std::isfinite(cap)) {
    const auto order = &route - routes_.data();
    s4u::Link* private_link = zone_->create_link(fmt::format("cap of route {}", order), cap);
    // A fat pipe limits each flow, not their sum.
    private_link->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
    links.emplace_back(private_link);
  }
  zone_->add_route(source->get_netpoint(), destination->get_netpoint(), nullptr, nullptr, links,
                   false);
  route.source = source;
  route.destination = destination;
}

SimgridEngine::Flow& SimgridEngine::idle_flow() {
  if (idle_.empty()) return flows_.emplace_back(Flow{.engine = this});
  Flow& flow = *idle_.back();
  idle_.pop_back();
  return flow;
}

void SimgridEngine::flow_ended(const s4u::Activity& activity) {
  if (Flow* flow = activity.get_data<Flow>()) flow->engine->finish(*flow);
}

void SimgridEngine::finish(Flow& flow) {
  const Callback done = flow.done;
  for (const LinkId link : at(flow.route).links)
    links_[static_cast<std::size_t>(link.value)].carried += flow.size;
  routes_[static_cast<std::size_t>(flow.route.value)].finished += flow.size;
  last_ended_ = std::move(flow.activity);  // SimGrid still works on it after the callback
  idle_.push_back(&flow);
  ++events_;
  done();
}

void SimgridEngine::fire_first_timer() {
  std::ranges::pop_heap(timers_, fires_later);
  const Callback done = timers_.back().done;
  timers_.pop_back();
  ++events_;
  done();
}

}  // namespace

}  // namespace gpufeed

/// What `load_simgrid_module` looks for.
extern "C" gpufeed::Engine* gpufeed_simgrid_engine() { return new gpufeed::SimgridEngine; }
