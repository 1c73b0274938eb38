// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/cache/cache_plan.h"

#include <algorithm>
#include <cmath>

#include "sim/base/pages.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/plan/cache/page_cache.h"

namespace gpufeed {

using namespace literals;

namespace {

bool goes_around(const Scenario& scenario) {
  return scenario.data.mode == ReadMode::direct || scenario.data.path == ReadPath::gpudirect ||
         scenario.loader.cache == CacheRule::none;
}

CachePolicy policy_of(const Scenario& scenario) {
  switch (scenario.loader.cache) {
    case CacheRule::lru:
      return CachePolicy::lru;
    case CacheRule::pinned:
      return CachePolicy::pinned;
    case CacheRule::none:
      return CachePolicy::none;
    case CacheRule::linux_kernel:
      break;
  }
  return scenario.system->page_reclaim == PageReclaim::mglru ? CachePolicy::mglru
                                                             : CachePolicy::two_list;
}

ReadOrder order_of(SampleOrder order) {
  switch (order) {
    case SampleOrder::shards:
      return ReadOrder::shards;
    case SampleOrder::sequential:
      return ReadOrder::sequential;
    case SampleOrder::permutation:
      break;
  }
  return ReadOrder::permutation;
}

/// Of a sample in memory: a file of its own takes whole pages, so that of files of many sizes each
/// takes half a page more.
Bytes size_in_cache(const Dataset& dataset) {
  constexpr Bytes kPage{kPageBytes};
  const Bytes size = dataset.sample_size;
  if (dataset.samples_per_file > 1) return size;
  if (dataset.sample_size_deviation < kPage) return kPage * std::ceil(size / kPage);
  return std::max(kPage, size + kPage / 2);
}

}  // namespace

Bytes cache_memory(const Scenario& scenario) {
  return goes_around(scenario) ? Bytes{} : memory_for_page_cache(scenario);
}

bool fills_cache(const Scenario& scenario) {
  const Bytes stored = scenario.workload.dataset()->sample_size *
                       static_cast<double>(dataset_samples(scenario.workload));
  return cache_memory(scenario) < stored;
}

CacheHits cache_hits(const Scenario& scenario, Bytes cache, double epochs) {
  if (cache.value <= 0) return {};
  const Dataset& dataset = *scenario.workload.dataset();
  const Bytes data =
      size_in_cache(dataset) * static_cast<double>(dataset_samples(scenario.workload));
  const bool records = scenario.loader.order == SampleOrder::shards;
  CacheReplay replay;
  replay.cached_share = cache / data;
  replay.policy = policy_of(scenario);
  replay.order = order_of(scenario.loader.order);
  replay.reclaimer = static_cast<Reclaimer>(scenario.loader.cache_limit);
  replay.files = std::max<std::int64_t>(
      1, dataset_samples(scenario.workload) / (records ? 1 : dataset.samples_per_file));
  replay.shard_files = dataset.samples_per_file;
  replay.readers = scenario.loader.jobs;
  if (!scenario.loader.common_seed) {
    replay.readers *= gpus_per_node(scenario) / scenario.loader.jobs;
    replay.shares = replay.readers;
  }
  replay.shares *= scenario.nodes;
  replay.cache_GiB = cache / 1_GiB;
  replay.active_share_at_start = scenario.loader.cache_active.value;
  replay.seed = static_cast<std::uint64_t>(scenario.run.seed);
  return hits_over_epochs(replay, epochs);
}

}  // namespace gpufeed
