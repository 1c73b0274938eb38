// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/traffic.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {
namespace {

constexpr double kActivationBytes = 2;

double node_gpus(const GpuWays& ways) { return static_cast<double>(ways.node_gpus); }

/// Of so many GPUs of a node together to those of another, in one group.
Bandwidth to_next_node(const GpuWays& ways, double gpus) {
  const Bandwidth cards = ways.network * gpus;
  return ways.connection ? std::min(cards, *ways.connection) : cards;
}

}  // namespace

Seconds gather_time(const GpuWays& ways, const RankGroup& group, Bytes buffer) {
  if (group.ranks <= 1) return {};
  const double local = std::clamp(std::floor(node_gpus(ways) / group.stride), 1.0, group.ranks);
  const double nodes = std::ceil(group.ranks / local);
  Seconds time;
  if (local > 1) time = buffer * ((group.ranks - 1) / group.ranks) / ways.local;
  if (nodes > 1) time = std::max(time, buffer * ((nodes - 1) / nodes) / to_next_node(ways, local));
  return time + ways.local_step * (local - 1) + ways.network_step * (nodes - 1);
}

Seconds sum_time(const GpuWays& ways, const RankGroup& group, Bytes buffer) {
  return gather_time(ways, group, buffer) * 2;
}

Bytes dispatched(Dispatcher by, Bytes of_tokens, double places, double experts) {
  if (by == Dispatcher::alltoall) return of_tokens * (experts * (places - 1) / places);
  return of_tokens * ((places - 1) * (1 - std::pow(1 - 1 / places, experts)));
}

double routed_tokens(const TransformerJob& job) {
  return job.tokens() / job.tensor() * static_cast<double>(job.architecture.experts_per_token) *
         job.training.expert_capacity.value_or(Ratio{1}).value;
}

Seconds dispatch_time(const TransformerJob& job) {
  const double experts = static_cast<double>(job.architecture.experts_per_token) *
                         job.training.expert_capacity.value_or(Ratio{1}).value;
  const Bytes tokens{kActivationBytes * job.tokens() / job.tensor() *
                     static_cast<double>(job.architecture.hidden)};
  const Dispatcher by = job.parallel.dispatcher;
  Seconds time = dispatched(by, tokens, job.expert(), experts) / job.ways.local;
  const double nodes = std::floor(job.expert() * job.tensor() / node_gpus(job.ways));
  if (nodes > 1) time = std::max(time, dispatched(by, tokens, nodes, experts) / job.ways.network);
  return time + job.ways.local_step * (std::min(job.expert(), node_gpus(job.ways)) - 1);
}

Seconds pass_on_time(const TransformerJob& job) {
  const Bytes tokens{kActivationBytes * job.tokens() *
                     static_cast<double>(job.architecture.hidden) / job.sequence_shares()};
  const bool within = job.tensor() * job.context() * job.pipeline() <= node_gpus(job.ways);
  return within ? tokens / job.ways.local + job.ways.local_step
                : tokens / to_next_node(job.ways, 1) + job.ways.network_step;
}

}  // namespace gpufeed
