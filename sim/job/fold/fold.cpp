// SPDX-License-Identifier: Apache-2.0
#include "sim/job/fold/fold.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/job/exchange_job.h"
#include "sim/job/fold/alike.h"
#include "sim/job/fold/alike_flows.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/plan/reader_shares.h"

namespace gpufeed {
namespace {

/// So many GPUs show what happens by chance among those of a node and between nodes.
constexpr int kGpusToShow = 64;
constexpr int kGpusForRatios = 32;

/// Nodes on a leaf switch, or all; 0: the last switch has fewer.
int nodes_on_switch(const Plan& plan) {
  int on_switch = static_cast<int>(plan.nodes);
  for (const auto& resource : plan.graph.resources) {
    if (resource.nodes.count != plan.resource(*resource.of_first).nodes.count) return 0;
    if (resource.nodes.count > 1) on_switch = std::min(on_switch, resource.nodes.count);
  }
  return on_switch;
}

/// The smallest number of nodes that shows all: whole switches, or part of one; 0: there is none.
int nodes_to_keep(const Plan& plan, int show) {
  const int all = static_cast<int>(plan.nodes);
  const int on_switch = nodes_on_switch(plan);
  if (on_switch == 0) return 0;
  const int per_node = static_cast<int>(plan.gpus.size()) / all;
  for (int kept = std::max(2, (show + per_node - 1) / per_node); 2 * kept <= all; ++kept)
    if (all % kept == 0 && (kept <= on_switch || kept % on_switch == 0)) return kept;
  return 0;
}

/// A copy without what is of nodes, which may be much; `plan` is as it was afterwards.
Plan without_nodes(Plan& plan) {
  Plan of_nodes;
  const auto swap_out = [&] {
    std::swap(plan.graph.resources, of_nodes.graph.resources);
    std::swap(plan.routes, of_nodes.routes);
    std::swap(plan.gpus, of_nodes.gpus);
    std::swap(plan.uncontended, of_nodes.uncontended);
  };
  swap_out();
  Plan rest = plan;
  swap_out();
  return rest;
}

/// Makes the plan of the first `kept` nodes.
class Folder {
 public:
  Folder(Plan& all, int kept, std::uint64_t seed)
      : all_(all),
        kept_(kept),
        seed_(seed),
        per_node_(all.gpus.size() / static_cast<std::size_t>(all.nodes)),
        each_(static_cast<double>(all.nodes) / kept),
        few_(without_nodes(all)),
        alike_(all) {}

  const Plan& make() {
    keep_resources();
    keep_gpus();
    for (auto& phase : few_.exchange) keep_phase(phase);
    if (few_.checkpoint) keep_checkpoint();
    keep_shared_drives();
    return few_;
  }

  /// By how much of it a phase of the few differed from that of all, before it was made the same.
  double unlike() const { return unlike_; }

 private:
  void keep_resources() {
    auto& resources = few_.graph.resources;
    for (const ResourceIndex r : all_.graph.resources.indices()) {
      const Resource& resource = all_.graph.resources[r];
      if (resource.nodes.first >= kept_) continue;
      const ResourceIndex place = keep(r, resource.nodes.first);
      const int users = std::min(kept_ - resource.nodes.first, resource.nodes.count);
      resources[place].capacity =
          resource.capacity * (static_cast<double>(users) / resource.nodes.count);
    }
  }

  ResourceIndex keep(ResourceIndex r, int node) {
    few_.uncontended.add(all_.uncontended[r]);
    const ResourceIndex place = few_.graph.resources.add(all_.resource(r));
    few_.graph.resources[place].nodes.first = node;
    places_.emplace(std::pair{*all_.resource(r).of_first, node}, place);
    return place;
  }

  /// What one of the kept nodes uses where any node uses `resource`; it may be the first to.
  ResourceIndex place(ResourceIndex resource, int node) {
    const Resource& found = all_.resource(resource);
    const int first = node - node % found.nodes.count;
    const auto known = places_.find({*found.of_first, first});
    return known != places_.end() ? known->second : keep(resource, first);
  }

  Route on(int node, Route route) {
    for (ResourceIndex& resource : route.resources) resource = place(resource, node);
    return route;
  }

  RouteIndex keep_route(RouteIndex route, int node) {
    return few_.routes.add(on(node, all_.route(route)));
  }

  void keep_gpus() {
    few_.gpus.assign(all_.gpus.begin(),
                     all_.gpus.begin() + static_cast<std::ptrdiff_t>(per_node_) * kept_);
    for (auto& gpu : few_.gpus) {
      gpu.stands_for = static_cast<int>(all_.nodes / kept_);
      gpu.part *= each_;
      for (auto* routes : {&gpu.reads, &gpu.pulls, &gpu.passes})
        for (RouteIndex& read : *routes) read = keep_route(read, gpu.node);
      for (auto* route : {&gpu.hits, &gpu.copy})
        if (*route) *route = keep_route(**route, gpu.node);
    }
    draw_shares(seed_, few_);
    few_.cores.resize(few_.cores.size() / static_cast<std::size_t>(all_.nodes) *
                      static_cast<std::size_t>(kept_));
    few_.physical_cores /= each_;
    few_.nodes = kept_;
  }

  /// Flows by what they cross, whichever nodes that belongs to.
  struct Bundle {
    double flows = 0;
    Bytes size;
  };
  using Bundles = std::map<std::pair<std::vector<ResourceIndex>, double>, Bundle>;

  Bundles bundles_of(const ExchangePhase& phase) const {
    Bundles bundles;
    std::vector<ResourceIndex> crossed;
    for (const Flow& flow : phase.flows) {
      const Route& route = all_.route(flow.route);
      crossed.clear();
      for (const ResourceIndex resource : route.resources)
        crossed.push_back(*all_.resource(resource).of_first);
      Bundle& bundle = bundles[{crossed, route.cap.value_or(kUncapped).value}];
      bundle.flows += flow.weight.value();
      bundle.size += flow.size;
    }
    return bundles;
  }

  /// Each of the few sends to itself what nodes send to one another on average: flows that cross
  /// the same are one, which weighs as much as a node has of them.
  void keep_phase(ExchangePhase& phase) {
    const Bundles bundles = bundles_of(phase);
    const Seconds time = alike_.time_of(phase.flows);
    phase.flows.clear();
    for (int node = 0; node < kept_; ++node)
      for (const auto& [way, bundle] : bundles) add_flow(phase, node, way, bundle);
    const double longer = time / time_together(few_, phase.flows);
    for (Flow& flow : phase.flows) flow.size = flow.size * longer;
    unlike_ = std::max(unlike_, std::abs(longer - 1));
  }

  void add_flow(ExchangePhase& phase, int node, const Bundles::key_type& way,
                const Bundle& bundle) {
    const auto nodes = static_cast<double>(all_.nodes);
    const double count = bundle.flows / nodes;
    Route route{way.first, {}, {}};
    if (std::isfinite(way.second)) route.cap = Bandwidth{way.second * count};
    phase.flows.push_back(
        {few_.routes.add(on(node, std::move(route))), bundle.size / nodes,
         Weight{std::max(1, static_cast<int>(std::lround(count * Weight{}.eighths)))}});
  }

  void keep_checkpoint() {
    CheckpointPlan& checkpoint = *few_.checkpoint;
    auto& writers = checkpoint.writers;
    writers.erase(writers.begin() + std::ssize(few_.gpus), writers.end());
    for (std::size_t w = 0; w < writers.size(); ++w) {
      auto& writer = writers[w];
      const int node = few_.gpus[w].node;
      writer.copy = keep_route(writer.copy, node);
      writer.by_software = keep_route(writer.by_software, node);
      for (auto& piece : writer.pieces) piece.route = keep_route(piece.route, node);
    }
  }

  void keep_shared_drives() {
    std::erase_if(few_.shared_drives, [&](const SharedDrive& drive) {
      return all_.resource(drive.read).nodes.first >= kept_;
    });
    for (auto& drive : few_.shared_drives)
      for (ResourceIndex* resource : {&drive.read, &drive.write})
        *resource = place(*resource, all_.resource(*resource).nodes.first);
  }

  const Plan& all_;
  const int kept_;
  const std::uint64_t seed_;
  const std::size_t per_node_;
  const double each_;  ///< nodes that one stands for
  Plan few_;
  AlikeFlows alike_;  ///< of all
  std::map<std::pair<ResourceIndex, int>, ResourceIndex>
      places_;  ///< of what is kept: by `of_first`, and first node
  double unlike_ = 0;
};

bool one_writes(const Plan& plan) {
  return plan.checkpoint && plan.checkpoint->writers.size() < plan.gpus.size();
}

}  // namespace

Folding fold_nodes(const Scenario& scenario, Plan& plan, FoldFor what) {
  if (plan.nodes == 1) return {};
  if (!scenario.run.fold) return {{}, plan.nodes, "run.fold is false"};
  if (!plan.synchronous) return {{}, plan.nodes, "GPUs do not wait for one another"};
  if (is_uneven(scenario)) return {{}, plan.nodes, "nodes have unlike numbers of GPUs"};
  if (one_writes(plan)) return {{}, plan.nodes, "one GPU writes the checkpoints"};
  const int kept = nodes_to_keep(plan, what == FoldFor::ratios ? kGpusForRatios : kGpusToShow);
  if (kept == 0) return {{}, plan.nodes, "few nodes, or no even part of them"};
  Folder folder(plan, kept, static_cast<std::uint64_t>(scenario.run.seed));
  const Plan& few = folder.make();
  if (what == FoldFor::answers) {
    const std::string reason = difference_of_nodes(plan, few, folder.unlike());
    if (!reason.empty()) return {{}, plan.nodes, reason};
  }
  return {few, kept, "nodes are alike"};
}

std::vector<TimeSpent> spent_by_all(const Plan& plan, const std::vector<TimeSpent>& by_few) {
  std::vector<TimeSpent> spent(plan.gpus.size());
  for (std::size_t g = 0; g < spent.size(); ++g) spent[g] = by_few[g % by_few.size()];
  return spent;
}

}  // namespace gpufeed
