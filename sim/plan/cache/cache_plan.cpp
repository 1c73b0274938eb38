// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/cache/cache_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

CacheHits hits_of_windows(double room, double per_byte, double epochs) {
  constexpr std::int64_t kEpochs = 50;  // then the rest finds what the last of these does
  const auto found = [&](double from, double to) {
    const double missed = (std::exp(-per_byte * from) - std::exp(-per_byte * to)) / per_byte;
    return std::min(room, 1 - missed / (to - from));
  };
  const auto curve = [&](double epoch) {
    HitCurve out;
    const double slices = static_cast<double>(HitCurve::kSlices);
    for (std::size_t i = 0; i < HitCurve::kSlices; ++i)
      out.slices[i] = found(epoch + static_cast<double>(i) / slices,
                            epoch + static_cast<double>(i + 1) / slices);
    return out;
  };
  CacheHits hits;
  hits.first = curve(0);
  const double later = std::max(1.0, std::ceil(epochs) - 1);
  double weights = 0;
  for (std::int64_t epoch = 1; epoch <= kEpochs && weights < later; ++epoch) {
    const double weight = epoch == kEpochs ? later - weights : 1;
    const HitCurve one = curve(static_cast<double>(epoch));
    for (std::size_t i = 0; i < HitCurve::kSlices; ++i)
      hits.later.slices[i] += one.slices[i] * weight / later;
    weights += weight;
  }
  return hits;
}

namespace {

Bytes data_in_cache(const Scenario& scenario) {
  return size_in_cache(*scenario.workload.dataset()) *
         static_cast<double>(dataset_samples(scenario.workload));
}

}  // namespace

double read_by_node(const Scenario& scenario, const NodeShare& share) {
  return static_cast<double>(scenario.loader.jobs * share.parts) /
         static_cast<double>(share.shares);
}

CacheHits cache_hits(const Scenario& scenario, const NodeShare& share, Bytes cache, double epochs,
                     double read_per_byte) {
  if (cache.value <= 0) return {};
  if (is_read_anywhere(scenario) && scenario.data.mapped)
    return hits_of_windows(std::min(1.0, cache / data_in_cache(scenario)),
                           read_per_byte * read_by_node(scenario, share), epochs);
  return hits_over_epochs(replay_of(scenario, share, cache), epochs);
}

CacheReplay replay_of(const Scenario& scenario, const NodeShare& share, Bytes cache) {
  const Dataset& dataset = *scenario.workload.dataset();
  const Bytes data = data_in_cache(scenario);
  const bool records =
      scenario.loader.order == SampleOrder::shards || dataset.format == StoredAs::indexed;
  CacheReplay replay;
  replay.cached_share = cache / data;
  replay.policy = policy_of(scenario);
  replay.order = order_of(scenario.loader.order);
  replay.reclaimer = static_cast<Reclaimer>(scenario.loader.cache_limit);
  replay.files = std::max<std::int64_t>(
      1, dataset_samples(scenario.workload) / (records ? 1 : dataset.samples_per_file));
  replay.shard_files = dataset.samples_per_file;
  replay.readers = scenario.loader.jobs;
  replay.shares = share.shares;
  if (scenario.loader.common_seed) {
    replay.parts = share.parts;
  } else {
    replay.readers *= share.gpus / scenario.loader.jobs;
    replay.shares = replay.shares * replay.readers / share.parts;
  }
  replay.cache_GiB = cache / 1_GiB;
  replay.active_share_at_start = scenario.loader.cache_active.value;
  replay.seed = static_cast<std::uint64_t>(scenario.run.seed);
  return replay;
}

}  // namespace gpufeed
