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

#include "sim/base/numbers/random.h"
#include "tests/support/engine_run.h"

namespace gpufeed::engines {
namespace {

/// A random machine and what happens on it, in plain numbers that both solvers read.
struct Traffic {
  struct Route {
    std::vector<std::size_t> links;
    double cap;
    int eighths = 8;  ///< of its flows' weight
    double weight() const { return eighths / 8.0; }
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

Traffic random_traffic(std::uint64_t seed) {
  Random random(seed);
  Traffic traffic;
  for (int i = 0; i < 12; ++i) traffic.capacities.push_back(random.uniform(1e9, 20e9));
  for (int i = 0; i < 40; ++i) {
    std::set<std::size_t> links;
    const auto length = 1 + index(random, 5);
    while (links.size() < length) links.insert(index(random, traffic.capacities.size()));
    traffic.routes.push_back({{links.begin(), links.end()}, kUncapped.value});
    if (i % 3 == 0) traffic.routes.back().cap = random.uniform(0.1e9, 2e9);
  }
  for (int i = 0; i < 400; ++i)
    traffic.flows.push_back(
        {index(random, traffic.routes.size()), random.uniform(1.0, 5.0), random.uniform(1e7, 4e9)});
  return traffic;
}

/// Nodes that read from one store, which most of the time alone holds all of them back, each over a
/// card of its own; now and then one sends to another over both cards, and some cards are narrow.
Traffic store_traffic(std::uint64_t seed) {
  Random random(seed);
  Traffic traffic;
  constexpr std::size_t kNodes = 24;
  traffic.capacities.push_back(random.uniform(5e9, 20e9));
  for (std::size_t n = 0; n < kNodes; ++n)
    traffic.capacities.push_back(random.uniform(0.5e9, n % 4 == 0 ? 1e9 : 20e9));
  for (std::size_t n = 1; n <= kNodes; ++n)
    traffic.routes.push_back({{0, n}, n % 5 == 0 ? random.uniform(0.2e9, 2e9) : kUncapped.value});
  for (std::size_t n = 1; n < kNodes; ++n) traffic.routes.push_back({{n, n + 1}, kUncapped.value});
  for (int i = 0; i < 400; ++i) {
    const bool reads = random.uniform(0, 1) < 0.95;
    const std::size_t route = reads ? index(random, kNodes) : kNodes + index(random, kNodes - 1);
    traffic.flows.push_back({route, random.uniform(1.0, 5.0), random.uniform(1e6, 4e8)});
  }
  return traffic;
}

/// Nodes with several readers each, of unlike weights and some capped, all of whose ways are the
/// same: the store, a switch that half of the nodes share, and the node's card.
Traffic readers_traffic(std::uint64_t seed) {
  Random random(seed);
  Traffic traffic;
  constexpr std::size_t kNodes = 9, kReaders = 5;
  traffic.capacities = {random.uniform(5e9, 20e9), random.uniform(3e9, 10e9)};
  for (std::size_t n = 0; n < kNodes; ++n)
    traffic.capacities.push_back(random.uniform(0.4e9, n % 3 == 0 ? 1e9 : 5e9));
  for (std::size_t n = 0; n < kNodes; ++n)
    for (std::size_t r = 0; r < kReaders; ++r) {
      std::vector<std::size_t> links{0, 2 + n};
      if (n % 2 == 0) links.insert(links.begin() + 1, 1);
      const double cap = r == 0 ? random.uniform(0.1e9, 1e9) : kUncapped.value;
      traffic.routes.push_back({links, cap, static_cast<int>(4 + index(random, 9))});
    }
  for (int i = 0; i < 400; ++i)
    traffic.flows.push_back(
        {index(random, traffic.routes.size()), random.uniform(1.0, 5.0), random.uniform(1e6, 4e8)});
  return traffic;
}

/// Many nodes that read from two stores over cards and switches of their own kinds. A store holds
/// most of them back; others have caps that it now reaches and now does not, narrow cards, or a
/// switch that is narrower than its part of the store. Some send to others beside.
Traffic crowd_traffic(std::uint64_t seed) {
  Random random(seed);
  Traffic traffic;
  constexpr std::size_t kNodes = 48, kOnSwitch = 16, kFirstCard = 2 + kNodes / kOnSwitch;
  const double fair = random.uniform(0.1e9, 0.2e9);  // of a flow, where all nodes have one
  traffic.capacities = {fair * kNodes, fair * kNodes * random.uniform(0.1, 0.5)};
  for (std::size_t s = 2; s < kFirstCard; ++s)
    traffic.capacities.push_back(fair * kOnSwitch * random.uniform(0.5, 2.5));
  for (std::size_t n = 0; n < kNodes; ++n)
    traffic.capacities.push_back(fair * (n % 3 == 0 ? random.uniform(0.5, 2) : 10));
  for (std::size_t store = 0; store < 2; ++store)
    for (std::size_t n = 0; n < kNodes; ++n) {
      const bool capped = n % 2 == 0 && seed % 2 == 0;
      traffic.routes.push_back({{store, 2 + n / kOnSwitch, kFirstCard + n},
                                capped ? fair * random.uniform(0.5, 2) : kUncapped.value,
                                static_cast<int>(4 + index(random, 13))});
    }
  for (std::size_t n = 1; n < kNodes; ++n)
    traffic.routes.push_back({{kFirstCard + n - 1, kFirstCard + n}, kUncapped.value});
  for (int i = 0; i < 600; ++i) {
    const double kind = random.uniform(0, 1);
    std::size_t route = index(random, kNodes);
    if (kind > 0.8) route += kNodes;
    if (kind > 0.95) route = 2 * kNodes + index(random, kNodes - 1);
    traffic.flows.push_back({route, random.uniform(1, 4), fair * random.lognormal(0.5) / 4});
  }
  return traffic;
}

/// Max-min fairness by progressive filling, straight from the definition and shared with no engine:
/// all flows grow at one rate for their weight until a link is full or a cap is reached; those it
/// stops are fixed.
class ProgressiveFilling {
 public:
  explicit ProgressiveFilling(const Traffic& traffic)
      : traffic_(traffic), left_(traffic.flows.size()), ended_(traffic.flows.size(), -1.0) {}

  std::vector<double> dates() {
    std::vector<std::size_t> waiting(traffic_.flows.size());
    for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = i;
    std::ranges::sort(waiting, std::greater{}, [&](auto i) { return traffic_.flows[i].start; });
    while (!waiting.empty() || !active_.empty()) {
      double arrival = kNever;
      if (!waiting.empty()) arrival = traffic_.flows[waiting.back()].start;
      advance(arrival);
      if (now_ != arrival) continue;
      active_.push_back(waiting.back());
      left_[waiting.back()] = traffic_.flows[waiting.back()].size;
      waiting.pop_back();
    }
    return ended_;
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  const Traffic::Route& route(std::size_t flow) const {
    return traffic_.routes[traffic_.flows[flow].route];
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
              const std::vector<double>& users) const {
    double level = route(flow).cap / route(flow).weight();
    for (const std::size_t link : route(flow).links)
      level = std::min(level, spare[link] / users[link]);
    return level;
  }

  std::vector<double> fair_rates() const {
    std::vector<double> rates(active_.size(), 0.0);
    std::vector<double> spare = traffic_.capacities;  // less what fixed flows take
    std::vector<double> users(spare.size(), 0);       // weight of flows not yet fixed
    for (const std::size_t flow : active_)
      for (const std::size_t link : route(flow).links) users[link] += route(flow).weight();
    for (std::size_t fixed = 0; fixed < active_.size();) {
      std::vector<double> stops(active_.size(), kNever);
      for (std::size_t i = 0; i < active_.size(); ++i)
        if (rates[i] == 0.0) stops[i] = stop(active_[i], spare, users);
      const double level = std::ranges::min(stops);
      for (std::size_t i = 0; i < active_.size(); ++i) {
        if (stops[i] > level * (1 + 1e-13)) continue;
        rates[i] = level * route(active_[i]).weight();
        ++fixed;
        for (const std::size_t link : route(active_[i]).links) {
          spare[link] -= rates[i];
          users[link] -= route(active_[i]).weight();
        }
      }
    }
    return rates;
  }

  const Traffic& traffic_;
  double now_ = 0.0;
  std::vector<std::size_t> active_;
  std::vector<double> left_;
  std::vector<double> ended_;
};

/// The same traffic through the engine.
struct Replay {
  const Traffic& traffic;
  Run run;
  std::vector<LinkId> links;
  std::vector<RouteId> routes;

  Replay(const Traffic& s, std::unique_ptr<Engine> engine) : traffic(s), run(std::move(engine)) {
    run.ended.resize(traffic.flows.size());
    for (const double capacity : traffic.capacities) links.push_back(run.link({capacity}));
    for (const auto& route : traffic.routes) {
      std::vector<LinkId> taken;
      for (const std::size_t link : route.links) taken.push_back(links[link]);
      routes.push_back(run.route(taken, {route.cap}, {route.eighths}));
    }
    for (std::size_t i = 0; i < traffic.flows.size(); ++i)
      run.engine->after({traffic.flows[i].start}, callback<&Replay::start>(*this, i));
  }
  void start(std::uint64_t tag) {
    run.flow(tag, routes[traffic.flows[tag].route], {traffic.flows[tag].size});
  }
  double bytes_over(std::size_t link) const {
    double sum = 0.0;
    for (const auto& flow : traffic.flows)
      if (std::ranges::count(traffic.routes[flow.route].links, link)) sum += flow.size;
    return sum;
  }
};

TEST_CASE_TEMPLATE("random flows end when progressive filling says, and no byte is lost", E,
                   SimGrid, Fluid) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Traffic traffic = seed % 4 == 0   ? random_traffic(seed / 4)
                            : seed % 4 == 1 ? store_traffic(seed)
                            : seed % 4 == 2 ? readers_traffic(seed)
                                            : crowd_traffic(seed / 4);
    const std::vector<double> expected = ProgressiveFilling(traffic).dates();
    Replay replay(traffic, E::make());
    replay.run.run();
    std::size_t close = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (std::abs(replay.run.ended[i] / expected[i] - 1) < 1e-9) ++close;
    CHECK(close == traffic.flows.size());
    for (std::size_t link = 0; link < traffic.capacities.size(); ++link)
      check_close(replay.run.engine->carried(replay.links[link]).value, replay.bytes_over(link));
  }
}

}  // namespace
}  // namespace gpufeed::engines
