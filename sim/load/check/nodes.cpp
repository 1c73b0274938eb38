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
        ranks_(gpus_per_node(scenario.workload, system) * scenario.nodes) {}

  void check() {
    if (!scenario_.workload.is<RunsEpochs>()) return;
    if (scenario_.nodes > 1) check_several();
    check_fabric();
    const auto* training = scenario_.workload.find<kind::Training>();
    if (!training) return;
    check_torus();
    check_mode();
    check_target(training->target);
    check_recompute(*training);
    if (scenario_.parallel) check_split(*scenario_.parallel);
    if (scenario_.parallel && training->accumulate > 1)
      check_accumulated(*scenario_.parallel, training->accumulate);
  }

 private:
  void check_several() {
    if (scenario_.workload.is<kind::Training>() && system_.nics.empty())
      out_.error(scenario_.system.where, "nodes is {}, but {} has no [[nic]] to join them",
                 scenario_.nodes, scenario_.system.name);
    const auto& staging = scenario_.data.staging;
    if (staging && staging->mode == StagingMode::first_epoch)
      out_.error(staging->from.where,
                 "data.staging.mode: each of {} nodes reads only its part of the first epoch, so "
                 "none would have all data; set \"before\"",
                 scenario_.nodes);
    if (scenario_.loader.jobs > 1)
      out_.error(scenario_.loader.where,
                 "loader.jobs is {}: several jobs can be simulated on one node only; set nodes = 1",
                 scenario_.loader.jobs);
  }

  void check_fabric() {
    if (scenario_.fabric && scenario_.nodes == 1)
      out_.error(scenario_.fabric->where,
                 "fabric: one node alone uses no fabric; give nodes, or leave the table out");
  }

  void check_torus() {
    const auto& exchange = scenario_.exchange;
    if (exchange.torus_width && ranks_ % *exchange.torus_width != 0)
      out_.error(exchange.where,
                 "exchange.torus_width is {}, but {} GPUs do not fill rows of that length",
                 *exchange.torus_width, ranks_);
    if (exchange.algorithm != Algorithm::automatic && exchange.algorithm != Algorithm::ring &&
        scenario_.loader.jobs > 1)
      out_.error(exchange.where,
                 "exchange.algorithm: several jobs on a machine each use a ring; set \"ring\"");
  }

  void check_mode() {
    const auto& exchange = scenario_.exchange;
    if (exchange.first_bucket && !exchange.bucket)
      out_.error(exchange.where,
                 "exchange.first_bucket has no effect without exchange.bucket; give that, too, or "
                 "leave the key out");
    if (exchange.mode == ExchangeMode::synchronous) {
      if (exchange.staleness)
        out_.error(exchange.where,
                   "exchange.staleness: in synchronous training no GPU is ahead of another; set "
                   "exchange.mode = \"asynchronous\", or leave the key out");
      return;
    }
    if (gpus_per_replica(scenario_) > 1)
      out_.error(exchange.where,
                 "exchange.mode: the GPUs that share a model compute together; set "
                 "\"synchronous\", or leave [parallel] out");
    if (exchange.algorithm != Algorithm::automatic &&
        exchange.algorithm != Algorithm::parameter_server)
      out_.error(exchange.where,
                 "exchange.mode: a GPU that waits for no other exchanges with servers; set "
                 "exchange.algorithm = \"parameter-server\"");
    if (scenario_.loader.jobs > 1)
      out_.error(exchange.where,
                 "exchange.mode: several jobs on a machine are synchronous each; set "
                 "\"synchronous\", or loader.jobs = 1");
  }

  void check_target(const std::vector<TargetRow>& target) {
    const auto unordered = std::ranges::adjacent_find(
        target, [](const auto& a, const auto& b) { return b.global_batch <= a.global_batch; });
    if (unordered != target.end())
      out_.error((unordered + 1)->where,
                 "workload.target: global_batch {} comes after {}; list them from small to large",
                 (unordered + 1)->global_batch, unordered->global_batch);
  }

  void check_split(const Parallel& parallel) {
    const std::int64_t replica = parallel.tensor * parallel.pipeline;
    if (ranks_ % replica != 0)
      out_.error(parallel.where,
                 "parallel: a model is split over {} x {} GPUs, and {} GPUs do not make whole "
                 "replicas of {}",
                 parallel.tensor, parallel.pipeline, ranks_, replica);
    if (replica > 1 && scenario_.exchange.algorithm != Algorithm::automatic &&
        scenario_.exchange.algorithm != Algorithm::ring)
      out_.error(scenario_.exchange.where,
                 "exchange.algorithm: replicas of a split model use a ring; set \"ring\"");
    const auto side = std::llround(std::sqrt(static_cast<double>(parallel.tensor)));
    if (parallel.layout == TensorLayout::grid && side * side != parallel.tensor)
      out_.error(parallel.where,
                 "parallel.tensor is {}, but a grid needs a square number, such as {}",
                 parallel.tensor, side * side);
    if (parallel.shard != Sharding::none && ranks_ == replica)
      out_.error(parallel.where,
                 "parallel.shard: there is one replica, which has nobody to share with; leave it "
                 "out");
    check_shares(parallel);
    check_blocks(parallel, replica);
    if (const auto* training = scenario_.workload.find<kind::Training>())
      check_micro_batches(parallel, *training, replica);
  }

  void check_shares(const Parallel& parallel) {
    if (parallel.shard != Sharding::none && scenario_.exchange.mode == ExchangeMode::asynchronous)
      out_.error(parallel.where,
                 "parallel.shard: a GPU that waits for no other holds the whole model; set "
                 "exchange.mode = \"synchronous\", or leave the key out");
    using enum Algorithm;
    const Algorithm named = scenario_.exchange.algorithm;
    if (parallel.shard == Sharding::parameters &&
        (named == tree || named == nvls || named == parameter_server))
      out_.error(scenario_.exchange.where,
                 "exchange.algorithm: replicas that share the parameters gather them, and \"{}\" "
                 "only sums; set \"ring\", \"hierarchical\" or \"torus\", or leave the key out",
                 name_of(named));
  }

  void check_micro_batches(const Parallel& parallel, const kind::Training& training,
                           std::int64_t replica) {
    const std::int64_t batch = training.global_batch ? *training.global_batch / ranks_ * replica
                                                     : training.batch_per_gpu * replica;
    if (parallel.micro_batches > std::max<std::int64_t>(1, batch))
      out_.error(
          parallel.where,
          "parallel.micro_batches is {}, but a replica of {} GPU{} has {} sample{} in a step "
          "to divide; give at most as many",
          parallel.micro_batches, replica, replica == 1 ? "" : "s", batch, batch == 1 ? "" : "s");
  }

  /// What travels within a step or for each of its batches would have to do so for each of these.
  void check_accumulated(const Parallel& parallel, std::int64_t batches) {
    if (parallel.tensor * parallel.pipeline > 1 || parallel.shard == Sharding::gradients ||
        parallel.shard == Sharding::parameters)
      out_.error(parallel.where,
                 "workload.accumulate is {}: what [parallel] lets travel for every batch is not "
                 "simulated for several in a step; leave it out, or all of [parallel] but "
                 "shard = \"optimizer\"",
                 batches);
  }

  void check_recompute(const kind::Training& training) {
    if (training.model && training.recompute &&
        (!training.model->blocks || !training.model->block_output))
      out_.error(training.model.where,
                 "workload.recompute: {} does not say its blocks and block_output, which alone are "
                 "kept; add them",
                 training.model.name);
  }

  void check_blocks(const Parallel& parallel, std::int64_t replica) {
    const auto* own = scenario_.workload.find<FeedsGpus>();
    if (!own || !own->model || replica == 1) return;
    const auto& model = own->model;
    if (!model->blocks || !model->block_output)
      out_.error(model.where,
                 "workload.model: {} does not say its blocks and block_output, which [parallel] "
                 "splits; add them",
                 model.name);
    else if (*model->blocks % parallel.pipeline != 0)
      out_.error(parallel.where, "parallel.pipeline is {}, but {} has {} blocks to share equally",
                 parallel.pipeline, model.name, *model->blocks);
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
