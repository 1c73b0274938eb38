// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/checkpointing/phase.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/numbers/random.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/checkpoint.h"
#include "sim/plan/chosen_engine.h"
#include "sim/plan/on_engine.h"
#include "sim/plan/passes.h"
#include "sim/topology/capacity.h"

namespace gpufeed {
namespace {

constexpr double kRepeats = 10;
constexpr Seconds kPause{5};  ///< between two saves

/// How hosts share a busy store.
std::vector<Weight> shares_of(const Scenario& scenario, std::int64_t hosts) {
  const Store& store = *find_store(scenario, scenario.data.at);
  const double deviation = store.protocol ? (*store.protocol)->share_deviation.value : 0;
  Random random(static_cast<std::uint64_t>(scenario.run.seed));
  std::vector<Weight> shares(static_cast<std::size_t>(hosts));
  for (std::size_t host = 1; host < shares.size(); ++host)
    shares[host].eighths =
        std::max(1, static_cast<int>(std::lround(random.lognormal(deviation) * Weight{}.eighths)));
  return shares;
}

class Phase {
 public:
  Phase(const Cluster& cluster, Direction direction);

  PhaseOutcome run();

 private:
  struct Rank {
    RouteId route;
    Seconds start;  ///< until the first byte of each file
    Bandwidth cap;  ///< of its copying and requests; infinite: none
    std::size_t next_file = 0;
  };
  ByResource<double> load() const;
  bool loads() const { return direction_ == Direction::load; }
  void add_rank(int host, PartId socket, Weight share, NicTurns& turns);
  Bandwidth most_of_a_rank(PartId socket, Seconds latency) const;
  void next(std::uint64_t rank);
  void move(std::uint64_t rank);
  Limiter limit(const ByResource<double>& load) const;
  /// Of the rank that ended last, had it had all links to itself.
  Seconds own_time() const;

  const Cluster& cluster_;
  const Direction direction_;
  std::unique_ptr<Engine> engine_;
  GraphOnEngine on_engine_;
  std::vector<Rank> ranks_;
  Seconds rank0_;
  Seconds slowest_;
  std::size_t last_ = 0;  ///< the rank that ended last
};

Phase::Phase(const Cluster& cluster, Direction direction)
    : cluster_(cluster),
      direction_(direction),
      engine_(make_engine(cluster.scenario.run.engine)),
      on_engine_(cluster.graph, *engine_) {
  const std::int64_t hosts = cluster_.nodes.count();
  const auto all = static_cast<std::int64_t>(cluster_.state.ranks());
  const auto shares = shares_of(cluster_.scenario, hosts);
  const auto& sockets = cluster_.scenario.system->sockets;
  for (std::int64_t host = 0; host < hosts; ++host) {
    NicTurns turns;
    const std::int64_t ranks = all / hosts + (host < all % hosts ? 1 : 0);
    for (std::int64_t r = 0; r < ranks; ++r)
      add_rank(static_cast<int>(host),
               {PartKind::socket, static_cast<std::size_t>(r) % sockets.size()},
               shares[static_cast<std::size_t>(host)], turns);
  }
}

void Phase::add_rank(int host, PartId socket, Weight share, NicTurns& turns) {
  const Scenario& scenario = cluster_.scenario;
  const Graph& graph = cluster_.graph;
  const PartId at = *scenario.data.at;
  const VertexIndex memory = graph.memory_of(socket);
  const NicUser user = turns.next(memory);
  auto found = loads() ? read_route(scenario, graph, at, memory, user)
                       : write_route(scenario, graph, memory, at, user);
  if (!found) {
    Diagnostics missing;
    report_no_way(missing, scenario.where, scenario, graph.vertex(memory).label,
                  label_of(scenario, at));
    missing.throw_if_any();
  }
  pass_memory(graph, *found, socket, kCopyPasses);
  const Bandwidth cap = most_of_a_rank(socket, found->latency);
  if (std::isfinite(cap.value)) found->cap = cap;
  const Route route = cluster_.nodes.to_store(host, std::move(*found), loads());
  const Seconds start = route.latency + (loads() ? Seconds{} : cluster_.keys.file_start);
  ranks_.push_back({on_engine_.add(route, share), start, cap});
}

Bandwidth Phase::most_of_a_rank(PartId socket, Seconds latency) const {
  const Store& store = *find_store(cluster_.scenario, cluster_.scenario.data.at);
  const auto& copy = find_socket(*cluster_.scenario.system, socket)->model->core_copy_bandwidth;
  Bandwidth most = copy.value_or(kUncapped);
  if (loads()) {
    const Bytes window = request_to(store, kCheckpointRequest);
    most = {window.value / (latency.value + window.value / most.value)};
    most = most * static_cast<double>(cluster_.keys.load_threads);
  }
  return std::min(most, stripes_bandwidth(store).value_or(most));
}

PhaseOutcome Phase::run() {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) next(rank);
  engine_->run();
  const Bytes size = cluster_.state.size();
  PhaseOutcome out{.times = {}, .load = load()};
  CheckpointPhase& times = out.times;
  times.rank0_s = rank0_.value;
  times.rank0_Bps = (size / rank0_).value;
  times.slowest_s = slowest_.value;
  times.slowest_Bps = (size / slowest_).value;
  times.span_s = kRepeats * times.slowest_s + (loads() ? 0 : (kRepeats - 1) * kPause.value);
  times.limit = limit(out.load);
  return out;
}

void Phase::next(std::uint64_t rank) {
  if (ranks_[rank].next_file < cluster_.state.files[rank].size())
    return engine_->after(ranks_[rank].start, callback<&Phase::move>(*this, rank));
  slowest_ = engine_->now();
  last_ = rank;
  if (rank == 0) rank0_ = slowest_;
}

void Phase::move(std::uint64_t rank) {
  Rank& own = ranks_[rank];
  const Bytes size = cluster_.state.files[rank][own.next_file++];
  engine_->start_flow(own.route, size, callback<&Phase::next>(*this, rank));
}

ByResource<double> Phase::load() const {
  ByResource<double> out;
  for (const ResourceIndex r : cluster_.graph.resources.indices())
    out.add(engine_->carried(on_engine_.link(r)) /
            (cluster_.graph.resource(r).capacity * slowest_));
  return out;
}

Seconds Phase::own_time() const {
  const auto files = static_cast<double>(cluster_.state.files[last_].size());
  return ranks_[last_].start * files + cluster_.state.of_rank(last_) / ranks_[last_].cap;
}

Limiter Phase::limit(const ByResource<double>& load) const {
  constexpr double kAlone = 0.99;  // what sharing links with others leaves of the time
  if (own_time() > slowest_ * kAlone)
    return loads() ? fact<LimiterCode::loading_of_rank>() : fact<LimiterCode::saving_of_rank>();
  ResourceIndex busiest(0);
  for (const ResourceIndex r : load.indices())
    if (load[r] > load[busiest]) busiest = r;
  return fact<LimiterCode::parts>(std::vector{cluster_.graph.resource(busiest).label});
}

}  // namespace

PhaseOutcome run_phase(const Cluster& cluster, Direction direction) {
  return Phase(cluster, direction).run();
}

}  // namespace gpufeed
