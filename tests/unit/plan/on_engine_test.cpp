// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/on_engine.h"

#include <doctest/doctest.h>

using namespace gpufeed;

namespace {

Graph graph_of(const std::vector<double>& capacities) {
  Graph graph;
  for (const double capacity : capacities)
    graph.resources.push_back({"r", ResourceKind::bus, {capacity}, {}});
  return graph;
}

struct Ends {
  Engine& engine;
  Seconds last;
  void note(std::uint64_t) { last = engine.now(); }
};

/// Until a flow of 60 B over the route ends.
double time_over(const GraphOnEngine& graph, Engine& engine, RouteId route) {
  CHECK(engine.carried(graph.link(0)).value == 0);
  Ends ends{engine, {}};
  engine.start_flow(route, {60}, callback<&Ends::note>(ends, 0));
  engine.run();
  CHECK(engine.carried(graph.link(0)).value == doctest::Approx(60));
  return ends.last.value;
}

}  // namespace

TEST_CASE("a route takes each resource as often as it crosses it, up to its own cap") {
  for (const auto& [route, time] :
       {std::pair{Route{{0, 1}, {}, {}}, 2.0}, std::pair{Route{{0, 1, 1, 1}, {}, {}}, 4.5},
        std::pair{Route{{0, 1}, {}, Bandwidth{10}}, 6.0}}) {
    const auto engine = make_fluid_engine();
    GraphOnEngine graph(graph_of({30, 40}), *engine);
    CHECK(time_over(graph, *engine, graph.add(route)) == doctest::Approx(time));
  }
}

TEST_CASE("a resource that does not bind holds no flow back, and links have the given capacities") {
  const auto engine = make_fluid_engine();
  GraphOnEngine graph(graph_of({30, 1}), *engine, {{60}, {1}}, {true, false});
  CHECK(graph.links_of({{0, 1, 1}, {}, {}}).size() == 1);
  CHECK(time_over(graph, *engine, graph.add({{0, 1}, {}, {}})) == doctest::Approx(1));
}
