// SPDX-License-Identifier: Apache-2.0
#include "sim/training/exchange_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "sim/model/compute.h"
#include "sim/model/gpu_memory.h"
#include "sim/training/passes.h"
#include "sim/training/stages.h"

namespace gpufeed {
namespace {

using Phases = std::vector<ExchangePhase>;

/// Part of what one rank sends in a ring all-reduce among `ranks`; half of it to scatter the sums.
double ring_share(int ranks) { return 2.0 * (ranks - 1) / ranks; }

/// The widest row that is no longer than its column.
int most_even_width(int ranks) {
  int width = static_cast<int>(std::sqrt(static_cast<double>(ranks)) + 1e-9);
  while (ranks % width != 0) --width;
  return width;
}

/// A turn of one of the rings: the GPU where it begins, and the card by which its last GPU leaves.
struct Turn {
  std::size_t ring;
  std::size_t begin;
  int leaves_by;
};

std::vector<Turn> turns_from(int card, const std::vector<Ring>& rings,
                             const std::vector<int>& cards) {
  std::vector<Turn> turns;
  for (std::size_t ring = 0; ring < rings.size(); ++ring) {
    int before = rings[ring].order.back();
    for (std::size_t place = 0; place < rings[ring].order.size(); ++place) {
      const int rank = rings[ring].order[place];
      if (cards[static_cast<std::size_t>(rank)] == card)
        turns.push_back({ring, place, cards[static_cast<std::size_t>(before)]});
      before = rank;
    }
  }
  return turns;
}

/// Ways through a node, one for each network card in use (`cards`, of each GPU), where it begins.
/// Few take the same ring; what matters more where they go `on` to the next node: few leave by the
/// same card.
std::vector<Ring> find_chains(const std::vector<Ring>& rings, const std::vector<int>& cards,
                              bool on) {
  std::vector<Ring> chains;
  std::map<int, int> leaving;
  std::map<std::size_t, int> taken;
  for (const int card : std::set<int>(cards.begin(), cards.end())) {
    const auto crowd = [&](const Turn& turn) {
      return std::pair{on ? leaving[turn.leaves_by] : 0, taken[turn.ring]};
    };
    const Turn turn = std::ranges::min(turns_from(card, rings, cards), {}, crowd);
    Ring& chain = chains.emplace_back(rings[turn.ring]);
    const auto begin = chain.order.begin();
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(turn.begin), chain.order.end());
    ++leaving[turn.leaves_by];
    ++taken[turn.ring];
  }
  return chains;
}

class ExchangePlanner {
 public:
  ExchangePlanner(const Scenario& scenario, const Nodes& nodes, Plan& plan, Diagnostics& missing)
      : scenario_(scenario),
        system_(*scenario.system),
        nodes_(nodes),
        plan_(plan),
        missing_(missing),
        node_count_(static_cast<int>(nodes.count())),
        per_node_(static_cast<int>(plan.gpus.size()) / node_count_),
        gradients_{static_cast<double>(scenario.workload.model->parameters) *
                   bytes_per_number(scenario.workload.precision) /
                   static_cast<double>(gpus_per_replica(scenario))},
        cards_(find_cards()) {}

  void plan() {
    if (plan_.exchange_included && node_count_ == 1) return;
    if (!plan_.synchronous) return serve_each();
    if (scenario_.parallel) return split_model();
    if (plan_.exchange_included) return choose({Algorithm::torus});
    if (scenario_.exchange.algorithm != Algorithm::automatic)
      return choose({scenario_.exchange.algorithm});
    if (node_count_ == 1) return choose({Algorithm::ring});
    choose({Algorithm::ring, Algorithm::tree, Algorithm::hierarchical, Algorithm::torus});
  }

 private:
  /// Keeps the routes and phases of the fastest of `algorithms`.
  void choose(const std::vector<Algorithm>& algorithms) {
    const std::size_t others = plan_.routes.size();
    std::vector<Route> best_routes;
    Seconds best{std::numeric_limits<double>::infinity()};
    for (const Algorithm algorithm : algorithms) {
      routes_.clear();
      Phases phases = phases_of(algorithm);
      settle(phases);
      const Seconds time = PhaseTimes(plan_).of(phases);
      if (time < best || plan_.exchange.empty()) {
        best = time;
        plan_.exchange = std::move(phases);
        plan_.algorithm = algorithm;
        best_routes.assign(plan_.routes.begin() + static_cast<std::ptrdiff_t>(others),
                           plan_.routes.end());
      }
      plan_.routes.resize(others);
    }
    plan_.routes.insert(plan_.routes.end(), best_routes.begin(), best_routes.end());
  }

  Phases phases_of(Algorithm algorithm) {
    switch (algorithm) {
      case Algorithm::tree:
        return trees();
      case Algorithm::hierarchical:
        return hierarchical();
      case Algorithm::torus:
        return torus();
      case Algorithm::parameter_server:
        return parameter_server();
      default:
        return rings();
    }
  }

  int ranks() const { return node_count_ * per_node_; }
  int node_of(int rank) const { return rank / per_node_; }
  int number_of(int rank) const {
    return plan_.gpus[static_cast<std::size_t>(rank % per_node_)].number;
  }
  std::string name_of_rank(int rank) const {
    const auto& id = system_.gpus[static_cast<std::size_t>(number_of(rank))].id;
    return node_of(rank) == 0 ? id : fmt::format("{} of node {}", id, node_of(rank));
  }

  std::optional<Route> way(int from, int to, bool nvlink) {
    const int a = number_of(from), b = number_of(to);
    if (node_of(from) == node_of(to)) {
      const auto [it, is_new] = peers_.try_emplace({a, b, nvlink});
      if (is_new) it->second = within_node(a, b, nvlink);
      std::optional<Route> route = it->second;
      if (route) route = nodes_.on(node_of(from), std::move(*route));
      return route;
    }
    const auto& out = port_of(a, true);
    const auto& in = port_of(b, false);
    if (!out || !in) return {};
    return nodes_.between(node_of(from), *out, node_of(to), *in);
  }

  /// The graph gives NVLink the rate of rings; other ways are those of copies, which they share.
  std::optional<Route> within_node(int from, int to, bool nvlink) const {
    auto route = peer_route(scenario_, plan_.graph, from, to, nvlink);
    const auto& share = scenario_.exchange.ring_efficiency;
    if (!route || !share) return route;
    const bool takes_nvlink = std::ranges::any_of(route->resources, [&](int resource) {
      return plan_.resource(resource).kind == ResourceKind::nvlink;
    });
    if (!takes_nvlink) route->cap = solo_rate(plan_, *route) * share->value;
    return route;
  }

  /// Half a way between nodes, of a GPU of the first: those of all nodes are alike.
  const std::optional<PortRoute>& port_of(int gpu, bool out) {
    const auto [it, is_new] = ports_.try_emplace({gpu, out});
    if (is_new)
      it->second = (out ? port_route_out : port_route_in)(
          scenario_, plan_.graph, plan_.graph.gpu(gpu), gpu, scenario_.exchange.path);
    return it->second;
  }

  /// Adds `size` to what travels from one rank to another in a phase of `rounds` rounds.
  void send(ExchangePhase& phase, int from, int to, bool nvlink, Bytes size, double rounds) {
    const auto [it, is_new] = routes_.try_emplace({from, to, nvlink}, -1);
    if (is_new) it->second = add_route(way(from, to, nvlink), name_of_rank(from), name_of_rank(to));
    add_flow(phase, it->second, size, rounds);
  }

  int add_route(std::optional<Route> route, const std::string& from, const std::string& to) {
    if (!route) {
      missing_.error(scenario_.where, "there is no way from {} to {} in system {}", from, to,
                     scenario_.system.name);
      return -1;
    }
    plan_.routes.push_back(std::move(*route));
    return static_cast<int>(plan_.routes.size()) - 1;
  }

  void add_flow(ExchangePhase& phase, int route, Bytes size, double rounds) {
    if (route < 0 || size.value <= 0) return;
    phase.latency = std::max(phase.latency, plan_.route(route).latency * rounds);
    phase.flows.push_back({route, size});
  }

  /// Lets one flow take what was added to a route of a phase in parts; drops phases without flows.
  void settle(Phases& phases) const {
    std::vector<std::size_t> place(plan_.routes.size());
    for (auto& phase : phases) {
      std::vector<Flow> settled;
      std::ranges::fill(place, phase.flows.size());
      for (const Flow& flow : phase.flows) {
        std::size_t& at = place[static_cast<std::size_t>(flow.route)];
        if (at < settled.size()) {
          settled[at].size += flow.size;
        } else {
          at = settled.size();
          settled.push_back(flow);
        }
      }
      phase.flows = std::move(settled);
    }
    std::erase_if(phases, [](const ExchangePhase& phase) { return phase.flows.empty(); });
  }

  /// The rings of one node whose first GPU is that of rank 0 there; one in order where none is.
  std::vector<Ring> rings_of_node(int first_gpu, int gpus) const {
    System part = system_;
    part.gpus.erase(part.gpus.begin(), part.gpus.begin() + static_cast<std::ptrdiff_t>(first_gpu));
    auto found = find_rings(part, gpus, scenario_.exchange.rings);
    for (auto& ring : found)
      for (int& gpu : ring.order) gpu += first_gpu;
    return found;
  }

  static double bricks_of(const std::vector<Ring>& rings) {
    return std::accumulate(rings.begin(), rings.end(), 0.0,
                           [](double sum, const Ring& ring) { return sum + ring.bricks; });
  }

  Phases rings() {
    if (node_count_ == 1) return rings_of_jobs();
    Phases phases(1);
    const auto chains = chains_of_node(true);
    const Bytes sent = gradients_ * (ring_share(ranks()) / static_cast<double>(chains.size()));
    for (const Ring& chain : chains) {
      const int gpus = per_node_;
      for (int node = 0; node < node_count_; ++node)
        for (int i = 0; i < gpus; ++i) {
          const int from = rank(node, chain, i);
          const int to =
              i + 1 < gpus ? rank(node, chain, i + 1) : rank((node + 1) % node_count_, chain, 0);
          send(phases[0], from, to, chain.nvlink, sent, 2.0 * (ranks() - 1));
        }
    }
    return phases;
  }

  /// One node: each job by its own rings, which share the gradients by their bricks.
  Phases rings_of_jobs() {
    Phases phases(1);
    const int jobs = static_cast<int>(scenario_.loader.jobs);
    const int size = per_node_ / jobs;
    for (int job = 0; job < jobs && size > 1; ++job) {
      const auto rings = rings_of_node(job * size, size);
      ring_over(phases[0], rings, 0, gradients_ * ring_share(size), 2.0 * (size - 1));
    }
    return phases;
  }

  /// Every GPU of the rings sends `sent` to its next, in parts.
  void ring_over(ExchangePhase& phase, const std::vector<Ring>& rings, int node, Bytes sent,
                 double rounds) {
    const double bricks = bricks_of(rings);
    for (const auto& ring : rings)
      for (std::size_t i = 0; i < ring.order.size(); ++i)
        send(phase, node * per_node_ + ring.order[i],
             node * per_node_ + ring.order[(i + 1) % ring.order.size()], ring.nvlink,
             sent * (ring.bricks / bricks), rounds);
  }

  /// The network card through which each GPU of a node leaves it; -1: none.
  std::vector<int> find_cards() const {
    std::vector<int> cards;
    for (int rank = 0; rank < per_node_; ++rank) {
      const int gpu = number_of(rank);
      const auto out = port_route_out(scenario_, plan_.graph, plan_.graph.gpu(gpu), gpu,
                                      scenario_.exchange.path);
      cards.push_back(out ? out->nic : -1);
    }
    return cards;
  }

  std::vector<Ring> chains_of_node(bool on) const {
    if (per_node_ == 1) return {{{0}, false, 1.0}};
    return find_chains(rings_of_node(0, per_node_), cards_, on);
  }

  int rank(int node, const Ring& chain, int place) const {
    return node * per_node_ + chain.order[static_cast<std::size_t>(place)];
  }

  /// `size` along every hop of a node's chain, toward its head or away from it.
  void along_chain(ExchangePhase& phase, int node, const Ring& chain, bool to_head, Bytes size) {
    for (int i = 0; i + 1 < per_node_; ++i) {
      const int near = rank(node, chain, i), far = rank(node, chain, i + 1);
      send(phase, to_head ? far : near, to_head ? near : far, chain.nvlink, size, per_node_ - 1);
    }
  }

  Phases trees() {
    Phases phases(1);
    const auto chains = chains_of_node(false);
    const Bytes part = gradients_ / (2.0 * static_cast<double>(chains.size()));
    const double depth = std::bit_width(static_cast<unsigned>(node_count_)) - 1;
    for (const Ring& chain : chains) {
      for (const bool mirrored : {false, true})
        for (int v = 0; v < node_count_; ++v) {
          const auto node = [&](int i) { return mirrored ? node_count_ - 1 - i : i; };
          along_chain(phases[0], node(v), chain, true, part);
          along_chain(phases[0], node(v), chain, false, part);
          if (v == 0) continue;
          const int child = rank(node(v), chain, 0), parent = rank(node((v - 1) / 2), chain, 0);
          send(phases[0], child, parent, false, part, 2 * depth);
          send(phases[0], parent, child, false, part, 2 * depth);
        }
    }
    return phases;
  }

  Phases hierarchical() {
    Phases phases(3);
    const auto chains = chains_of_node(false);
    const Bytes part = gradients_ / static_cast<double>(chains.size());
    for (const Ring& chain : chains) {
      for (int node = 0; node < node_count_; ++node) {
        along_chain(phases[0], node, chain, true, part);
        if (node_count_ > 1)
          send(phases[1], rank(node, chain, 0), rank((node + 1) % node_count_, chain, 0), false,
               part * ring_share(node_count_), 2.0 * (node_count_ - 1));
        along_chain(phases[2], node, chain, false, part);
      }
    }
    return phases;
  }

  int torus_width() const {
    if (scenario_.exchange.torus_width) return static_cast<int>(*scenario_.exchange.torus_width);
    return node_count_ > 1 ? per_node_ : most_even_width(ranks());
  }

  Phases torus() {
    Phases phases(3);
    const int width = torus_width();
    const int height = ranks() / width;
    if (!plan_.exchange_included) {
      const Bytes scattered = gradients_ * (ring_share(width) / 2);
      for (ExchangePhase* phase : {&phases[0], &phases[2]}) add_rows(*phase, width, scattered);
    }
    const Bytes summed = gradients_ * (ring_share(height) / width);
    for (int column = 0; column < width && height > 1; ++column)
      for (int row = 0; row < height; ++row)
        send(phases[1], row * width + column, (row + 1) % height * width + column, true, summed,
             2.0 * (height - 1));
    return phases;
  }

  /// Rows as long as a node take its rings.
  void add_rows(ExchangePhase& phase, int width, Bytes sent) {
    if (width == 1) return;
    if (width == per_node_) {
      const auto rings = rings_of_node(0, per_node_);
      for (int node = 0; node < node_count_; ++node) ring_over(phase, rings, node, sent, width - 1);
      return;
    }
    for (int first = 0; first < ranks(); first += width)
      for (int i = 0; i < width; ++i)
        send(phase, first + i, first + (i + 1) % width, true, sent, width - 1);
  }

  Phases parameter_server() {
    Phases phases(2);
    for (int rank = 0; rank < ranks(); ++rank) serve(phases, rank);
    return phases;
  }

  /// Asynchronous: every GPU by itself.
  void serve_each() {
    for (int rank = 0; rank < ranks(); ++rank) {
      Phases phases(2);
      serve(phases, rank);
      std::erase_if(phases, [](const ExchangePhase& phase) { return phase.flows.empty(); });
      plan_.gpus[static_cast<std::size_t>(rank)].exchange = std::move(phases);
    }
    plan_.algorithm = Algorithm::parameter_server;
  }

  /// Every GPU keeps to one server for what is not on its own node; all servers are asked alike.
  void serve(Phases& phases, int rank) {
    const int servers = static_cast<int>(
        std::min(scenario_.exchange.servers.value_or(node_count_), nodes_.count()));
    const int node = node_of(rank);
    const double local = node < servers ? 1.0 / servers : 0.0;
    const int others = servers - (node < servers ? 1 : 0);
    int server = rank % servers;
    if (node < servers)
      server = others > 0 ? (node + 1 + rank % per_node_ % others) % servers : node;
    if (!plan_.exchange_included) serve(phases, rank, node, gradients_ * local);
    serve(phases, rank, server, gradients_ * (1 - local));
  }

  void serve(Phases& phases, int rank, int server, Bytes size) {
    if (size.value <= 0) return;
    for (const bool push : {true, false}) {
      auto route = server_way(rank, server, push);
      const auto memory = fmt::format("the memory of node {}", server);
      const auto gpu = name_of_rank(rank);
      add_flow(phases[push ? 0 : 1],
               add_route(std::move(route), push ? gpu : memory, push ? memory : gpu), size, 1);
    }
  }

  /// Between a GPU and the memory of a node's first socket, which the sum passes.
  std::optional<Route> server_way(int rank, int server, bool push) const {
    const int gpu = number_of(rank);
    const int at = plan_.graph.gpu(gpu);
    const int memory = plan_.graph.memory_of(system_.sockets.front().id);
    const auto summed = [&](Route route) {
      if (push) route.resources.insert(route.resources.end(), kSumPasses, memory_resource());
      return route;
    };
    if (server == node_of(rank)) {
      auto route =
          push ? shortest_route(plan_.graph, at, memory) : shortest_route(plan_.graph, memory, at);
      if (route) route = nodes_.on(server, summed(std::move(*route)));
      return route;
    }
    const ReadPath path = scenario_.exchange.path;
    const int node = node_of(rank);
    auto out = port_route_out(scenario_, plan_.graph, push ? at : memory, gpu, path);
    auto in = port_route_in(scenario_, plan_.graph, push ? memory : at, gpu, path);
    if (!out || !in) return {};
    in->route = summed(std::move(in->route));
    return push ? nodes_.between(node, *out, server, *in) : nodes_.between(server, *out, node, *in);
  }

  int memory_resource() const {
    const auto id = system_.sockets.front().id + " memory";
    const auto& resources = plan_.graph.resources;
    return static_cast<int>(std::ranges::find(resources, id, &Resource::id) - resources.begin());
  }

  void split_model() {
    const Parallel& parallel = *scenario_.parallel;
    const int tensor = static_cast<int>(parallel.tensor);
    const int stages = static_cast<int>(parallel.pipeline);
    const int replica = tensor * stages;
    const int replicas = ranks() / replica;
    Phases phases(3);
    for (int rank = 0; rank < ranks(); ++rank) {
      const int in_replica = rank % replica;
      if (tensor > 1) share_matrices(phases[0], rank, tensor);
      if (in_replica + tensor < replica) pass_on(phases[1], rank, rank + tensor);
      if (replicas > 1)
        send(phases[2], rank, (rank + replica) % ranks(), true, gradients_ * ring_share(replicas),
             2.0 * (replicas - 1));
    }
    settle(phases);
    plan_.exchange = std::move(phases);
    plan_.algorithm = Algorithm::ring;
  }

  /// Of the samples of one replica, what one block passes on.
  Bytes block_output() const {
    const auto samples = static_cast<double>(plan_.batch * gpus_per_replica(scenario_));
    return scenario_.workload.model->block_output.value_or(Bytes{}) * samples;
  }

  void share_matrices(ExchangePhase& phase, int rank, int tensor) {
    const Parallel& parallel = *scenario_.parallel;
    const auto parts = static_cast<double>(parallel.micro_batches);
    const int place = rank % tensor;
    const int first = rank - place;
    if (parallel.layout == TensorLayout::columns) {
      // A block is summed up twice on its way forward and twice on its way back.
      const double sums = 4 * blocks_of_stage();
      send(phase, rank, first + (place + 1) % tensor, true,
           block_output() * (ring_share(tensor) * sums), 2.0 * (tensor - 1) * sums * parts);
      return;
    }
    // Four matrices a block, multiplied once on the way forward and twice on the way back.
    const int side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(tensor))));
    const double products = 4 * 3 * blocks_of_stage();
    const Bytes weights = gradients_ * (static_cast<double>(tensor) / (4 * blocks_of_stage()));
    const double rounds = products * parts * (side - 1);
    const int right = place - place % side + (place + 1) % side;
    const int below = (place + side) % tensor;
    send(phase, rank, first + right, true, summa_traffic(block_output(), {}, tensor) * products,
         rounds);
    send(phase, rank, first + below, true, summa_traffic({}, weights, tensor) * products, rounds);
  }

  double blocks_of_stage() const {
    return static_cast<double>(scenario_.workload.model->blocks.value_or(1)) /
           static_cast<double>(scenario_.parallel->pipeline);
  }

  /// Each of a stage's GPUs hands on its part.
  void pass_on(ExchangePhase& phase, int rank, int next) {
    const Parallel& parallel = *scenario_.parallel;
    const Bytes part = block_output() / static_cast<double>(parallel.tensor);
    const auto times = static_cast<double>(parallel.micro_batches);
    send(phase, rank, next, true, part, times);
    send(phase, next, rank, true, part, times);
  }

  const Scenario& scenario_;
  const System& system_;
  const Nodes& nodes_;
  Plan& plan_;
  Diagnostics& missing_;
  const int node_count_;
  const int per_node_;
  const Bytes gradients_;
  const std::vector<int> cards_;
  std::map<std::tuple<int, int, bool>, int> routes_;
  std::map<std::tuple<int, int, bool>, std::optional<Route>> peers_;  ///< on the first node
  std::map<std::pair<int, bool>, std::optional<PortRoute>> ports_;
};

}  // namespace

void plan_exchange(const Scenario& scenario, const Nodes& nodes, Plan& plan, Diagnostics& missing) {
  if (plan.gpus.size() > 1) ExchangePlanner(scenario, nodes, plan, missing).plan();
}

double pipeline_stretch(const Scenario& scenario) {
  if (!scenario.parallel) return 1;
  const Parallel& parallel = *scenario.parallel;
  return 1 +
         static_cast<double>(parallel.pipeline - 1) / static_cast<double>(parallel.micro_batches);
}

Bytes summa_traffic(Bytes left, Bytes right, std::int64_t ranks) {
  return (left + right) / std::sqrt(static_cast<double>(ranks));
}

}  // namespace gpufeed
