// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/tuning.h"

#include <algorithm>
#include <bit>

namespace gpufeed {
namespace {

bool sums_for_all(const CollectiveShape& shape) {
  return shape.operation == CollectiveOperation::all_reduce;
}

/// There and back, where all get the sum.
int ways(const CollectiveShape& shape) { return sums_for_all(shape) ? 2 : 1; }

/// Of a binary tree of so many.
int depth_of(int nodes) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(nodes))) - 1;
}

/// \param cycle  of the GPUs' clock, over that for which the costs hold: starting and steps over
///               NVLink are instructions of kernels, other steps wait for the host or the network
/// \param farther  of the network's latency, over that which the costs contain
Seconds latency_of(const CollectiveCost& cost, const CollectiveShape& shape, double cycle,
                   Seconds farther) {
  const bool ring = cost.pattern == CollectivePattern::ring;
  const int between = ring ? shape.nodes - 1 : depth_of(shape.nodes);
  const int within = ring ? shape.ranks - shape.nodes : shape.ranks / shape.nodes - 1;
  const Seconds local = shape.nvlink ? cost.nvlink_step * cycle : cost.pcie_step;
  return cost.start * cycle + (local * static_cast<double>(within) +
                               (cost.network_step + farther) * static_cast<double>(between)) *
                                  static_cast<double>(ways(shape));
}

/// Bytes that a rank sends by the pattern: in a tree, all of them up and all of them down.
Bytes carried(CollectivePattern pattern, const CollectiveShape& shape) {
  return shape.size *
         (pattern == CollectivePattern::tree ? 2.0 : sent_share(shape.operation, shape.ranks));
}

TunedCollective tuned(const CollectiveLibrary& library, const CollectiveCost& cost,
                      const CollectiveShape& shape, Seconds plain) {
  const Bytes bytes = carried(cost.pattern, shape);
  Seconds transfer = plain * (1 / cost.share.value);
  if (cost.most && shape.nodes == 1) transfer = std::max(transfer, bytes / *cost.most);
  const double own = library.own_part.value / static_cast<double>(shape.ranks);
  const Seconds copied = shape.nodes > 1 ? shape.within : plain;
  transfer += copied * (own * shape.size.value / bytes.value);
  return {cost.pattern, cost.protocol, latency_of(cost, shape, shape.cycle, shape.farther),
          transfer, latency_of(cost, shape, 1, {}) + transfer};
}

}  // namespace

double sent_share(CollectiveOperation operation, int ranks) {
  const double once = static_cast<double>(ranks - 1) / ranks;
  return operation == CollectiveOperation::all_reduce ? 2 * once : once;
}

std::optional<TunedCollective> tune(const CollectiveLibrary& library, CollectivePattern pattern,
                                    const CollectiveShape& shape, Seconds plain) {
  // A tree of two is a chain, as a ring of two is: the tables then favor the ring at every size.
  if (shape.ranks == 2) pattern = CollectivePattern::ring;
  std::optional<TunedCollective> best;
  for (const CollectiveCost& cost : library.cost) {
    if (cost.pattern != pattern) continue;
    const TunedCollective one = tuned(library, cost, shape, plain);
    if (!best || one.expected < best->expected) best = one;
  }
  return best;
}

std::optional<TunedCollective> tune_nvls(const CollectiveLibrary& library,
                                         const CollectiveShape& shape, Seconds ring) {
  if (!shape.nvls || shape.ranks <= 2 || !sums_for_all(shape)) return {};
  const auto cost =
      std::ranges::find(library.cost, CollectivePattern::nvls, &CollectiveCost::pattern);
  if (cost == library.cost.end()) return {};
  const double sent = 1 + 1 / static_cast<double>(shape.ranks);
  const double more = sent / sent_share(shape.operation, shape.ranks) / cost->share.value;
  return TunedCollective{CollectivePattern::nvls, cost->protocol, cost->start, ring * more,
                         cost->start + ring * more};
}

}  // namespace gpufeed
