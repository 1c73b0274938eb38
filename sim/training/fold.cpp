// SPDX-License-Identifier: Apache-2.0
#include "sim/training/fold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "sim/training/exchange_job.h"
#include "sim/training/limits.h"
#include "sim/training/stages.h"

namespace gpufeed {
namespace {

/// So many GPUs show what happens by chance among those of a node and between nodes; more, where
/// chance gave each its share of a store.
constexpr int kGpusToShow = 64;
constexpr int kUnequalGpusToShow = 256;
/// Of what nodes share, in demand; below it, nobody takes from others.
constexpr double kBusy = 0.5;
/// With so many times the rate in reserve, few readers alone take all that a store gives.
constexpr double kAmple = 8;
/// Share of a step by which loaders may hold gradients up: on which node they do is chance.
constexpr double kUndisturbed = 0.03;
/// Of the time of an epoch or a step.
constexpr double kNegligible = 0.002;

bool shares_differ(const Plan& plan) {
  return std::ranges::any_of(plan.gpus, [&](const GpuPlan& gpu) {
    return gpu.share.eighths != plan.gpus.front().share.eighths;
  });
}

/// Nodes on a leaf switch, or all; 0: the last switch has fewer.
int nodes_on_switch(const Plan& plan) {
  int on_switch = static_cast<int>(plan.nodes);
  for (const auto& resource : plan.graph.resources) {
    if (resource.nodes.count != plan.resource(resource.of_first).nodes.count) return 0;
    if (resource.nodes.count > 1) on_switch = std::min(on_switch, resource.nodes.count);
  }
  return on_switch;
}

/// The smallest number of nodes that shows all: whole switches, or part of one; 0: there is none.
int nodes_to_keep(const Plan& plan) {
  const int all = static_cast<int>(plan.nodes);
  const int on_switch = nodes_on_switch(plan);
  if (on_switch == 0) return 0;
  const int per_node = static_cast<int>(plan.gpus.size()) / all;
  const int show = shares_differ(plan) ? kUnequalGpusToShow : kGpusToShow;
  for (int kept = std::max(2, (show + per_node - 1) / per_node); 2 * kept <= all; ++kept)
    if (all % kept == 0 && (kept <= on_switch || kept % on_switch == 0)) return kept;
  return 0;
}

/// Makes the plan of the first `kept` nodes.
class Folder {
 public:
  Folder(const Plan& all, int kept)
      : all_(all),
        kept_(kept),
        per_node_(all.gpus.size() / static_cast<std::size_t>(all.nodes)),
        each_(static_cast<double>(all.nodes) / kept),
        few_(all) {}

  const Plan& make() {
    few_.routes.clear();
    keep_resources();
    keep_gpus();
    for (auto& phase : few_.exchange) keep_phase(phase);
    if (few_.checkpoint) keep_checkpoint();
    return few_;
  }

  /// By how much of it a phase of the few differed from that of all, before it was made the same.
  double unlike() const { return unlike_; }

 private:
  void keep_resources() {
    auto& resources = few_.graph.resources;
    resources.clear();
    few_.quiet.clear();
    for (std::size_t r = 0; r < all_.graph.resources.size(); ++r) {
      const Resource& resource = all_.graph.resources[r];
      if (resource.nodes.first >= kept_) continue;
      places_[{resource.of_first, resource.nodes.first}] = static_cast<int>(resources.size());
      resources.push_back(resource);
      const int users = std::min(kept_ - resource.nodes.first, resource.nodes.count);
      resources.back().capacity =
          resource.capacity * (static_cast<double>(users) / resource.nodes.count);
      few_.quiet.push_back(all_.quiet[r]);
    }
  }

  /// What one of the kept nodes uses where any node uses `resource`.
  int place(int resource, int node) const {
    const Resource& found = all_.resource(resource);
    return places_.at({found.of_first, node - node % found.nodes.count});
  }

  Route on(int node, Route route) const {
    for (int& resource : route.resources) resource = place(resource, node);
    return route;
  }

  int keep_route(int route, int node) {
    few_.routes.push_back(on(node, all_.route(route)));
    return static_cast<int>(few_.routes.size()) - 1;
  }

  void keep_gpus() {
    few_.gpus.resize(per_node_ * static_cast<std::size_t>(kept_));
    for (auto& gpu : few_.gpus) {
      gpu.stands_for = static_cast<int>(all_.nodes / kept_);
      for (int& read : gpu.reads) read = keep_route(read, gpu.node);
      for (int* route : {&gpu.hits, &gpu.copy})
        if (*route >= 0) *route = keep_route(*route, gpu.node);
    }
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
  using Bundles = std::map<std::pair<std::vector<int>, double>, Bundle>;

  Bundles bundles_of(const ExchangePhase& phase) const {
    Bundles bundles;
    std::vector<int> crossed;
    for (const Flow& flow : phase.flows) {
      const Route& route = all_.route(flow.route);
      crossed.clear();
      for (const int resource : route.resources)
        crossed.push_back(all_.resource(resource).of_first);
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
    const Seconds time = time_together(all_, phase.flows);
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
    few_.routes.push_back(on(node, std::move(route)));
    phase.flows.push_back(
        {static_cast<int>(few_.routes.size()) - 1, bundle.size / nodes,
         Weight{std::max(1, static_cast<int>(std::lround(count * Weight{}.eighths)))}});
  }

  void keep_checkpoint() {
    CheckpointPlan& checkpoint = *few_.checkpoint;
    checkpoint.writers.resize(few_.gpus.size());
    for (std::size_t w = 0; w < checkpoint.writers.size(); ++w) {
      auto& writer = checkpoint.writers[w];
      const int node = few_.gpus[w].node;
      writer.copy = keep_route(writer.copy, node);
      for (auto& piece : writer.pieces) piece.route = keep_route(piece.route, node);
    }
    std::erase_if(checkpoint.shared, [&](const DriveTime& time) {
      return all_.resource(time.read).nodes.first >= kept_;
    });
    for (auto& time : checkpoint.shared)
      for (int* resource : {&time.read, &time.write})
        *resource = place(*resource, all_.resource(*resource).nodes.first);
  }

  const Plan& all_;
  const int kept_;
  const std::size_t per_node_;
  const double each_;  ///< nodes that one stands for
  Plan few_;
  std::map<std::pair<int, int>, int> places_;  ///< of what is kept: by `of_first`, and first node
  double unlike_ = 0;
};

/// How far the time of a worker's batch strays, as its share: its own work, sizes of samples, and
/// how many of them the page cache or a drive holds.
double deviation_of_batch(const Plan& plan) {
  const double batch = static_cast<double>(plan.batch);
  const double size = plan.sample_size_deviation / plan.sample_size;
  double square = plan.jitter.value * plan.jitter.value + size * size / batch;
  if (plan.hit_rate > 0) square += plan.hit_rate / std::max(batch * (1 - plan.hit_rate), 1.0);
  if (plan.whole_files) square += (static_cast<double>(plan.sources.size()) - 1) / batch;
  return std::sqrt(square);
}

/// Standard deviations by which the latest of so many is late.
double lateness(double count) { return std::sqrt(2 * std::log(std::max(count, 2.0))); }

/// What resources could deliver of which each is used by one node alone, or else by several;
/// gradients aside.
Rate rate_of_resources(const Plan& plan, bool of_one) {
  const Loads loads = loads_of(plan);
  Rate rate{std::numeric_limits<double>::infinity()};
  for (std::size_t r = 0; r < loads.read.size(); ++r) {
    const Resource& resource = plan.graph.resources[r];
    const double load = loads.read[r] + loads.copied[r];
    if (load > 0 && (resource.nodes.count == 1) == of_one)
      rate = std::min(rate, Rate{resource.capacity.value / load});
  }
  return rate;
}

/// What each node could deliver by itself, gradients and computing aside.
Rate rate_of_nodes(const Plan& plan) {
  Rate rate = rate_of_resources(plan, true);
  for (const auto& stage : stage_limits(plan, loads_of(plan)))
    if (stage.kind == StageKind::decode || stage.kind == StageKind::workers ||
        stage.kind == StageKind::copy)
      rate = std::min(rate, stage.capacity);
  return rate;
}

/// Whether chance on some node may hold all others up: what nodes could deliver by themselves is no
/// more than what is asked of them and what a late batch adds to that.
bool nodes_hold_up(const Plan& few, double gpus) {
  Plan cold = few;
  cold.hit_rate = 0;
  const double late =
      deviation_of_batch(few) * lateness(gpus) / std::sqrt(static_cast<double>(few.prefetch));
  return std::ranges::any_of(std::array{&few, &std::as_const(cold)}, [&](const Plan* plan) {
    return throughput_bound(*plan).rate / rate_of_nodes(*plan) + late > 1;
  });
}

/// Whether it weighs in an epoch how much later the first batch of many comes than that of few.
bool epochs_are_short(const Plan& few, double gpus) {
  Plan cold = few;
  cold.hit_rate = 0;
  const double first_batches = static_cast<double>(few.workers_per_gpu) * few.global_batch();
  const double late =
      deviation_of_batch(few) * (lateness(gpus) - lateness(static_cast<double>(few.gpus.size())));
  const double epoch = static_cast<double>(few.steps_per_epoch) * few.global_batch();
  return late * (first_batches / rate_of_nodes(cold).value) >
         kNegligible * (epoch / throughput_bound(few).rate.value);
}

/// Share of a step that gradients take, at most.
double exchange_share(const Plan& few) {
  return exchange_time(few).value * throughput_bound(few).rate.value / few.global_batch();
}

/// Share of a step for which what loaders move holds gradients up, at most.
double disturbance(const Plan& few) {
  const Loads loads = loads_of(few);
  const Rate rate = throughput_bound(few).rate;
  double busy = 0;
  for (std::size_t r = 0; r < loads.read.size(); ++r)
    if (loads.exchanged[r] > 0)
      busy = std::max(busy, (loads.read[r] + loads.copied[r]) * rate.value /
                                few.graph.resources[r].capacity.value);
  return busy * exchange_share(few);
}

bool one_writes(const Plan& plan) {
  return plan.checkpoint && plan.checkpoint->writers.size() < plan.gpus.size();
}

/// Whether part of a store that all wait for may lie idle when only those readers are left that
/// receive least of it: how many these are is chance.
bool starves_a_reader(const Plan& few) {
  Plan cold = few;
  cold.hit_rate = 0;
  const Rate rate = throughput_bound(cold).rate;
  return rate > rate_of_resources(cold, false) * kBusy && rate_of_nodes(cold) < rate * kAmple;
}

/// Why the few do not show what all do; empty: they do.
std::string difference(const Plan& all, const Plan& few, double unlike) {
  const auto gpus = static_cast<double>(all.gpus.size());
  if (shares_differ(all) && starves_a_reader(few)) return "readers share a busy store unevenly";
  if (epochs_are_short(few, gpus)) return "epochs are short, and begin with the latest first batch";
  if (nodes_hold_up(few, gpus)) return "a late batch of one node may hold up all";
  const bool meets = meets_loaders(few, binding_resources(few));
  if (meets && unlike * exchange_share(few) > kNegligible)
    return "nodes take unlike parts in the exchange, which loaders disturb";
  if (meets && disturbance(few) > kUndisturbed) return "loaders hold gradients up, by chance";
  return "";
}

}  // namespace

Folding fold_nodes(const Scenario& scenario, const Plan& plan) {
  if (plan.nodes == 1) return {};
  if (!scenario.run.fold) return {{}, plan.nodes, "run.fold is false"};
  if (one_writes(plan)) return {{}, plan.nodes, "one GPU writes the checkpoints"};
  const int kept = nodes_to_keep(plan);
  if (kept == 0) return {{}, plan.nodes, "few nodes, or no even part of them"};
  Folder folder(plan, kept);
  const Plan& few = folder.make();
  const std::string reason = difference(plan, few, folder.unlike());
  if (!reason.empty()) return {{}, plan.nodes, reason};
  return {few, kept, "nodes are alike"};
}

std::vector<TimeSpent> spent_by_all(const Plan& plan, const std::vector<TimeSpent>& by_few) {
  std::vector<TimeSpent> spent(plan.gpus.size());
  for (std::size_t g = 0; g < spent.size(); ++g) spent[g] = by_few[g % by_few.size()];
  return spent;
}

}  // namespace gpufeed
