// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/split.h"

#include <cmath>

#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"
#include "sim/plan/exchange/plan_exchange.h"

namespace gpufeed {
namespace {

/// Of the samples of one replica, what one block passes on.
Bytes block_output(const ExchangeWays& ways) {
  const Scenario& scenario = ways.scenario();
  const auto samples = static_cast<double>(ways.plan().batch * gpus_per_replica(scenario));
  return block_output(*scenario.workload.model(),
                      scenario.workload.get<ComputesModel>().precision) *
         samples;
}

double blocks_of_stage(const ExchangeWays& ways) {
  return static_cast<double>(ways.scenario().workload.model()->blocks.value_or(1)) /
         static_cast<double>(ways.scenario().parallel->pipeline);
}

/// How often blocks are computed forward: once more where they keep no activations.
int forwards(const ExchangeWays& ways) {
  return ways.scenario().workload.get<kind::Training>().recompute == Recompute::none ? 1 : 2;
}

/// A block is summed up twice on each way forward and twice on its way back.
double sums_of_blocks(const ExchangeWays& ways) {
  return 2 * (forwards(ways) + 1) * blocks_of_stage(ways);
}

/// Each of a part of the batch.
CollectiveCalls sums_of(const ExchangeWays& ways, int tensor) {
  const auto parts = static_cast<double>(ways.scenario().parallel->micro_batches);
  return {CollectiveOperation::all_reduce, tensor, ways.nodes_of(tensor, 1),
          block_output(ways) / parts, sums_of_blocks(ways) * parts};
}

void sum_outputs(const ExchangeWays& ways, SendPhase& phase, int rank, int tensor) {
  const int place = rank % tensor;
  phase.add({rank, rank - place + (place + 1) % tensor, Over::nvlink,
             block_output(ways) * (ring_share(tensor) * sums_of_blocks(ways)), 2.0 * (tensor - 1)});
}

/// Four matrices a block, multiplied once on each way forward and twice on the way back.
void share_tiles(const ExchangeWays& ways, SendPhase& phase, int rank, int tensor) {
  const auto parts = static_cast<double>(ways.scenario().parallel->micro_batches);
  const int place = rank % tensor;
  const int first = rank - place;
  const int side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(tensor))));
  const double blocks = blocks_of_stage(ways);
  const double products = 4 * (forwards(ways) + 2) * blocks;
  const Scenario& scenario = ways.scenario();
  const double of_gradients =
      bytes_per_number(scenario.workload.get<ComputesModel>().precision) / gradient_bytes(scenario);
  const Bytes weights =
      ways.gradients() * (of_gradients * static_cast<double>(tensor) / (4 * blocks));
  const double rounds = products * parts * (side - 1);
  const int right = place - place % side + (place + 1) % side;
  const int below = (place + side) % tensor;
  phase.add({rank, first + right, Over::nvlink,
             summa_traffic(block_output(ways), {}, tensor) * products, rounds});
  phase.add(
      {rank, first + below, Over::nvlink, summa_traffic({}, weights, tensor) * products, rounds});
}

/// Each of a stage's GPUs hands on its part.
void pass_on(const ExchangeWays& ways, SendPhase& phase, int rank, int next) {
  const Parallel& parallel = *ways.scenario().parallel;
  const Bytes part = block_output(ways) / static_cast<double>(parallel.tensor);
  const auto times = static_cast<double>(parallel.micro_batches);
  phase.add({rank, next, Over::nvlink, part, times});
  phase.add({next, rank, Over::nvlink, part, times});
}

}  // namespace

Pattern split_model_pattern(const ExchangeWays& ways) {
  const Parallel& parallel = *ways.scenario().parallel;
  const int tensor = static_cast<int>(parallel.tensor);
  const int replica = tensor * static_cast<int>(parallel.pipeline);
  const int replicas = ways.ranks() / replica;
  const auto share = parallel.layout == TensorLayout::columns ? sum_outputs : share_tiles;
  SendPhase gradients, outputs, boundaries;
  outputs.ready = boundaries.ready = 1;
  if (replicas > 1)
    gradients.calls =
        ways.calls(CollectiveOperation::all_reduce, replicas, ways.nodes_of(replicas, replica));
  if (tensor > 1 && parallel.layout == TensorLayout::columns) outputs.calls = sums_of(ways, tensor);
  for (int rank = 0; rank < ways.ranks(); ++rank) {
    if (replicas > 1)
      gradients.add({rank, (rank + replica) % ways.ranks(), Over::nvlink,
                     ways.gradients() * ring_share(replicas), 2.0 * (replicas - 1)});
    if (tensor > 1) share(ways, outputs, rank, tensor);
    if (rank % replica + tensor < replica) pass_on(ways, boundaries, rank, rank + tensor);
  }
  return {std::move(gradients), std::move(outputs), std::move(boundaries)};
}

}  // namespace gpufeed
