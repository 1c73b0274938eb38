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

/// So many GPUs show what happens by chance among those of a node and between nodes.
constexpr int kGpusToShow = 32;
/// Phases of an exchange that meets loaders may differ so much from that of all nodes.
constexpr double kSameExchange = 0.005;
/// Of the time of an epoch.
constexpr double kNegligible = 0.002;

/// The smallest number of nodes that shows all: whole switches, or part of one; 0: there is none.
int nodes_to_keep(const Plan& plan) {
  const int all = static_cast<int>(plan.nodes);
  int on_switch = all;
  for (const auto& resource : plan.graph.resources)
    if (resource.nodes.count > 1) on_switch = std::min(on_switch, resource.nodes.count);
  const int per_node = static_cast<int>(plan.gpus.size()) / all;
  for (int kept = std::max(2, (kGpusToShow + per_node - 1) / per_node); 2 * kept <= all; ++kept)
    if (all % kept == 0 && all % on_switch == 0 && (kept <= on_switch || kept % on_switch == 0))
      return kept;
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

  /// How much longer a phase of all lasted than that of the few, before it was made the same.
  double unlike() const { return unlike_; }

 private:
  /// The first of the kept nodes that use what stands for something that `nodes` use.
  int stand_in(const NodeRange& nodes) const {
    return nodes.count >= kept_ ? 0 : nodes.first % kept_;
  }

  void keep_resources() {
    auto& resources = few_.graph.resources;
    resources.clear();
    few_.quiet.clear();
    std::map<std::pair<int, int>, int> kept;  // by what it is on the first node, and node
    for (std::size_t r = 0; r < all_.graph.resources.size(); ++r) {
      const Resource& resource = all_.graph.resources[r];
      if (resource.nodes.first >= kept_) continue;
      kept[{resource.of_first, resource.nodes.first}] = static_cast<int>(resources.size());
      resources.push_back(resource);
      const int users = std::min(kept_ - resource.nodes.first, resource.nodes.count);
      resources.back().capacity =
          resource.capacity * (static_cast<double>(users) / resource.nodes.count);
      few_.quiet.push_back(all_.quiet[r]);
    }
    for (const auto& resource : all_.graph.resources)
      place_.push_back(kept.at({resource.of_first, stand_in(resource.nodes)}));
  }

  Route folded(Route route) const {
    for (int& resource : route.resources) resource = place_[static_cast<std::size_t>(resource)];
    return route;
  }

  int keep_route(int route) {
    few_.routes.push_back(folded(all_.route(route)));
    return static_cast<int>(few_.routes.size()) - 1;
  }

  void keep_gpus() {
    few_.gpus.resize(per_node_ * static_cast<std::size_t>(kept_));
    for (auto& gpu : few_.gpus) {
      gpu.stands_for = static_cast<int>(all_.nodes / kept_);
      for (int& read : gpu.reads) read = keep_route(read);
      for (int* route : {&gpu.hits, &gpu.copy})
        if (*route >= 0) *route = keep_route(*route);
    }
    few_.cores.resize(few_.cores.size() / static_cast<std::size_t>(all_.nodes) *
                      static_cast<std::size_t>(kept_));
    few_.physical_cores /= each_;
    few_.nodes = kept_;
  }

  /// Flows that cross the same once folded are one, or as many as each node has of them.
  void keep_phase(ExchangePhase& phase) {
    struct Bundle {
      double flows = 0;
      Bytes size;
    };
    using Way = std::pair<std::vector<int>, double>;
    std::map<Way, Bundle> bundles;
    for (const Flow& flow : phase.flows) {
      const Route route = folded(all_.route(flow.route));
      Bundle& bundle = bundles[{route.resources, route.cap.value_or(kUncapped).value}];
      bundle.flows += 1;
      bundle.size += flow.size;
    }
    const Seconds time = time_together(all_, phase.flows);
    phase.flows.clear();
    for (const auto& [way, bundle] : bundles) {
      const double count = std::max(1.0, std::round(bundle.flows / each_));
      for (double i = 0; i < count; ++i) {
        Route route{way.first, {}, {}};
        if (std::isfinite(way.second)) route.cap = Bandwidth{way.second};
        few_.routes.push_back(std::move(route));
        phase.flows.push_back(
            {static_cast<int>(few_.routes.size()) - 1, bundle.size / (each_ * count)});
      }
    }
    const double longer = time / time_together(few_, phase.flows);
    for (Flow& flow : phase.flows) flow.size = flow.size * longer;
    unlike_ = std::max(unlike_, std::abs(longer - 1));
  }

  void keep_checkpoint() {
    CheckpointPlan& checkpoint = *few_.checkpoint;
    checkpoint.writers.resize(few_.gpus.size());
    for (auto& writer : checkpoint.writers) {
      writer.copy = keep_route(writer.copy);
      for (auto& piece : writer.pieces) piece.route = keep_route(piece.route);
    }
    std::erase_if(checkpoint.shared, [&](const DriveTime& time) {
      return all_.resource(time.read).nodes.first >= kept_;
    });
    for (auto& time : checkpoint.shared)
      for (int* resource : {&time.read, &time.write})
        *resource = place_[static_cast<std::size_t>(*resource)];
  }

  const Plan& all_;
  const int kept_;
  const std::size_t per_node_;
  const double each_;  ///< nodes that one stands for
  Plan few_;
  std::vector<int> place_;  ///< of each resource of all nodes among those kept
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

/// What each node could deliver by itself, gradients and computing aside.
Rate rate_of_nodes(const Plan& plan) {
  const Loads loads = loads_of(plan);
  Rate rate{std::numeric_limits<double>::infinity()};
  for (std::size_t r = 0; r < loads.read.size(); ++r) {
    const Resource& resource = plan.graph.resources[r];
    const double load = loads.read[r] + loads.copied[r];
    if (load > 0 && resource.nodes.count == 1)
      rate = std::min(rate, Rate{resource.capacity.value / load});
  }
  for (const auto& stage : stage_limits(plan, loads))
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
  const double late = deviation_of_batch(few) *
                      (lateness(gpus) - lateness(static_cast<double>(few.gpus.size())));
  const double epoch = static_cast<double>(few.steps_per_epoch) * few.global_batch();
  return late * (first_batches / rate_of_nodes(cold).value) >
         kNegligible * (epoch / throughput_bound(few).rate.value);
}

bool one_writes(const Plan& plan) {
  return plan.checkpoint && plan.checkpoint->writers.size() < plan.gpus.size();
}

bool shares_differ(const Plan& plan) {
  return std::ranges::any_of(plan.gpus, [&](const GpuPlan& gpu) {
    return gpu.share.eighths != plan.gpus.front().share.eighths;
  });
}

/// Why the few do not show what all do; empty: they do.
std::string difference(const Plan& all, const Plan& few, double unlike) {
  const auto gpus = static_cast<double>(all.gpus.size());
  if (one_writes(all)) return "one GPU writes the checkpoints";
  if (shares_differ(all)) return "readers share the store unevenly";
  if (epochs_are_short(few, gpus)) return "epochs are short, and begin with the latest first batch";
  if (nodes_hold_up(few, gpus)) return "a late batch of one node may hold up all";
  if (unlike > kSameExchange && meets_loaders(few, binding_resources(few)))
    return "nodes take unlike parts in the exchange, which loaders disturb";
  return "";
}

}  // namespace

Folding fold_nodes(const Scenario& scenario, const Plan& plan) {
  if (plan.nodes == 1) return {};
  if (!scenario.run.fold) return {{}, plan.nodes, "run.fold is false"};
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
