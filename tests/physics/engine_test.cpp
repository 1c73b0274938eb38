// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/engine.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "sim/base/random.h"

namespace gpufeed {
namespace {

using namespace literals;  // NOLINT(google-build-using-namespace)

// The engines that every test runs.
struct SimGrid {
  static std::unique_ptr<Engine> make() { return make_simgrid_engine(); }
};
struct Fluid {
  static std::unique_ptr<Engine> make() { return make_fluid_engine(); }
};

/// An engine and the dates at which its flows and timers ended, by tag.
struct Run {
  std::unique_ptr<Engine> engine;
  std::vector<double> ended = std::vector<double>(16, -1.0);
  std::vector<std::uint64_t> order;

  explicit Run(std::unique_ptr<Engine> tested) : engine(std::move(tested)) {}

  LinkId link(Bandwidth capacity) { return engine->add_link("link", capacity); }
  RouteId route(const std::vector<LinkId>& links, Bandwidth cap = kUncapped) {
    return engine->add_route(links, cap);
  }
  void flow(std::uint64_t tag, RouteId route, Bytes size) {
    engine->start_flow(route, size, callback<&Run::note>(*this, tag));
  }
  void timer(std::uint64_t tag, Seconds delay) {
    engine->after(delay, callback<&Run::note>(*this, tag));
  }
  void note(std::uint64_t tag) {
    ended.at(tag) = engine->now().value;
    order.push_back(tag);
  }
  void run() { engine->run(); }
};

/// Within 1e-9, and 1 ns: SimGrid's own step, and its clock, which runs on from test to test,
/// rounds.
void check_close(double found, double expected) {
  CAPTURE(found);
  CAPTURE(expected);
  CHECK(std::abs(found - expected) <= 1e-9 * (expected + 1.0));
}

TEST_CASE_TEMPLATE("a lone flow takes its size over the narrowest link of its route", E, SimGrid,
                   Fluid) {
  for (const double gigabytes : {12.0, 1.0, 0.064}) {
    Run run(E::make());
    const LinkId drive = run.link(6.9_GBps), slot = run.link(7.2_GBps), memory = run.link(80_GBps);
    run.flow(0, run.route({drive, slot, memory}), gigabytes * 1_GB);
    run.run();
    check_close(run.ended[0], gigabytes / 6.9);
  }
}

TEST_CASE_TEMPLATE("a fraction of a byte counts", E, SimGrid, Fluid) {
  Run run(E::make());
  const RouteId slow = run.route({run.link({1.0})});
  run.flow(0, slow, {10.0 + 1.0 / 3});
  run.run();
  CHECK(std::abs(run.ended[0] - (10.0 + 1.0 / 3)) < 4e-5);
}

TEST_CASE_TEMPLATE("two GPUs under one switch get exactly half of its uplink each", E, SimGrid,
                   Fluid) {
  Run run(E::make());
  const LinkId uplink = run.link(24_GBps), slot0 = run.link(25_GBps), slot1 = run.link(25_GBps);
  const RouteId to0 = run.route({uplink, slot0}), to1 = run.route({uplink, slot1});
  run.flow(0, to0, 12_GB);
  run.flow(1, to1, 12_GB);
  run.run();
  check_close(run.ended[0], 12.0 / (24.0 / 2));
  check_close(run.ended[1], 12.0 / (24.0 / 2));
}

TEST_CASE_TEMPLATE("a cross-socket mix shares max-min fairly", E, SimGrid, Fluid) {
  // One flow takes the uplink, one the socket link, one both; each is sized to end after 1 s.
  const double uplink = 16.0, socket = 6.0;
  const double far = std::min(socket / 2, uplink / 2);
  const double near = uplink - far;
  Run run(E::make());
  const LinkId up = run.link(uplink * 1_GBps), cross = run.link(socket * 1_GBps);
  const RouteId local = run.route({up}), both = run.route({up, cross}), other = run.route({cross});
  run.flow(0, local, near * 1_GB);
  run.flow(1, both, far * 1_GB);
  run.flow(2, other, far * 1_GB);
  run.run();
  CHECK(near == 13.0);
  for (const std::size_t i : {0U, 1U, 2U}) check_close(run.ended[i], 1.0);
}

TEST_CASE_TEMPLATE("a link is shared by weight, and what a capped flow leaves goes to the others",
                   E, SimGrid, Fluid) {
  // 12 GB/s over weights of 4, 12 and 8 eighths, the second capped at 1 GB/s.
  Run run(E::make());
  const LinkId link = run.link(12_GBps);
  const std::vector<LinkId> way{link};
  const RouteId light = run.engine->add_route(way, kUncapped, {4});
  const RouteId heavy = run.engine->add_route(way, 1_GBps, {12});
  const RouteId plain = run.engine->add_route(way);
  run.flow(0, light, 11.0 * 4 / 12 * 3_GB);
  run.flow(1, heavy, 3_GB);
  run.flow(2, plain, 11.0 * 8 / 12 * 3_GB);
  run.run();
  for (const std::size_t i : {0U, 1U, 2U}) check_close(run.ended[i], 3.0);
  CHECK(run.engine->carried(link).value == doctest::Approx(36e9));
  CHECK(run.engine->moved(light).value == doctest::Approx(11e9));
}

TEST_CASE_TEMPLATE("a drive and a link limit the flow that takes both at once", E, SimGrid, Fluid) {
  // Two flows of one drive, one of them over a slow link: it frees drive time for the other.
  const double drive = 7.0, slow = 2.0;
  Run run(E::make());
  const LinkId ssd = run.link(drive * 1_GBps), narrow = run.link(slow * 1_GBps);
  const RouteId joint = run.route({ssd, narrow}), direct = run.route({ssd});
  run.flow(0, joint, slow * 3_GB);
  run.flow(1, direct, (drive - slow) * 3_GB);
  run.run();
  check_close(run.ended[0], 3.0);
  check_close(run.ended[1], 3.0);
}

TEST_CASE_TEMPLATE("a flow cap limits each flow of the route, not their sum", E, SimGrid, Fluid) {
  Run run(E::make());
  const LinkId wide = run.link(10_GBps);
  const RouteId capped = run.route({wide}, 3_GBps), open = run.route({wide});
  run.flow(0, capped, 3_GB);
  run.flow(1, capped, 3_GB);
  run.flow(2, open, (10.0 - 2 * 3.0) * 1_GB);
  run.run();
  for (const std::size_t i : {0U, 1U, 2U}) check_close(run.ended[i], 1.0);
}

TEST_CASE_TEMPLATE("a cap above the fair share changes nothing", E, SimGrid, Fluid) {
  Run run(E::make());
  const RouteId route = run.route({run.link(10_GBps)}, 6_GBps);
  run.flow(0, route, 5_GB);
  run.flow(1, route, 5_GB);
  run.run();
  check_close(run.ended[0], 1.0);
  check_close(run.ended[1], 1.0);
}

TEST_CASE_TEMPLATE("when one of two flows ends, the other speeds up to the whole link", E, SimGrid,
                   Fluid) {
  Run run(E::make());
  const RouteId route = run.route({run.link(10_GBps)});
  run.flow(0, route, 5_GB);
  run.flow(1, route, 20_GB);
  run.run();
  const double first = 5.0 / (10.0 / 2);
  check_close(run.ended[0], first);
  check_close(run.ended[1], first + (20.0 - 5.0) / 10.0);
}

TEST_CASE_TEMPLATE("timers fire by date, and those of one date in the order they were set", E,
                   SimGrid, Fluid) {
  Run run(E::make());
  run.ended.resize(300);
  run.timer(0, 3_s);
  run.timer(1, 1_s);
  for (std::uint64_t tag = 2; tag < 300; ++tag) run.timer(tag, 2_s);
  run.run();
  std::vector<std::uint64_t> expected{1};
  for (std::uint64_t tag = 2; tag < 300; ++tag) expected.push_back(tag);
  expected.push_back(0);
  CHECK(run.order == expected);
  check_close(run.ended[1], 1.0);
  check_close(run.ended[299], 2.0);
  check_close(run.ended[0], 3.0);
}

TEST_CASE_TEMPLATE("an empty flow and a delay of 0 end now, but only after the call returns", E,
                   SimGrid, Fluid) {
  Run run(E::make());
  const RouteId route = run.route({run.link(1_GBps)});
  run.timer(0, {});
  run.flow(1, route, {});
  run.timer(2, {});
  CHECK(run.order.empty());
  run.run();
  CHECK(run.order == std::vector<std::uint64_t>{0, 1, 2});
  CHECK(run.ended[1] == 0.0);
}

TEST_CASE_TEMPLATE("an engine without flows or timers ends at once", E, SimGrid, Fluid) {
  Run run(E::make());
  run.run();
  CHECK(run.engine->now() == 0_s);
  CHECK(run.engine->events() == 0);
}

/// Starts a flow for each of `rounds`, one after the other, pausing before each.
struct Loop {
  Engine& engine;
  RouteId route;
  int rounds;
  double ended = 0.0;

  void pause(std::uint64_t) { engine.after(1_s, callback<&Loop::load>(*this, 0)); }
  void load(std::uint64_t) { engine.start_flow(route, 2_GB, callback<&Loop::loaded>(*this, 0)); }
  void loaded(std::uint64_t) {
    ended = engine.now().value;
    if (--rounds > 0) pause(0);
  }
};

TEST_CASE_TEMPLATE("callbacks start further flows and timers", E, SimGrid, Fluid) {
  Run run(E::make());
  Loop loop{*run.engine, run.route({run.link(1_GBps)}), 100};
  loop.pause(0);
  run.run();
  CHECK(loop.rounds == 0);
  check_close(loop.ended, 100 * (1.0 + 2.0));
  CHECK(run.engine->events() == 200);
}

TEST_CASE_TEMPLATE("each link has carried the bytes of the flows that took it", E, SimGrid, Fluid) {
  Run run(E::make());
  const LinkId a = run.link(1_GBps), b = run.link(2_GBps), unused = run.link(3_GBps);
  const RouteId both = run.route({a, b}), only_b = run.route({b});
  run.flow(0, both, 3_GB);
  run.flow(1, both, 4_GB);
  run.flow(2, only_b, 5_GB);
  run.flow(3, only_b, {});
  run.run();
  CHECK(run.engine->carried(a) == 7_GB);
  CHECK(run.engine->carried(b) == 12_GB);
  CHECK(run.engine->carried(unused) == 0_B);
  CHECK(run.engine->events() == 4);
}

/// A random machine and what happens on it, in plain numbers that both solvers read.
struct Scenario {
  struct Route {
    std::vector<std::size_t> links;
    double cap;
  };
  struct Flow {
    std::size_t route;
    double start, size;
  };
  std::vector<double> capacities;
  std::vector<Route> routes;
  std::vector<Flow> flows;
};

std::size_t index(Random& random, std::size_t count) {
  return static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(count) - 1));
}

Scenario random_scenario(std::uint64_t seed) {
  Random random(seed);
  Scenario scenario;
  for (int i = 0; i < 12; ++i) scenario.capacities.push_back(random.uniform(1e9, 20e9));
  for (int i = 0; i < 40; ++i) {
    std::set<std::size_t> links;
    const auto length = 1 + index(random, 5);
    while (links.size() < length) links.insert(index(random, scenario.capacities.size()));
    scenario.routes.push_back({{links.begin(), links.end()}, kUncapped.value});
    if (i % 3 == 0) scenario.routes.back().cap = random.uniform(0.1e9, 2e9);
  }
  for (int i = 0; i < 400; ++i)
    scenario.flows.push_back({index(random, scenario.routes.size()), random.uniform(1.0, 5.0),
                              random.uniform(1e7, 4e9)});
  return scenario;
}

/// Max-min fairness by progressive filling, straight from the definition and shared with no engine:
/// all flows grow at one rate until a link is full or a cap is reached; those it stops are fixed.
class ProgressiveFilling {
 public:
  explicit ProgressiveFilling(const Scenario& scenario)
      : scenario_(scenario), left_(scenario.flows.size()), ended_(scenario.flows.size(), -1.0) {}

  std::vector<double> dates() {
    std::vector<std::size_t> waiting(scenario_.flows.size());
    for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = i;
    std::ranges::sort(waiting, std::greater{}, [&](auto i) { return scenario_.flows[i].start; });
    while (!waiting.empty() || !active_.empty()) {
      double arrival = kNever;
      if (!waiting.empty()) arrival = scenario_.flows[waiting.back()].start;
      advance(arrival);
      if (now_ != arrival) continue;
      active_.push_back(waiting.back());
      left_[waiting.back()] = scenario_.flows[waiting.back()].size;
      waiting.pop_back();
    }
    return ended_;
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  const Scenario::Route& route(std::size_t flow) const {
    return scenario_.routes[scenario_.flows[flow].route];
  }

  /// Moves to the next end of a flow, or to `arrival` if that comes first.
  void advance(double arrival) {
    const std::vector<double> rates = fair_rates();
    double next = arrival;
    for (std::size_t i = 0; i < active_.size(); ++i)
      next = std::min(next, now_ + left_[active_[i]] / rates[i]);
    std::vector<std::size_t> still;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const std::size_t flow = active_[i];
      const bool ends = now_ + left_[flow] / rates[i] <= next;
      left_[flow] -= rates[i] * (next - now_);
      if (ends) ended_[flow] = next;
      if (!ends) still.push_back(flow);
    }
    active_ = still;
    now_ = next;
  }

  /// How far the common rate may rise before this flow's route stops it.
  double stop(std::size_t flow, const std::vector<double>& spare,
              const std::vector<int>& users) const {
    double level = route(flow).cap;
    for (const std::size_t link : route(flow).links)
      level = std::min(level, spare[link] / users[link]);
    return level;
  }

  std::vector<double> fair_rates() const {
    std::vector<double> rates(active_.size(), 0.0);
    std::vector<double> spare = scenario_.capacities;  // less what fixed flows take
    std::vector<int> users(spare.size(), 0);           // flows not yet fixed
    for (const std::size_t flow : active_)
      for (const std::size_t link : route(flow).links) ++users[link];
    for (std::size_t fixed = 0; fixed < active_.size();) {
      std::vector<double> stops(active_.size(), kNever);
      for (std::size_t i = 0; i < active_.size(); ++i)
        if (rates[i] == 0.0) stops[i] = stop(active_[i], spare, users);
      const double level = std::ranges::min(stops);
      for (std::size_t i = 0; i < active_.size(); ++i) {
        if (stops[i] > level * (1 + 1e-13)) continue;
        rates[i] = level;
        ++fixed;
        for (const std::size_t link : route(active_[i]).links) {
          spare[link] -= level;
          --users[link];
        }
      }
    }
    return rates;
  }

  const Scenario& scenario_;
  double now_ = 0.0;
  std::vector<std::size_t> active_;
  std::vector<double> left_;
  std::vector<double> ended_;
};

/// The same scenario through the engine.
struct Replay {
  const Scenario& scenario;
  Run run;
  std::vector<LinkId> links;
  std::vector<RouteId> routes;

  Replay(const Scenario& s, std::unique_ptr<Engine> engine) : scenario(s), run(std::move(engine)) {
    run.ended.resize(scenario.flows.size());
    for (const double capacity : scenario.capacities) links.push_back(run.link({capacity}));
    for (const auto& route : scenario.routes) {
      std::vector<LinkId> taken;
      for (const std::size_t link : route.links) taken.push_back(links[link]);
      routes.push_back(run.route(taken, {route.cap}));
    }
    for (std::size_t i = 0; i < scenario.flows.size(); ++i)
      run.engine->after({scenario.flows[i].start}, callback<&Replay::start>(*this, i));
  }
  void start(std::uint64_t tag) {
    run.flow(tag, routes[scenario.flows[tag].route], {scenario.flows[tag].size});
  }
  double bytes_over(std::size_t link) const {
    double sum = 0.0;
    for (const auto& flow : scenario.flows)
      if (std::ranges::count(scenario.routes[flow.route].links, link)) sum += flow.size;
    return sum;
  }
};

TEST_CASE_TEMPLATE("random flows end when progressive filling says, and no byte is lost", E,
                   SimGrid, Fluid) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = random_scenario(seed);
    const std::vector<double> expected = ProgressiveFilling(scenario).dates();
    Replay replay(scenario, E::make());
    replay.run.run();
    double worst = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      worst = std::max(worst, std::abs(replay.run.ended[i] / expected[i] - 1));
    CHECK(worst < 1e-9);
    for (std::size_t link = 0; link < scenario.capacities.size(); ++link)
      check_close(replay.run.engine->carried(replay.links[link]).value, replay.bytes_over(link));
  }
}

TEST_CASE_TEMPLATE("hundreds of engines one after another give the same durations", E, SimGrid,
                   Fluid) {
  for (int i = 0; i < 300; ++i) {
    Run run(E::make());
    const LinkId a = run.link(10_GBps), b = run.link(4_GBps);
    const RouteId first = run.route({a}), second = run.route({a, b});
    run.flow(0, first, 3_GB);
    run.flow(1, second, 2_GB);
    run.timer(2, 0.25_s);
    run.run();
    check_close(run.ended[0], 3.0 / (10.0 - 4.0));
    check_close(run.ended[1], 2.0 / 4.0);
    check_close(run.ended[2], 0.25);
  }
}

TEST_CASE_TEMPLATE("an engine dropped with flows and timers under way leaves the next one whole", E,
                   SimGrid, Fluid) {
  for (int i = 0; i < 3; ++i) {
    Run dropped(E::make());
    dropped.flow(0, dropped.route({dropped.link(1_GBps)}), 1_GB);
    dropped.timer(1, 1_s);
  }
  Run run(E::make());
  run.flow(0, run.route({run.link(1_GBps)}), 1_GB);
  run.run();
  check_close(run.ended[0], 1.0);
}

}  // namespace
}  // namespace gpufeed
