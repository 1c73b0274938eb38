// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/checkpoint/plan_checkpoints.h"

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"
#include "sim/plan/chosen_engine.h"
#include "sim/plan/on_engine.h"
#include "sim/plan/passes.h"
#include "sim/plan/reading.h"
#include "sim/plan/striping.h"
#include "sim/topology/capacity.h"

namespace gpufeed {
namespace {

/// The GPUs that write, as positions in Plan::gpus, and the part of a job's state that each takes.
struct Writers {
  std::vector<std::size_t> gpus;
  double part = 1;
};

/// \param gpus  of a plan, which may be fewer than all
Writers writers_of(const Scenario& scenario, std::size_t gpus) {
  const auto jobs = static_cast<std::size_t>(scenario.loader.jobs);
  const std::size_t ranks = static_cast<std::size_t>(gpus_in_use(scenario)) / jobs;
  const bool all = scenario.checkpoint->writers == CheckpointWriters::all;
  Writers writers;
  writers.part = all ? 1 / static_cast<double>(ranks) : 1;
  for (std::size_t g = 0; g < gpus; ++g)
    if (all || g % ranks == 0) writers.gpus.push_back(g);
  return writers;
}

/// Where a checkpoint lies.
struct Place {
  const Store* store = nullptr;    ///< null: drives
  const Volume* volume = nullptr;  ///< null: a store or a single drive
  std::vector<PartId> sources;

  /// The drives (or the store) of writer number `n`: single drives with whole files take turns.
  std::vector<PartId> of_writer(std::size_t n) const {
    if (volume && volume->layout == Layout::files) return {sources[n % sources.size()]};
    return sources;
  }
};

Place place_of(const Scenario& scenario) {
  Place place;
  const System& system = *scenario.system;
  const PartRef& at = scenario.checkpoint->at.part ? scenario.checkpoint->at : scenario.data.at;
  place.store = find_store(scenario, at);
  if (place.store) {
    place.sources = {*at};
    return place;
  }
  place.volume = find_volume(system, at);
  place.sources = drives_at(system, at);
  return place;
}

/// What of the checkpoints of a node may wait in its page cache until drives have written it: the
/// kernel lets writers go on up to half-way between the limits of what is dirty, and from there on
/// at the drives' pace (mm/page-writeback.c: dirty_freerun_ceiling, domain_dirty_limits).
Bytes dirty_room(const Scenario& scenario, const Place& place) {
  const Checkpoint& given = *scenario.checkpoint;
  if (given.sync || place.store) return {};
  const double most = given.dirty_ratio.value;
  const double background =
      given.dirty_background_ratio.value < most ? given.dirty_background_ratio.value : most / 2;
  return memory_for_page_cache(scenario) * ((background + most) / 2);
}

/// A file on few storage targets of a store is slower.
void cap_stripes(Route& route, const Store* store) {
  if (!store) return;
  if (const auto most = stripes_bandwidth(*store)) route.cap = *most;
}

/// Between a process of this GPU and the page cache, or what stands for it at a store's client.
Route copy_by_software(const Scenario& scenario, const Nodes& nodes, const Graph& graph,
                       const GpuPlan& gpu) {
  Route route;
  pass_memory(graph, route, gpu.socket, kCopyPasses);
  route.cap = find_socket(*scenario.system, gpu.socket)->model->core_copy_bandwidth;
  return nodes.on(gpu.node, std::move(route));
}

class CheckpointPlanner {
 public:
  CheckpointPlanner(const Scenario& scenario, const Nodes& nodes, Plan& plan, Diagnostics& missing)
      : scenario_(scenario),
        nodes_(nodes),
        plan_(plan),
        missing_(missing),
        place_(place_of(scenario)) {}

  CheckpointPlan make() {
    const Checkpoint& given = *scenario_.checkpoint;
    const Writers writers = writers_of(scenario_, plan_.gpus.size());
    const double of_node =
        static_cast<double>(writers.gpus.size()) / static_cast<double>(nodes_.shown());
    room_ = dirty_room(scenario_, place_) / std::max(1.0, of_node);
    out_.interval = given.interval_steps;
    out_.asynchronous = given.mode == CheckpointMode::asynchronous;
    const TrainingState state =
        training_state(scenario_.workload.get<kind::Training>(), given.form);
    out_.size = given.size.value_or(state.saved);
    out_.read_besides = state.read_besides;
    for (std::size_t w = 0; w < writers.gpus.size(); ++w)
      add_writer(w, plan_.gpus[writers.gpus[w]], out_.size * writers.part);
    if (!place_.store) share_drives(nodes_, place_.sources, plan_);
    return std::move(out_);
  }

 private:
  std::optional<RouteIndex> add_route(std::optional<Route> route, const Label& from,
                                      const Label& to) {
    if (!route) {
      report_no_way(missing_, scenario_.checkpoint->where, scenario_, from, to);
      return {};
    }
    return plan_.routes.add(std::move(*route));
  }

  void add_writer(std::size_t number, const GpuPlan& gpu, Bytes size) {
    const Graph& graph = plan_.graph;
    const VertexIndex memory = graph.memory_of(gpu.socket);
    const Label& from = graph.vertex(memory).label;
    auto copy = shortest_route(graph, graph.gpu(gpu.number), memory);
    if (copy) copy = nodes_.on(gpu.node, std::move(*copy));
    const auto copied =
        add_route(std::move(copy), label_of(scenario_, {PartKind::gpu, gpu.number}), from);
    const RouteIndex by_software =
        plan_.routes.add(copy_by_software(scenario_, nodes_, graph, gpu));
    std::vector<CheckpointWriter::Piece> pieces;
    const auto onto = place_.of_writer(number);
    const double part = written_per_byte(place_.volume) / static_cast<double>(onto.size());
    for (const PartId target : onto) {
      auto route = write_route(scenario_, graph, memory, target, gpu.nic);
      if (route) {
        cap_stripes(*route, place_.store);
        route =
            place_.store ? nodes_.to_store(gpu.node, *route, false) : nodes_.on(gpu.node, *route);
      }
      if (const auto written = add_route(std::move(route), from, label_of(scenario_, target)))
        pieces.push_back({*written, size * part, room_ * part});
    }
    if (copied) out_.writers.push_back({size, *copied, by_software, std::move(pieces)});
  }

  const Scenario& scenario_;
  const Nodes& nodes_;
  Plan& plan_;
  Diagnostics& missing_;
  const Place place_;
  Bytes room_;  ///< of a writer in the page cache
  CheckpointPlan out_;
};

/// Reads every part, by software, then copies it to its GPU.
class Restart {
 public:
  Restart(const Scenario& scenario, const Plan& plan)
      : scenario_(scenario),
        graph_(build_graph(scenario, {.request = kCheckpointRequest, .run = kInARow})),
        nodes_(scenario, graph_),
        place_(place_of(scenario)),
        engine_(make_engine(scenario.run.engine)),
        on_engine_(graph_, *engine_) {
    const Writers readers = writers_of(scenario, plan.gpus.size());
    const Bytes size = (plan.checkpoint->size + plan.checkpoint->read_besides) * readers.part;
    for (const std::size_t g : readers.gpus) add_reader(plan.gpus[g], size);
  }

  Seconds run() {
    for (std::size_t r = 0; r < readers_.size(); ++r)
      engine_->after(readers_[r].latency, callback<&Restart::read>(*this, r));
    engine_->run();
    return end_;
  }

 private:
  struct Reader {
    std::vector<RouteId> reads;
    RouteId by_software;
    RouteId copy;
    Bytes size;
    Seconds latency;  ///< of the first byte
    std::size_t left = 0;
  };

  /// Every way there has its way back, and those there have been found.
  static Route known(const std::optional<Route>& route) {
    GPUFEED_ASSERT(route, "what was written can be read");
    return *route;
  }

  void add_reader(const GpuPlan& gpu, Bytes size) {
    const VertexIndex memory = graph_.memory_of(gpu.socket);
    Reader reader;
    reader.size = size;
    for (const PartId source : place_.of_writer(readers_.size())) {
      Route route = known(read_route(scenario_, graph_, source, memory, gpu.nic));
      cap_stripes(route, place_.store);
      route = place_.store ? nodes_.to_store(gpu.node, route, true) : nodes_.on(gpu.node, route);
      reader.latency = std::max(reader.latency, route.latency);
      reader.reads.push_back(on_engine_.add(route));
    }
    reader.by_software = on_engine_.add(copy_by_software(scenario_, nodes_, graph_, gpu));
    const Route copy =
        nodes_.on(gpu.node, known(shortest_route(graph_, memory, graph_.gpu(gpu.number))));
    reader.latency += copy.latency;
    reader.copy = on_engine_.add(copy);
    readers_.push_back(std::move(reader));
  }

  void read(std::uint64_t tag) {
    Reader& reader = readers_[tag];
    const auto parts = static_cast<double>(reader.reads.size());
    reader.left = reader.reads.size() + 1;
    for (const RouteId route : reader.reads)
      engine_->start_flow(route, reader.size / parts, callback<&Restart::on_read>(*this, tag));
    engine_->start_flow(reader.by_software, reader.size, callback<&Restart::on_read>(*this, tag));
  }
  void on_read(std::uint64_t tag) {
    Reader& reader = readers_[tag];
    if (--reader.left == 0)
      engine_->start_flow(reader.copy, reader.size, callback<&Restart::on_copied>(*this, tag));
  }
  void on_copied(std::uint64_t) { end_ = engine_->now(); }

  const Scenario& scenario_;
  Graph graph_;
  const Nodes nodes_;
  const Place place_;
  std::unique_ptr<Engine> engine_;
  GraphOnEngine on_engine_;
  std::vector<Reader> readers_;
  Seconds end_;
};

}  // namespace

CheckpointPlan plan_checkpoints(const Scenario& scenario, const Nodes& nodes, Plan& plan,
                                Diagnostics& missing) {
  return CheckpointPlanner(scenario, nodes, plan, missing).make();
}

Seconds restart_time(const Scenario& scenario, const Plan& plan) {
  return Restart(scenario, plan).run();
}

}  // namespace gpufeed
