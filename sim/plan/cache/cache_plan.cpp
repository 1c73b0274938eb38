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

namespace {

/// Of windows that samples bring at random, `per_byte` of theirs: after x epochs
/// 1 - e^(-x per_byte) of the set has come, and what the cache has room for is found.
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

}  // namespace

namespace {

/// What a node reads of an epoch: `parts` of `shares`, by so many GPUs.
struct NodeShare {
  std::int64_t parts, shares, gpus;

  double value() const { return static_cast<double>(parts) / static_cast<double>(shares); }
};

CacheHits hits_of_node(const Scenario& scenario, const NodeShare& share, Bytes cache, double epochs,
                       double read_per_byte) {
  const Dataset& dataset = *scenario.workload.dataset();
  const Bytes data =
      size_in_cache(dataset) * static_cast<double>(dataset_samples(scenario.workload));
  if (is_read_anywhere(scenario) && scenario.data.mapped)
    return hits_of_windows(
        std::min(1.0, cache / data),
        read_per_byte * static_cast<double>(scenario.loader.jobs) * share.value(), epochs);
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
    replay.shares *= replay.readers / share.parts;
  }
  replay.cache_GiB = cache / 1_GiB;
  replay.active_share_at_start = scenario.loader.cache_active.value;
  replay.seed = static_cast<std::uint64_t>(scenario.run.seed);
  return hits_over_epochs(replay, epochs);
}

/// Those of nodes of each kind, as one, each kind with its share of all samples.
class Joined {
 public:
  Joined(std::vector<CacheHits> kinds, std::vector<double> parts, double later)
      : kinds_(std::move(kinds)), parts_(std::move(parts)) {
    for (CacheHits& kind : kinds_)
      if (kind.filling.empty()) kind.filling = {{kind.later, later}};
  }

  CacheHits hits() const {
    CacheHits out;
    out.first = joined([](const CacheHits& kind) { return &kind.first; });
    out.later = joined([](const CacheHits& kind) { return &kind.later; });
    const auto alike = [](const CacheHits& kind) { return kind.filling.size() == 1; };
    if (!std::ranges::all_of(kinds_, alike)) out.filling = filling();
    return out;
  }

 private:
  template <class CurveOf>
  HitCurve joined(CurveOf curve_of) const {
    HitCurve out;
    for (std::size_t k = 0; k < kinds_.size(); ++k) out.add(*curve_of(kinds_[k]), parts_[k]);
    for (const CacheHits& kind : kinds_) out.unlike.push_back(curve_of(kind)->slices);
    return out;
  }

  /// A new stretch begins where one of a kind does.
  std::vector<HitStretch> filling() const {
    std::vector<HitStretch> out;
    auto left = kinds_;
    while (std::ranges::none_of(left, [](const auto& kind) { return kind.filling.empty(); })) {
      const auto epochs = [](const CacheHits& kind) { return kind.filling.front().epochs; };
      const double shortest = std::ranges::min(left, {}, epochs).filling.front().epochs;
      HitStretch next{{}, shortest};
      for (std::size_t k = 0; k < left.size(); ++k) {
        HitStretch& one = left[k].filling.front();
        next.hits.add(one.hits, parts_[k]);
      }
      for (CacheHits& kind : left) {
        HitStretch& one = kind.filling.front();
        next.hits.unlike.push_back(one.hits.slices);
        constexpr double kNone = 1e-9;  // of an epoch
        if ((one.epochs -= shortest) < kNone) kind.filling.erase(kind.filling.begin());
      }
      out.push_back(std::move(next));
    }
    return out;
  }

  std::vector<CacheHits> kinds_;  ///< each with stretches
  std::vector<double> parts_;
};

}  // namespace

CacheHits cache_hits(const Scenario& scenario, Bytes cache, double epochs, double read_per_byte) {
  if (cache.value <= 0) return {};
  const auto hits_of = [&](const NodeShare& share) {
    return hits_of_node(scenario, share, cache, epochs, read_per_byte);
  };
  if (!is_uneven(scenario)) return hits_of({1, scenario.nodes, gpus_per_node(scenario)});
  const std::int64_t all = gpus_in_use(scenario);
  std::vector<CacheHits> kinds;
  std::vector<double> parts;
  for (const std::int64_t gpus : node_sizes(scenario)) {
    kinds.push_back(hits_of({gpus, all, gpus}));
    double part = 0;
    for (std::int64_t node = 0; node < scenario.nodes; ++node)
      if (gpus_of_node(scenario, node) == gpus) part += static_cast<double>(gpus);
    parts.push_back(part / static_cast<double>(all));
  }
  return Joined(std::move(kinds), std::move(parts), epochs - 1).hits();
}

}  // namespace gpufeed
