// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/io_replay.h"

#include <algorithm>
#include <cmath>

#include "sim/kinds/io/block_cache.h"
#include "sim/kinds/io/log_pieces.h"
#include "sim/kinds/io/replay_answer.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/on_engine.h"
#include "sim/plan/passes.h"
#include "sim/topology/capacity.h"

namespace gpufeed {
namespace {

constexpr double kNotYet = std::numeric_limits<double>::infinity();
/// A drive's time is shared by reads and writes of different rates: a read takes its link so many
/// times, a write more or less often.
constexpr int kShares = 20;

/// How the bytes of one direction reach one drive, or a store through one NIC.
struct Way {
  RouteId route;
  Seconds latency;
};

class LogReplay {
 public:
  explicit LogReplay(const Scenario& scenario)
      : scenario_(scenario),
        system_(*scenario.system),
        io_(*scenario.workload.get<kind::Io>().io),
        log_(*io_.requests),
        volume_(find_volume(system_, scenario.data.at)),
        store_(find_store(scenario, scenario.data.at)),
        engine_(make_fluid_engine()),
        cached_(through_cache(scenario)),
        parts_left_(log_.requests.size()),
        took_(log_.requests.size(), kNotYet) {}

  void find_ways() {
    find_sources();
    ask_storage();
    add_links();
    for (std::size_t i = 0; i < sources_.size(); ++i) add_ways(i);
    missing_.throw_if_any();
  }

  ReplayOutcome run() {
    find_ways();
    issue_next(0);
    engine_->run();
    return outcome();
  }

 private:
  void find_sources() {
    if (store_)
      for (const auto& nic : store_->via) sources_.push_back(*nic);
    else
      sources_ = drives_at(system_, scenario_.data.at);
  }

  /// The mean requests that drives see, and the graph that attains what it does for them.
  void ask_storage() {
    double bytes[2] = {0, 0};
    double count[2] = {0, 0};
    for (std::size_t i = 0; i < log_.requests.size(); ++i) {
      split(i);
      for (const Piece& piece : pieces_) bytes[log_.requests[i].write] += piece.bytes;
      count[log_.requests[i].write] += static_cast<double>(pieces_.size());
      stored_[log_.requests[i].write] += static_cast<double>(cached_.needs[i].bytes);
    }
    constexpr double kAny = 4096;
    const double read = count[0] > 0 ? bytes[0] / count[0] : kAny;
    const double write = count[1] > 0 ? bytes[1] / count[1] : kAny;
    graph_ = build_graph(scenario_, {.request = {store_ && count[0] == 0 ? write : read},
                                     .write_request = Bytes{write}});
  }

  /// What request `i` asks of each source.
  void split(std::size_t i) {
    const auto& need = cached_.needs[i];
    const auto& request = log_.requests[i];
    pieces_.clear();
    if (need.bytes > 0)
      split_over_drives(store_ ? nullptr : volume_, sources_.size(), need.offset, need.bytes,
                        request.file, request.write, i, pieces_);
  }

  void add_links() {
    auto capacities = capacities_of(graph_);
    for (const ResourceIndex r : capacities.indices()) capacities[r] = capacities[r] * shares_of(r);
    links_.emplace(graph_, *engine_, capacities, ByResource<bool>{});
  }

  /// How often what takes a resource for all its time takes its link.
  double shares_of(ResourceIndex resource) const {
    return graph_.resources[resource].kind == ResourceKind::drive ? kShares : 1;
  }

  PartId home_of(std::size_t source) const {
    if (io_.memory.part) return *io_.memory;
    const PartId part = sources_[source];
    return store_ ? socket_of(system_, *find_nic(system_, part))
                  : socket_of(system_, *find_drive(system_, part));
  }

  const Cpu& cpu_of(PartId socket) const { return *find_socket(system_, socket)->model; }

  void add_ways(std::size_t source) {
    const PartId home = home_of(source);
    const VertexIndex memory = graph_.memory_of(home);
    const PartId place = store_ ? *scenario_.data.at : sources_[source];
    const VertexIndex media = graph_.media_of(place);
    ways_[0].push_back(add_way(way_between(media, memory, source), home, place, false));
    ways_[1].push_back(add_way(way_between(memory, media, source), home, place, true));
    const std::vector<LinkId> copy(kCopyPasses, links_->link(graph_.memory_resource(home)));
    copies_.push_back(
        engine_->add_route(copy, cpu_of(home).core_copy_bandwidth.value_or(kUncapped)));
  }

  /// Over the network, by way of the source's NIC.
  std::optional<Route> way_between(VertexIndex from, VertexIndex to, std::size_t source) const {
    if (!store_) return shortest_route(graph_, from, to);
    const VertexIndex port = graph_.at(sources_[source]);
    auto route = shortest_route(graph_, from, port);
    const auto rest = shortest_route(graph_, port, to);
    if (!route || !rest) return {};
    route->resources.insert(route->resources.end(), rest->resources.begin(), rest->resources.end());
    route->latency += rest->latency;
    return route;
  }

  Way add_way(std::optional<Route> route, PartId home, PartId place, bool write) {
    if (!route) {
      const Label& memory = graph_.vertex(graph_.memory_of(home)).label;
      const Label name = label_of(scenario_, place);
      report_no_way(missing_, scenario_.data.at.where, scenario_, write ? memory : name,
                    write ? name : memory);
      return {};
    }
    std::vector<LinkId> way;
    for (const ResourceIndex r : route->resources) {
      const auto& resource = graph_.resource(r);
      if (resource.kind != ResourceKind::drive)
        way.push_back(links_->link(r));
      else
        take_drive(way, place, write);
    }
    Bandwidth cap = route->cap.value_or(kUncapped);
    Seconds latency = route->latency;
    if (store_) {
      cap = std::min(cap, stream_cap());
      if (write) latency += store_latency();
    } else {
      const Drive& drive = *find_drive(system_, place)->model;
      const DriveLaw law = write ? drive.write_law() : drive.read_law();
      cap = std::min(cap, law.request_bandwidth);
      if (write) latency += law.latency;
    }
    if (!io_.direct && !write) {
      way.insert(way.end(), kCopyPasses, links_->link(graph_.memory_resource(home)));
      cap = std::min(cap, cpu_of(home).thread_read_bandwidth.value_or(kUncapped));
    }
    return {engine_->add_route(way, cap), latency};
  }

  /// Reads and writes take the time of one drive, each as long as its own rate says.
  void take_drive(std::vector<LinkId>& way, PartId drive, bool write) {
    const ResourceIndex reading = graph_.read_resource(drive);
    const double read = graph_.resource(reading).capacity.value;
    const double written = graph_.resource(graph_.write_resource(drive)).capacity.value;
    const double times =
        write ? std::clamp(kShares * read / written, 1.0, 1000.0 * kShares) : kShares;
    way.insert(way.end(), static_cast<std::size_t>(std::lround(times)), links_->link(reading));
  }

  Bandwidth stream_cap() const {
    Bandwidth cap = kUncapped;
    if (store_->protocol) cap = (*store_->protocol)->connection_bandwidth.value_or(cap);
    return std::min(cap, stripes_bandwidth(*store_).value_or(kUncapped));
  }

  Seconds store_latency() const {
    return store_->model->read_latency +
           (store_->protocol ? (*store_->protocol)->request_latency : Seconds{});
  }

  void issue_next(std::uint64_t i) {
    if (i >= log_.requests.size()) return;
    const double wait = log_.requests[i].time_s - engine_->now().value;
    engine_->after({std::max(0.0, wait)}, callback<&LogReplay::issue>(*this, i));
  }

  void issue(std::uint64_t i) {
    const auto& request = log_.requests[i];
    const bool cached = cached_.needs[i].bytes == 0 || (request.write && !io_.direct);
    if (cached) {
      const auto& copy = copies_[static_cast<std::size_t>(request.file) % copies_.size()];
      engine_->start_flow(copy, {static_cast<double>(request.bytes)},
                          callback<&LogReplay::copied>(*this, i));
    } else {
      go_to_storage(i);
    }
    issue_next(i + 1);
  }

  void copied(std::uint64_t i) {
    finish(i);
    if (log_.requests[i].write) go_to_storage(i);
  }

  /// All drives of a request are asked at once; they are alike, so the longest latency stands for
  /// all.
  void go_to_storage(std::uint64_t i) {
    split(i);
    const auto& ways = ways_[log_.requests[i].write];
    Seconds latency{};
    for (const Piece& piece : pieces_) latency = std::max(latency, ways[piece.drive].latency);
    engine_->after(latency, callback<&LogReplay::move>(*this, i));
  }

  void move(std::uint64_t i) {
    split(i);
    parts_left_[i] = static_cast<std::uint32_t>(pieces_.size());
    const auto& ways = ways_[log_.requests[i].write];
    for (const Piece& piece : pieces_)
      engine_->start_flow(ways[piece.drive].route, {piece.bytes},
                          callback<&LogReplay::moved>(*this, i));
  }

  void moved(std::uint64_t i) {
    if (--parts_left_[i] == 0 && took_[i] == kNotYet) finish(i);
  }

  void finish(std::uint64_t i) {
    took_[i] = engine_->now().value - log_.requests[i].time_s;
    ended_ = engine_->now().value;
  }

  ReplayOutcome outcome() {
    ByResource<double> load;
    const double all = std::max(engine_->now().value, kLeastTime_s);
    for (const ResourceIndex r : graph_.resources.indices()) {
      const double carried = engine_->carried(links_->link(r)).value;
      load.add(carried / (graph_.resources[r].capacity.value * shares_of(r) * all));
    }
    return {std::move(graph_),
            std::move(load),
            std::move(sources_),
            std::move(took_),
            cached_.read_bytes > 0 ? cached_.hit_bytes / cached_.read_bytes : 0,
            {stored_[0]},
            {stored_[1]},
            {ended_}};
  }

  const Scenario& scenario_;
  const System& system_;
  const IoJob& io_;
  const AccessLog& log_;
  const Volume* volume_;
  const Store* const store_;  ///< null: drives
  std::unique_ptr<Engine> engine_;
  const CachedLog cached_;
  std::vector<PartId> sources_;  ///< drives; of a store, the NICs that reach it
  Graph graph_;
  std::optional<GraphOnEngine> links_;
  std::vector<Way> ways_[2];     ///< of each source: reads, writes
  std::vector<RouteId> copies_;  ///< of each source: from or into the page cache
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> parts_left_;
  std::vector<double> took_;
  double stored_[2] = {0, 0};
  double ended_ = 0;
  Diagnostics missing_;
};

}  // namespace

void check_replay(const Scenario& scenario) { LogReplay(scenario).find_ways(); }

Result replay_log(const Scenario& scenario) {
  return replay_answer(scenario, LogReplay(scenario).run());
}

}  // namespace gpufeed
