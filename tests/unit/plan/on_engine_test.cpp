// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/on_engine.h"

#include <doctest/doctest.h>

using namespace gpufeed;

namespace {

Graph graph_of(const std::vector<double>& capacities) {
  Graph graph;
  for (const double capacity : capacities)
    graph.resources.add({Label("r"), ResourceKind::bus, {capacity}, {}});
  return graph;
}

constexpr ResourceIndex kDrive(0), kMemory(1);

struct Ends {
  Engine& engine;
  Seconds last;
  void note(std::uint64_t) { last = engine.now(); }
};

/// Until a flow of 60 B over the route ends.
double time_over(const GraphOnEngine& graph, Engine& engine, RouteId route) {
  CHECK(engine.carried(graph.link(kDrive)).value == 0);
  Ends ends{engine, {}};
  engine.start_flow(route, {60}, callback<&Ends::note>(ends, 0));
  engine.run();
  CHECK(engine.carried(graph.link(kDrive)).value == doctest::Approx(60));
  return ends.last.value;
}

}  // namespace

TEST_CASE("a route takes each resource as often as it crosses it, up to its own cap") {
  for (const auto& [route, time] :
       {std::pair{Route{{kDrive, kMemory}, {}, {}}, 2.0},
        std::pair{Route{{kDrive, kMemory, kMemory, kMemory}, {}, {}}, 4.5},
        std::pair{Route{{kDrive, kMemory}, {}, Bandwidth{10}}, 6.0}}) {
    const auto engine = make_fluid_engine();
    GraphOnEngine graph(graph_of({30, 40}), *engine);
    CHECK(time_over(graph, *engine, graph.add(route)) == doctest::Approx(time));
  }
}

TEST_CASE("a resource that does not bind holds no flow back, and links have the given capacities") {
  const auto engine = make_fluid_engine();
  GraphOnEngine graph(graph_of({30, 1}), *engine, {{60}, {1}}, {true, false});
  CHECK(graph.links_of({{kDrive, kMemory, kMemory}, {}, {}}).size() == 1);
  CHECK(time_over(graph, *engine, graph.add({{kDrive, kMemory}, {}, {}})) == doctest::Approx(1));
}
