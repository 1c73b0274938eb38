// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/cache/page_cache.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "sim/base/assert.h"
#include "sim/base/numbers/random.h"
#include "sim/plan/cache/cache_policies.h"

namespace gpufeed {
namespace {

constexpr std::int64_t kMostItems = 8192;
constexpr std::int64_t kFewestItems = 1024;    // the hit rate's spread is about 1 / sqrt(items)
constexpr std::int64_t kReadsOfEpoch = 65536;  // more than eight readers share them
constexpr double kRunOfKswapd = 0.02;          // of the cache; measured, see hit_rates

using Order = std::vector<std::int32_t>;

/// The first `count` in random order, of all.
void shuffle(Order& order, std::size_t count, Random& random) {
  for (std::size_t i = order.size(); i > 1 && i + count > order.size(); --i)
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
  std::rotate(order.begin(), order.end() - static_cast<std::ptrdiff_t>(count), order.end());
}

/// How the data set is cut into the items of the replay.
struct Scale {
  std::int32_t items = 0;
  std::int32_t shard = 1;  ///< items read one after the other
};

Scale scale_of(const CacheReplay& replay) {
  const std::int64_t most = std::clamp(kReadsOfEpoch / replay.readers, kFewestItems, kMostItems);
  // In every epoch a reader of a share reads at least one.
  const std::int64_t items = std::min(replay.files, std::max(most, replay.shares));
  if (replay.order != ReadOrder::shards) return {static_cast<std::int32_t>(items), 1};
  const std::int64_t shards = std::max<std::int64_t>(replay.files / replay.shard_files, 1);
  if (shards >= items) return {static_cast<std::int32_t>(items), 1};
  const std::int64_t shard = items / shards;
  return {static_cast<std::int32_t>(shards * shard), static_cast<std::int32_t>(shard)};
}

/// \returns  the first `reads` items at least
Order order_of_epoch(ReadOrder order, const Scale& scale, std::size_t reads, Random& random) {
  const auto of_shard = static_cast<std::size_t>(scale.shard);
  const std::size_t begun = (reads + of_shard - 1) / of_shard;
  Order shards(static_cast<std::size_t>(scale.items / scale.shard));
  std::iota(shards.begin(), shards.end(), 0);
  if (order != ReadOrder::sequential) shuffle(shards, begun, random);
  if (scale.shard == 1) return shards;
  Order items;
  for (std::size_t s = 0; s < begun; ++s)
    for (std::int32_t i = 0; i < scale.shard; ++i) items.push_back(shards[s] * scale.shard + i);
  return items;
}

/// What a reader reads in the epoch of that number, from 0; over all epochs its share.
std::size_t reads_of(std::int64_t epoch, std::int64_t items, const CacheReplay& replay) {
  const auto before = [&](std::int64_t one) { return one * items * replay.parts / replay.shares; };
  const std::int64_t reads = before(epoch + 1) - before(epoch);
  return static_cast<std::size_t>(std::max<std::int64_t>(reads, 1));
}

TwoListRules rules_of(const CacheReplay& replay, std::int32_t foreign) {
  TwoListRules rules;
  rules.inactive_ratio = inactive_ratio(replay.cache_GiB);
  rules.foreign_active = foreign;
  rules.proportional_scan = replay.reclaimer == Reclaimer::kswapd;
  // In files of the real set: how often a run sees a refault does not depend on the scale.
  const double run = kRunOfKswapd * replay.cached_share * static_cast<double>(replay.files);
  if (replay.reclaimer == Reclaimer::kswapd)
    rules.refault_window = static_cast<std::int32_t>(std::clamp(run, 1.0, 1e9));
  if (replay.reclaimer == Reclaimer::cgroup_fresh) rules.refault_window = 1;
  return rules;
}

/// Null if nothing is kept.
std::unique_ptr<FileCache> cache_of(const CacheReplay& replay, std::int32_t items) {
  // A set that fits beside the pages of others never needs their room.
  const bool fits = replay.cached_share * (1 - replay.active_share_at_start) >= 1;
  const double room = (fits ? 1 : replay.cached_share) * items;
  const auto capacity = static_cast<std::int32_t>(room);
  const auto foreign =
      fits ? 0 : static_cast<std::int32_t>(replay.active_share_at_start * capacity);
  if (capacity == 0) return nullptr;
  switch (replay.policy) {
    case CachePolicy::lru:
      return lru_cache(items, capacity);
    case CachePolicy::two_list:
      return two_list_cache(items, capacity, rules_of(replay, foreign));
    case CachePolicy::mglru:
    case CachePolicy::fifo:
      return fifo_cache(items, capacity);
    case CachePolicy::pinned:
      return pinned_cache(items, capacity);
    case CachePolicy::none:
      break;
  }
  return nullptr;
}

/// What is behind it as well.
std::unique_ptr<FileCache> caches_of(const CacheReplay& replay, std::int32_t items) {
  auto front = cache_of(replay, items);
  if (replay.behind_share <= 0) return front;
  CacheReplay behind;
  behind.cached_share = replay.behind_share;
  behind.policy = replay.behind;
  return one_behind(std::move(front), cache_of(behind, items));
}

/// An epoch's hits: of each file read in turn, how many of the readers find it.
struct EpochHits {
  std::vector<std::int64_t> found;
  std::int64_t readers = 1;
};

/// Reads one epoch in which the readers take turns, one file each.
EpochHits read_epoch(FileCache& cache, const std::vector<Order>& orders, std::size_t reads) {
  EpochHits hits{std::vector<std::int64_t>(reads, 0), std::ssize(orders)};
  for (std::size_t i = 0; i < reads; ++i)
    for (const Order& order : orders) hits.found[i] += cache.read(order[i]) ? 1 : 0;
  return hits;
}

double rate_of(const EpochHits& hits) {
  const auto all = std::accumulate(hits.found.begin(), hits.found.end(), std::int64_t{0});
  return static_cast<double>(all) / static_cast<double>(std::ssize(hits.found) * hits.readers);
}

/// A file at the border of two slices counts in both, each with its part.
HitCurve curve_of(const EpochHits& hits) {
  constexpr auto kSlices = static_cast<std::int64_t>(HitCurve::kSlices);
  const std::int64_t reads = std::ssize(hits.found);
  HitCurve curve;
  for (std::int64_t s = 0; s < kSlices; ++s) {
    const std::int64_t from = s * reads;  // in twentieths of a file
    const std::int64_t to = from + reads;
    std::int64_t found = 0;
    for (std::int64_t i = from / kSlices; i * kSlices < to; ++i)
      found += hits.found[static_cast<std::size_t>(i)] *
               (std::min(to, (i + 1) * kSlices) - std::max(from, i * kSlices));
    curve.slices[static_cast<std::size_t>(s)] =
        static_cast<double>(found) / static_cast<double>(reads * hits.readers);
  }
  return curve;
}

/// What `of_hits` makes of each epoch.
template <class Value>
std::vector<Value> replay_epochs(const CacheReplay& replay, Value (*of_hits)(const EpochHits&)) {
  GPUFEED_ASSERT(replay.cached_share >= 0 && replay.cache_GiB >= 0 && replay.epochs >= 0,
                 "the size of the cache and the number of epochs are not negative");
  GPUFEED_ASSERT(replay.files >= 1 && replay.shard_files >= 1 && replay.readers >= 1 &&
                     replay.parts >= 1 && replay.shares >= replay.parts,
                 "a data set has files and a reader");
  GPUFEED_ASSERT(replay.active_share_at_start >= 0 && replay.active_share_at_start < 1,
                 "pages of others leave room in the cache");
  const Scale scale = scale_of(replay);
  const auto cache = caches_of(replay, scale.items);
  std::vector<Value> values(static_cast<std::size_t>(replay.epochs));
  if (!cache) return values;
  Random random(replay.seed);
  std::vector<Order> orders(static_cast<std::size_t>(replay.readers));
  for (std::int64_t epoch = 0; epoch < replay.epochs; ++epoch) {
    const std::size_t reads = reads_of(epoch, scale.items, replay);
    for (Order& order : orders) order = order_of_epoch(replay.order, scale, reads, random);
    values[static_cast<std::size_t>(epoch)] = of_hits(read_epoch(*cache, orders, reads));
  }
  return values;
}

}  // namespace

std::int32_t inactive_ratio(double cache_GiB) {
  return std::max(static_cast<std::int32_t>(std::sqrt(10 * std::floor(cache_GiB))), 1);
}

std::vector<double> hit_rates(const CacheReplay& replay) { return replay_epochs(replay, rate_of); }

std::vector<HitCurve> hit_curves(const CacheReplay& replay) {
  return replay_epochs(replay, curve_of);
}

std::int64_t items_replayed(const CacheReplay& replay) { return scale_of(replay).items; }

}  // namespace gpufeed
