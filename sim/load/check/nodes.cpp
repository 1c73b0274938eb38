// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sim/load/check/checks.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

class NodesChecker {
 public:
  NodesChecker(const Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario),
        system_(system),
        out_(out),
        ranks_(gpus_in_use(scenario.workload, system, scenario.nodes)) {}

  void check() {
    if (!scenario_.workload.is<RunsEpochs>()) return;
    if (scenario_.nodes > 1) check_several();
    check_fabric();
    const auto* training = scenario_.workload.find<kind::Training>();
    if (!training) return;
    check_placement(*training);
    check_torus();
    check_mode();
    check_target(training->target);
    check_recompute(*training);
    if (scenario_.parallel) check_split(*scenario_.parallel);
    if (scenario_.parallel && training->accumulate > 1 && !is_decoder())
      check_accumulated(*scenario_.parallel, training->accumulate);
  }

 private:
  void check_several() {
    if (scenario_.workload.is<kind::Training>() && system_.nics.empty())
      out_.refuse(ProblemCode::missing_key, "nodes", scenario_.system.where,
                  " is {}, but {} has no [[nic]] to join them", scenario_.nodes,
                  scenario_.system.name);
    const auto& staging = scenario_.data.staging;
    if (staging && staging->mode == StagingMode::first_epoch)
      out_.refuse(ProblemCode::conflict, "data.staging.mode", staging->from.where,
                  ": each of {} nodes reads only its part of the first epoch, so "
                  "none would have all data; set \"before\"",
                  scenario_.nodes);
    if (scenario_.loader.jobs > 1)
      out_.refuse(ProblemCode::conflict, "loader.jobs", scenario_.loader.where,
                  " is {}: several jobs can be simulated on one node only; set nodes = 1",
                  scenario_.loader.jobs);
  }

  void check_fabric() {
    if (scenario_.fabric && scenario_.nodes == 1)
      out_.refuse(ProblemCode::idle_key, "fabric", scenario_.fabric->where,
                  ": one node alone uses no fabric; give nodes, or leave the table out");
  }

  void check_placement(const kind::Training& training) {
    const std::vector<std::int64_t>& placement = training.placement;
    if (placement.empty()) return;
    const auto refuse = [&](ProblemCode code, const std::string& why) {
      out_.refuse(code, "workload.placement", scenario_.workload.where, "{}", why);
    };
    const std::int64_t nodes = std::ssize(placement);
    if (nodes != scenario_.nodes)
      out_.refuse(ProblemCode::conflict, "workload.placement", scenario_.workload.where,
                  " says the GPUs of {} node{}, and nodes is {}; set nodes = {}", nodes,
                  nodes == 1 ? "" : "s", scenario_.nodes, nodes)
          .fixes.push_back({Fix::Kind::set, KeyPath("nodes"), std::to_string(nodes)});
    if (training.gpus)
      refuse(ProblemCode::conflict, " and workload.gpus exclude each other; leave one out");
    const std::int64_t present = std::ssize(system_.gpus);
    for (const std::int64_t gpus : placement)
      if (gpus < 1 || gpus > present)
        refuse(ProblemCode::out_of_range,
               fmt::format(" has {} GPUs of a node; expected 1 to {}, as {} has", gpus, present,
                           scenario_.system.name));
    if (std::ranges::min(placement) == std::ranges::max(placement)) return;
    check_uneven(refuse);
  }

  /// Of nodes with unlike numbers of GPUs only what each does by itself is known, and rings and
  /// trees over all.
  void check_uneven(const auto& refuse) {
    const std::string_view alike = "; give all nodes as many GPUs, or leave it out";
    const auto none = [&](bool given, std::string_view what) {
      if (given)
        refuse(ProblemCode::conflict,
               fmt::format(" has nodes with unlike numbers of GPUs, over which {}{}", what, alike));
    };
    using enum Algorithm;
    const Algorithm named = scenario_.exchange.algorithm;
    none(scenario_.parallel.has_value(), "[parallel] splits no model");
    none(is_decoder(), "a model given by its architecture is not trained");
    none(named != automatic && named != ring && named != tree,
         "exchange.algorithm is \"ring\" or \"tree\"");
    none(scenario_.exchange.mode == ExchangeMode::asynchronous, "exchange.mode is \"synchronous\"");
  }

  void check_torus() {
    const auto& exchange = scenario_.exchange;
    if (exchange.torus_width && ranks_ % *exchange.torus_width != 0)
      out_.refuse(ProblemCode::out_of_range, "exchange.torus_width", exchange.where,
                  " is {}, but {} GPUs do not fill rows of that length", *exchange.torus_width,
                  ranks_);
    if (exchange.algorithm != Algorithm::automatic && exchange.algorithm != Algorithm::ring &&
        scenario_.loader.jobs > 1)
      out_.refuse(ProblemCode::conflict, "exchange.algorithm", exchange.where,
                  ": several jobs on a machine each use a ring; set \"ring\"");
  }

  void check_hook() {
    const auto& exchange = scenario_.exchange;
    const bool power = exchange.hook == CommunicationHook::power_sgd_hook;
    if (power && !exchange.hook_share)
      out_.refuse(ProblemCode::missing_key, "exchange.hook_share", exchange.where,
                  " is missing: how much powerSGD_hook leaves depends on its rank and the model; "
                  "give it, such as \"5 %\"");
    if (!power && exchange.hook_share)
      out_.refuse(ProblemCode::idle_key, "exchange.hook_share", exchange.where,
                  " is only of exchange.hook = \"powerSGD_hook\"; leave it out");
  }

  void check_mode() {
    const auto& exchange = scenario_.exchange;
    check_hook();
    if (exchange.first_bucket && !exchange.bucket)
      out_.refuse(ProblemCode::idle_key, "exchange.first_bucket", exchange.where,
                  " has no effect without exchange.bucket; give that, too, or "
                  "leave the key out");
    if (exchange.mode == ExchangeMode::synchronous) {
      if (exchange.staleness)
        out_.refuse(ProblemCode::conflict, "exchange.staleness", exchange.where,
                    ": in synchronous training no GPU is ahead of another; set "
                    "exchange.mode = \"asynchronous\", or leave the key out");
      return;
    }
    if (gpus_per_replica(scenario_) > 1)
      out_.refuse(ProblemCode::conflict, "exchange.mode", exchange.where,
                  ": the GPUs that share a model compute together; set "
                  "\"synchronous\", or leave [parallel] out");
    if (exchange.algorithm != Algorithm::automatic &&
        exchange.algorithm != Algorithm::parameter_server)
      out_.refuse(ProblemCode::conflict, "exchange.mode", exchange.where,
                  ": a GPU that waits for no other exchanges with servers; set "
                  "exchange.algorithm = \"parameter-server\"");
    if (scenario_.loader.jobs > 1)
      out_.refuse(ProblemCode::conflict, "exchange.mode", exchange.where,
                  ": several jobs on a machine are synchronous each; set "
                  "\"synchronous\", or loader.jobs = 1");
  }

  void check_target(const std::vector<TargetRow>& target) {
    const auto unordered = std::ranges::adjacent_find(
        target, [](const auto& a, const auto& b) { return b.global_batch <= a.global_batch; });
    if (unordered != target.end())
      out_.refuse(ProblemCode::out_of_range, "workload.target", (unordered + 1)->where,
                  ": global_batch {} comes after {}; list them from small to large",
                  (unordered + 1)->global_batch, unordered->global_batch);
  }

  bool is_decoder() const {
    const auto* own = scenario_.workload.find<FeedsGpus>();
    return own && own->model && own->model->architecture;
  }

  void check_split(const Parallel& parallel) {
    const std::int64_t replica = gpus_per_replica(scenario_);
    if (ranks_ % replica != 0)
      out_.refuse(ProblemCode::out_of_range, "parallel", parallel.where,
                  ": a model is split over {} x {}{} GPUs, and {} GPUs do not make whole "
                  "replicas of {}",
                  parallel.tensor, parallel.pipeline,
                  parallel.context > 1 ? fmt::format(" x {}", parallel.context) : "", ranks_,
                  replica);
    if (replica > 1 && scenario_.exchange.algorithm != Algorithm::automatic &&
        scenario_.exchange.algorithm != Algorithm::ring)
      out_.refuse(ProblemCode::conflict, "exchange.algorithm", scenario_.exchange.where,
                  ": replicas of a split model use a ring; set \"ring\"");
    const auto side = std::llround(std::sqrt(static_cast<double>(parallel.tensor)));
    if (parallel.layout == TensorLayout::grid && side * side != parallel.tensor)
      out_.refuse(ProblemCode::conflict, "parallel.tensor", parallel.where,
                  " is {}, but a grid needs a square number, such as {}", parallel.tensor,
                  side * side);
    if (parallel.shard != Sharding::none && ranks_ == replica && parallel.context == 1)
      out_.refuse(ProblemCode::idle_key, "parallel.shard", parallel.where,
                  ": there is one replica, which has nobody to share with; leave it "
                  "out");
    check_shares(parallel);
    check_tables(parallel, replica);
    check_blocks(parallel, replica);
    if (is_decoder()) return;
    if (const auto* training = scenario_.workload.find<kind::Training>())
      check_micro_batches(parallel, *training, replica);
  }

  void check_tables(const Parallel& parallel, std::int64_t replica) {
    if (parallel.tables == TableLayout::whole) return;
    const auto* own = scenario_.workload.find<kind::Training>();
    if (!own || !own->model) return;
    const KeyPath key("parallel.tables");
    if (!own->model->tables || ranks_ == 1) {
      Problem& idle = out_.refuse(
          ProblemCode::idle_key, key, parallel.where, " has no effect: {}",
          ranks_ == 1 ? std::string("there is one GPU") : own->model.name + " says no tables");
      idle.fixes.push_back({Fix::Kind::remove, key});
    } else if (replica > 1) {
      out_.refuse(ProblemCode::conflict, key, parallel.where,
                  ": GPUs that hold one model together already hold parts of it; leave out tensor "
                  "and pipeline");
    }
  }

  void check_shares(const Parallel& parallel) {
    if (parallel.shard != Sharding::none && scenario_.exchange.mode == ExchangeMode::asynchronous)
      out_.refuse(ProblemCode::conflict, "parallel.shard", parallel.where,
                  ": a GPU that waits for no other holds the whole model; set "
                  "exchange.mode = \"synchronous\", or leave the key out");
    using enum Algorithm;
    const Algorithm named = scenario_.exchange.algorithm;
    if (parallel.shard == Sharding::parameters &&
        (named == tree || named == nvls || named == parameter_server))
      out_.refuse(ProblemCode::conflict, "exchange.algorithm", scenario_.exchange.where,
                  ": replicas that share the parameters gather them, and \"{}\" "
                  "only sums; set \"ring\", \"hierarchical\" or \"torus\", or leave the key out",
                  name_of(named));
  }

  void check_micro_batches(const Parallel& parallel, const kind::Training& training,
                           std::int64_t replica) {
    const std::int64_t batch = training.global_batch ? *training.global_batch / ranks_ * replica
                                                     : training.batch_per_gpu * replica;
    if (parallel.micro_batches > std::max<std::int64_t>(1, batch))
      out_.refuse(ProblemCode::out_of_range, "parallel.micro_batches", parallel.where,
                  " is {}, but a replica of {} GPU{} has {} sample{} in a step "
                  "to divide; give at most as many",
                  parallel.micro_batches, replica, replica == 1 ? "" : "s", batch,
                  batch == 1 ? "" : "s");
  }

  /// What travels within a step or for each of its batches would have to do so for each of these.
  void check_accumulated(const Parallel& parallel, std::int64_t batches) {
    if (parallel.tensor * parallel.pipeline > 1 || parallel.shard == Sharding::gradients ||
        parallel.shard == Sharding::parameters)
      out_.refuse(ProblemCode::idle_key, "workload.accumulate", parallel.where,
                  " is {}: what [parallel] lets travel for every batch is not "
                  "simulated for several in a step; leave it out, or all of [parallel] but "
                  "shard = \"optimizer\"",
                  batches);
  }

  void check_recompute(const kind::Training& training) {
    if (training.model && training.recompute != Recompute::none &&
        (!training.model->blocks || !training.model->block_output))
      out_.refuse(ProblemCode::missing_key, "workload.recompute", training.model.where,
                  ": {} does not say its blocks and block_output, which alone are "
                  "kept; add them",
                  training.model.name);
  }

  void check_blocks(const Parallel& parallel, std::int64_t replica) {
    const auto* own = scenario_.workload.find<FeedsGpus>();
    if (!own || !own->model || replica == 1) return;
    const auto& model = own->model;
    if (!model->blocks || !model->block_output)
      out_.refuse(ProblemCode::missing_key, "workload.model", model.where,
                  ": {} does not say its blocks and block_output, which [parallel] "
                  "splits; add them",
                  model.name);
    else if (!model->architecture && *model->blocks % parallel.pipeline != 0)
      out_.refuse(ProblemCode::out_of_range, "parallel.pipeline", parallel.where,
                  " is {}, but {} has {} blocks to share equally", parallel.pipeline, model.name,
                  *model->blocks);
  }

  const Scenario& scenario_;
  const System& system_;
  Diagnostics& out_;
  const std::int64_t ranks_;
};

}  // namespace

void check_nodes(const Scenario& scenario, const System& system, Diagnostics& out) {
  NodesChecker(scenario, system, out).check();
}

}  // namespace gpufeed
