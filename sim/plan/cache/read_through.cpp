// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/cache/read_through.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/plan/cache/cache_plan.h"
#include "sim/plan/cache/page_cache.h"
#include "sim/plan/reading.h"

namespace gpufeed {
namespace {

CachePolicy policy_of(CacheEviction eviction) {
  switch (eviction) {
    case CacheEviction::fifo:
      return CachePolicy::fifo;
    case CacheEviction::pinned:
      return CachePolicy::pinned;
    case CacheEviction::lru:
      break;
  }
  return CachePolicy::lru;
}

Bytes file_size(const Scenario& scenario) {
  const Dataset& dataset = *scenario.workload.dataset();
  return dataset.sample_size * static_cast<double>(dataset.samples_per_file);
}

/// Epochs that follow one another, and what each level finds in them.
using Stretches = std::vector<HitStretch>;

/// Those after the first.
Stretches later_of(const CacheHits& hits, double epochs) {
  if (!hits.filling.empty()) return hits.filling;
  return {{hits.later, epochs - 1}};
}

/// What a cache behind another one gives, where `either` of both holds so much.
HitCurve behind(const HitCurve& memory, const HitCurve& either) {
  HitCurve out = memory;
  // Replays that begin to replay in other epochs differ by chance.
  for (std::size_t i = 0; i < HitCurve::kSlices; ++i)
    out.on_drives[i] = std::max(0.0, either.slices[i] - memory.slices[i]);
  return out;
}

/// Both, for as long as both stay as they are.
Stretches joined(const Stretches& memory, const Stretches& either) {
  constexpr double kNone = 1e-9;
  Stretches out;
  double used_of_memory = 0, used_of_either = 0;
  for (std::size_t m = 0, e = 0; m < memory.size() && e < either.size();) {
    const double left_of_memory = memory[m].epochs - used_of_memory;
    const double left_of_either = either[e].epochs - used_of_either;
    const double both = std::min(left_of_memory, left_of_either);
    if (both > kNone) out.push_back({behind(memory[m].hits, either[e].hits), both});
    used_of_memory += both;
    used_of_either += both;
    if (left_of_memory - both <= kNone) ++m, used_of_memory = 0;
    if (left_of_either - both <= kNone) ++e, used_of_either = 0;
  }
  return out;
}

/// What a cache that loses nothing has come to hold, where each of k readers reads a random 1/S of
/// the set in an epoch: 1 - (1 - 1/S)^(k e) (1 - x/S)^k after e epochs and the part x.
class Pinned {
 public:
  Pinned(const CacheReplay& replay, double room)
      : shares_(static_cast<double>(replay.shares) / static_cast<double>(replay.parts)),
        readers_(static_cast<double>(replay.readers)),
        room_(room) {}

  double kept(double epochs) const {
    const double whole = std::floor(epochs);
    const double unread = std::pow(1 - 1 / shares_, readers_ * whole) *
                          std::pow(1 - (epochs - whole) / shares_, readers_);
    return std::min(room_, 1 - unread);
  }
  /// Of the reads between two dates, in epochs, those that bring what stays.
  double written(double from, double to) const {
    return (kept(to) - kept(from)) / ((to - from) * readers_ / shares_);
  }

 private:
  double shares_, readers_, room_;
};

/// What is written of epochs from `from` on: all that comes from the store, or, of one that keeps
/// what came first, what finds room.
class Writes {
 public:
  Writes(CacheEviction eviction, Pinned pinned) : eviction_(eviction), pinned_(pinned) {}

  void add(HitCurve& hits, double from, double epochs) const {
    const double slices = static_cast<double>(HitCurve::kSlices);
    for (std::size_t i = 0; i < HitCurve::kSlices; ++i) {
      const double far = std::max(0.0, 1 - hits.slices[i] - hits.on_drives[i]);
      const double at = static_cast<double>(i) / slices;
      const double kept = epochs > 1 ? pinned_.written(from, from + epochs)
                                     : pinned_.written(from + at, from + at + 1 / slices);
      hits.written[i] = eviction_ == CacheEviction::pinned ? std::clamp(kept, 0.0, far) : far;
    }
  }

 private:
  CacheEviction eviction_;
  Pinned pinned_;
};

/// The reading order with shards as the items that come and go as a whole.
CacheReplay by_files(CacheReplay replay) {
  replay.files = std::max<std::int64_t>(1, replay.files / replay.shard_files);
  replay.shard_files = 1;
  return replay;
}

/// As much of what memory lacks, by the order of whole files, as by that of samples.
void scale(const CacheHits& memory, CacheHits& either, const CacheHits& memory_by_files) {
  const auto of = [](const HitCurve& found, HitCurve& with, const HitCurve& without) {
    for (std::size_t i = 0; i < HitCurve::kSlices; ++i) {
      const double missed = 1 - without.slices[i];
      const double share = missed > 0 ? (with.slices[i] - without.slices[i]) / missed : 0;
      with.slices[i] = found.slices[i] + std::max(0.0, share) * (1 - found.slices[i]);
    }
  };
  of(memory.first, either.first, memory_by_files.first);
  of(memory.later, either.later, memory_by_files.later);
  either.filling.clear();
}

CacheHits found_in_either(const Scenario& scenario, const NodeShare& share,
                          const CacheHits& in_memory, const CacheReplay& replay, double epochs,
                          double pull_per_byte) {
  const double room = share_on_drives(scenario);
  if (is_read_anywhere(scenario))
    return hits_of_windows(room, pull_per_byte * read_by_node(scenario, share), epochs);
  CacheReplay both = replay;
  both.behind_share = room;
  both.behind = policy_of(scenario.data.staging->eviction);
  const bool whole_shards = replay.order == ReadOrder::shards && replay.shard_files > 1 &&
                            cache_block(scenario) >= file_size(scenario);
  if (!whole_shards || !in_memory.filling.empty()) return hits_over_epochs(both, epochs);
  CacheHits either = hits_over_epochs(by_files(both), epochs);
  if (!either.filling.empty()) return hits_over_epochs(both, epochs);
  scale(in_memory, either, hits_over_epochs(by_files(replay), epochs));
  return either;
}

}  // namespace

bool reads_through(const Scenario& scenario) {
  const auto& staging = scenario.data.staging;
  return staging && staging->mode == StagingMode::read_through;
}

Bytes cache_block(const Scenario& scenario) {
  const Bytes file = file_size(scenario);
  const Staging& staging = *scenario.data.staging;
  return staging.block ? std::min(*staging.block, file) : file;
}

double pulled_per_byte(const Scenario& scenario, const Reading& near) {
  if (!is_read_anywhere(scenario)) return 1;
  const Bytes sample = scenario.workload.dataset()->sample_size;
  const Bytes touched = sample * near.read_per_byte + cache_block(scenario);
  return std::min(touched, std::max(file_size(scenario), sample)) / sample;
}

double share_on_drives(const Scenario& scenario) {
  const Bytes data = scenario.workload.dataset()->sample_size *
                     static_cast<double>(dataset_samples(scenario.workload));
  return std::min(1.0, scenario.data.staging->capacity.value_or(data) / data);
}

CacheHits with_cache_on_drives(const Scenario& scenario, const NodeShare& share,
                               const CacheHits& in_memory, Bytes memory, double epochs,
                               double pull_per_byte) {
  CacheReplay replay = replay_of(scenario, share, memory);
  if (memory.value <= 0) replay.policy = CachePolicy::none;
  const CacheHits either =
      found_in_either(scenario, share, in_memory, replay, epochs, pull_per_byte);
  const Writes writes(scenario.data.staging->eviction, Pinned(replay, share_on_drives(scenario)));
  CacheHits out;
  out.first = behind(in_memory.first, either.first);
  writes.add(out.first, 0, 1);
  if (epochs <= 1) {
    out.later = out.first;
    return out;
  }
  Stretches stretches = joined(later_of(in_memory, epochs), later_of(either, epochs));
  // What stays for good lies anywhere in a random order; slices differ by chance alone.
  const bool anywhere = scenario.data.staging->eviction == CacheEviction::pinned &&
                        replay.order != ReadOrder::sequential;
  for (HitStretch& stretch : stretches)
    if (anywhere && std::ranges::count(stretch.hits.slices, stretch.hits.slices.front()) ==
                        std::ssize(stretch.hits.slices))
      stretch.hits = stretch.hits.flattened();
  double from = 1;
  for (HitStretch& stretch : stretches) {
    writes.add(stretch.hits, from, stretch.epochs);
    from += stretch.epochs;
    out.later.mix_in(stretch.hits, stretch.epochs / (from - 1));
  }
  if (stretches.size() > 1) out.filling = std::move(stretches);
  return out;
}

}  // namespace gpufeed
