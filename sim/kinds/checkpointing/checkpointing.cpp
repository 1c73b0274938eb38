// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/checkpointing/checkpointing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/answer/without_training.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/checkpoint.h"
#include "sim/plan/chosen_engine.h"
#include "sim/plan/nodes.h"
#include "sim/plan/on_engine.h"
#include "sim/plan/passes.h"
#include "sim/topology/capacity.h"

namespace gpufeed {
namespace {

constexpr double kRepeats = 10;
constexpr Seconds kPause{5};  ///< between two saves

/// \source  MLPerf Storage, Rules.md (checkpointing, closed division): ranks and GiB of each model
struct State {
  std::int64_t ranks;
  Bytes size;
};
constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr std::array<State, 4> kStates{{{8, {104.7045 * kGiB}},
                                        {64, {911.212 * kGiB}},
                                        {512, {5292.2487 * kGiB}},
                                        {1024, {15426.589 * kGiB}}}};

/// All ranks move their parts one way at once, on an engine of their own.
class Phase {
 public:
  Phase(const Scenario& scenario, const Graph& graph, const Nodes& nodes, const State& state,
        bool loads)
      : scenario_(scenario),
        graph_(graph),
        nodes_(nodes),
        state_(state),
        loads_(loads),
        engine_(make_engine(scenario.run.engine)),
        on_engine_(graph, *engine_) {
    for (std::int64_t host = 0; host < nodes.count(); ++host) add_host(host);
  }

  CheckpointPhase run() {
    for (std::size_t r = 0; r < routes_.size(); ++r)
      engine_->after(latencies_[r], callback<&Phase::start>(*this, r));
    engine_->run();
    CheckpointPhase out;
    out.rank0_s = rank0_.value;
    out.rank0_Bps = (state_.size / rank0_).value;
    out.slowest_s = slowest_.value;
    out.slowest_Bps = (state_.size / slowest_).value;
    out.span_s = kRepeats * out.slowest_s + (loads_ ? 0 : (kRepeats - 1) * kPause.value);
    out.limited_by = limited_by();
    return out;
  }

  /// Of each resource, while the slowest rank is not done.
  ByResource<double> load() const {
    ByResource<double> out;
    for (const ResourceIndex r : graph_.resources.indices())
      out.add(engine_->carried(on_engine_.link(r)) / (graph_.resource(r).capacity * slowest_));
    return out;
  }

 private:
  void add_host(std::int64_t host) {
    const std::int64_t hosts = nodes_.count();
    const std::int64_t ranks = state_.ranks / hosts + (host < state_.ranks % hosts ? 1 : 0);
    NicTurns turns;
    const auto& sockets = scenario_.system->sockets;
    for (std::int64_t r = 0; r < ranks; ++r)
      add_rank(static_cast<int>(host), sockets[static_cast<std::size_t>(r) % sockets.size()].id,
               turns);
  }

  void add_rank(int host, const std::string& socket, NicTurns& turns) {
    const std::string& at = scenario_.data.at.id;
    const VertexIndex memory = graph_.memory_of(socket);
    const NicUser user = turns.next(memory);
    auto found = loads_ ? read_route(scenario_, graph_, at, memory, user)
                        : write_route(scenario_, graph_, memory, at, user);
    if (!found) {
      Diagnostics missing;
      const std::string& from = graph_.vertex(memory).id;
      report_no_way(missing, scenario_.where, scenario_, from, at);
      missing.throw_if_any();
    }
    pass_memory(graph_, *found, socket, kCopyPasses);
    found->cap = most_of_a_rank(socket);
    Route route = nodes_.to_store(host, std::move(*found), loads_);
    latencies_.push_back(route.latency);
    routes_.push_back(on_engine_.add(route));
  }

  std::optional<Bandwidth> most_of_a_rank(const std::string& socket) const {
    auto most = find_socket(*scenario_.system, socket)->model->core_copy_bandwidth;
    const auto stripes = stripes_bandwidth(*find_store(scenario_, scenario_.data.at.id));
    if (stripes) most = std::min(most.value_or(*stripes), *stripes);
    return most;
  }

  void start(std::uint64_t rank) {
    engine_->start_flow(routes_[rank], state_.size / static_cast<double>(state_.ranks),
                        callback<&Phase::done>(*this, rank));
  }
  void done(std::uint64_t rank) {
    slowest_ = engine_->now();
    if (rank == 0) rank0_ = slowest_;
  }

  std::string limited_by() const {
    constexpr double kBusy = 0.99;  // latency and hosts with fewer ranks leave little
    const auto loads = load();
    double most = kBusy;
    std::string busiest = "copying in each rank";
    for (const ResourceIndex r : graph_.resources.indices())
      if (loads[r] > most) {
        most = loads[r];
        busiest = graph_.resource(r).id;
      }
    return busiest;
  }

  const Scenario& scenario_;
  const Graph& graph_;
  const Nodes& nodes_;
  const State& state_;
  const bool loads_;
  std::unique_ptr<Engine> engine_;
  GraphOnEngine on_engine_;
  std::vector<RouteId> routes_;     ///< by rank
  std::vector<Seconds> latencies_;  ///< of its first byte
  Seconds rank0_;
  Seconds slowest_;
};

Graph graph_of(const Scenario& scenario, Ratio redundancy) {
  Graph graph = build_graph(scenario, {.request = kCheckpointRequest, .run = kInARow});
  Resource& written = graph.resources[graph.write_resource(scenario.data.at.id)];
  written.capacity = written.capacity * (1 / redundancy.value);
  return graph;
}

Bottleneck bottleneck_of(const CheckpointingSummary& all) {
  const bool saves = all.save.slowest_s >= all.load.slowest_s;
  const CheckpointPhase& longer = saves ? all.save : all.load;
  Bottleneck out;
  out.resource = longer.limited_by;
  out.why =
      fmt::format("{}: {} takes {} until the slowest of {} ranks is done, {} in all", out.resource,
                  saves ? "saving" : "loading", text(Seconds{longer.slowest_s}, 3), all.ranks,
                  text(Bandwidth{longer.slowest_Bps}, 4));
  return out;
}

}  // namespace

Result simulate_kind(const kind::Checkpointing& keys, const Scenario& scenario) {
  const State& state = kStates[static_cast<std::size_t>(keys.model)];
  Graph graph = graph_of(scenario, keys.redundancy);
  const Nodes nodes(scenario, graph);
  Phase save(scenario, graph, nodes, state, false);
  Phase load(scenario, graph, nodes, state, true);
  const double part = state.size.value / static_cast<double>(state.ranks);
  const CheckpointingSummary all{state.ranks, state.size.value, part, save.run(), load.run()};

  ByResource<double> most = save.load();
  const auto loading = load.load();
  for (const ResourceIndex r : graph.resources.indices()) most[r] = std::max(most[r], loading[r]);
  Result result = result_without_training(scenario, graph, most);
  result.nodes = nodes.count();
  result.workload = fmt::format("checkpoints of {}, {} each, by {} ranks: ten saves, ten loads",
                                name_of(keys.model), text(state.size, 4), state.ranks);
  result.storage = io_storage_in_words(scenario, {scenario.data.at.id});
  result.checkpointing = all;
  result.bottleneck = bottleneck_of(all);
  return result;
}

}  // namespace gpufeed
