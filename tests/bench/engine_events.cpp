// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/engine_events.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "sim/base/numbers/random.h"
#include "sim/engine/engine.h"
#include "tests/bench/seconds.h"

using namespace gpufeed;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kEvents = 100'000;

/// An event costs at least a push and a pop of a queue this long.
double bare_queue_s(int length) {
  return seconds_of([&] {
    Random random(1);
    std::priority_queue<double, std::vector<double>, std::greater<>> queue;
    for (int i = 0; i < length; ++i) queue.push(random.uniform(0, 1));
    for (int i = 0; i < kEvents; ++i) {
      const double now = queue.top();
      queue.pop();
      queue.push(now + random.uniform(0, 1));
    }
  });
}

/// `concurrent` flows at a time over three links each, every end starting the next.
struct Traffic {
  Engine& engine;
  int left;
  std::vector<RouteId> routes;
  void next(std::uint64_t flow) {
    if (--left < 0) return;
    const double size = 1e6 * (1 + static_cast<double>((flow * 2654435761u + 7u) % 1000) / 1000);
    engine.start_flow(routes[flow % routes.size()], {size}, callback<&Traffic::next>(*this, flow));
  }
};

using MakeEngine = std::unique_ptr<Engine> (*)();

/// Seconds per event.
double event_s(MakeEngine make, int concurrent, int events, std::size_t runs) {
  const double all = seconds_of(
      [&] {
        const auto engine = make();
        Traffic traffic{*engine, events, {}};
        for (int i = 0; i < 8; ++i) {
          const std::array links{engine->add_link("drive", {1e9}),
                                 engine->add_link("uplink", {2e9}),
                                 engine->add_link("memory", {3e9})};
          traffic.routes.push_back(engine->add_route(links));
        }
        for (int i = 0; i < concurrent; ++i) traffic.next(static_cast<std::uint64_t>(i));
        engine->run();
      },
      runs);
  return all / events;
}

}  // namespace

Json engine_events() {
  Json out = Json::array();
  for (const int concurrent : {8, 64, 512, 4096, 8192}) {
    // SimGrid's cost of an event grows with the flows.
    const int few = std::max(2 * concurrent, 40'000 / concurrent);
    const double queue_s = bare_queue_s(concurrent) / kEvents;
    const double simgrid_s = event_s(make_simgrid_engine, concurrent, few, 1);
    const double fluid_s = event_s(make_fluid_engine, concurrent, kEvents, 5);
    out.push_back({{"concurrent_flows", concurrent},
                   {"bare_queue_events_per_s", 1 / queue_s},
                   {"simgrid_events_per_s", 1 / simgrid_s},
                   {"fluid_events_per_s", 1 / fluid_s},
                   {"simgrid_over_fluid", simgrid_s / fluid_s},
                   {"simgrid_over_bare_queue", simgrid_s / queue_s},
                   {"fluid_over_bare_queue", fluid_s / queue_s}});
  }
  return out;
}

namespace {

/// Readers of unlike weights over cards of their own, one store below: it holds most of them back,
/// the others a cap that its share comes by. `left` flows, each a while after another has ended.
struct Readers {
  Engine& engine;
  int left;
  Random random{1};
  std::vector<RouteId> routes;

  Readers(Engine& on, int readers, int events) : engine(on), left(events) {
    constexpr double kFair = 1e8;
    const LinkId store = engine.add_link("store", {kFair * readers});
    for (int i = 0; i < readers; ++i) {
      const std::array links{store, engine.add_link("card", {kFair * random.uniform(1, 20)})};
      const bool capped = i % 4 == 0;
      routes.push_back(
          engine.add_route(links, capped ? Bandwidth{kFair * random.uniform(0.2, 0.6)} : kUncapped,
                           Weight{static_cast<int>(random.integer(4, 16))}));
    }
  }
  void next(std::uint64_t reader) {
    if (--left < 0) return;
    engine.start_flow(routes[reader], {random.uniform(1e6, 2e6)},
                      callback<&Readers::pause>(*this, reader));
  }
  void pause(std::uint64_t reader) {
    engine.after({random.uniform(0, 0.02)}, callback<&Readers::next>(*this, reader));
  }
};

}  // namespace

Json shared_store_events() {
  Json out = Json::array();
  double of_64 = 0;
  for (const int readers : {64, 512, 4096}) {
    const double all = seconds_of(
        [&] {
          const auto engine = make_fluid_engine();
          Readers traffic(*engine, readers, kEvents);
          for (int i = 0; i < 3 * readers; ++i)
            traffic.next(static_cast<std::uint64_t>(i % readers));
          engine->run();
        },
        3);
    const double event = all / kEvents;
    if (readers == 64) of_64 = event;
    out.push_back({{"readers", readers},
                   {"events_per_s", 1 / event},
                   {"event_over_64_readers", event / of_64}});
  }
  return out;
}
