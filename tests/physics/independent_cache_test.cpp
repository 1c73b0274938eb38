// SPDX-License-Identifier: Apache-2.0
// Hit rates of an LRU cache against a replay of a dozen lines, which shares nothing with ours.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <numeric>
#include <random>
#include <vector>

#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "tests/support/edits.h"
#include "tests/support/kinds.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr int kSamples = 8192;
constexpr int kEpochs = 10;
constexpr int kSeeds = 8;

/// All samples: shards of `shard` in random order, each from its first to its last.
std::vector<int> random_order(int shard, std::mt19937_64& random) {
  std::vector<int> shards(kSamples / static_cast<std::size_t>(shard));
  std::iota(shards.begin(), shards.end(), 0);
  std::shuffle(shards.begin(), shards.end(), random);
  std::vector<int> order;
  for (const int first : shards)
    for (int i = 0; i < shard; ++i) order.push_back(first * shard + i);
  return order;
}

/// The share of reads that a cache of `room` samples holds, after the first epoch, where `readers`
/// go through all of them in orders of their own, side by side.
double lru_hit_rate(std::size_t room, int readers, int shard, std::mt19937_64& random) {
  std::list<int> cached;  // the least recently used first
  std::vector<std::list<int>::iterator> place(kSamples, cached.end());
  double hits = 0, reads = 0;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    std::vector<std::vector<int>> orders;
    for (int r = 0; r < readers; ++r) orders.push_back(random_order(shard, random));
    for (std::size_t i = 0; i < kSamples; ++i)
      for (const auto& order : orders) {
        auto& at = place[static_cast<std::size_t>(order[i])];
        const bool hit = at != cached.end();
        if (epoch > 0) ++reads;
        if (epoch > 0 && hit) ++hits;
        if (hit) cached.erase(at);
        at = cached.insert(cached.end(), order[i]);
        if (cached.size() <= room) continue;
        place[static_cast<std::size_t>(cached.front())] = cached.end();
        cached.pop_front();
      }
  }
  return hits / reads;
}

/// The same by the simulator: a job for each reader.
Scenario cached(double share, int readers, int shard) {
  RandomMachine m = ample_machine();
  m.gpus = readers;
  m.batch = 32;
  m.steps = kSamples / 32;
  Scenario scenario = scenario_of(m);
  edit(scenario.workload.dataset(), [&](Dataset& dataset) {
    dataset.samples = kSamples;
    dataset.samples_per_file = shard;
  });
  become<kind::Loader>(scenario.workload);
  scenario.workload.get<RunsEpochs>().epochs = kEpochs;
  scenario.loader.jobs = readers;
  scenario.loader.cache = CacheRule::lru;
  scenario.loader.order = shard > 1 ? SampleOrder::shards : SampleOrder::permutation;
  // A file of its own takes whole pages.
  const double held = shard > 1 ? m.sample_size : std::ceil(m.sample_size / 4096) * 4096;
  scenario.loader.cache_memory = Bytes{share * kSamples * held};
  return scenario;
}

}  // namespace

// Of n independent reads the hits are known to 0.5 / sqrt(n). Those of one shard hit or miss
// together: n is 8 seeds x 9 epochs x 8192 samples / 8 of a shard, so either mean is known to
// 0.002, and their difference to 0.003; 0.01 is three times that.
TEST_CASE("an LRU cache hits what a replay hits, whatever the share, the readers and the shards") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.1, 0.95);
  for (const int readers : {1, 2, 4})
    for (const int shard : {1, 8})
      for (int draw = 0; draw < 3; ++draw) {
        const double share = uniform(random);
        CAPTURE(readers);
        CAPTURE(shard);
        CAPTURE(share);
        double expected = 0, found = 0;
        Scenario scenario = cached(share, readers, shard);
        for (int seed = 1; seed <= kSeeds; ++seed) {
          const auto room = static_cast<std::size_t>(share * kSamples);
          expected += lru_hit_rate(room, readers, shard, random) / kSeeds;
          scenario.run.seed = seed;
          found += make_plan(scenario).hit_rate() / kSeeds;
        }
        CHECK(std::abs(found - expected) < 0.01);
        CHECK(found < share - 0.01);  // a cache that keeps what it has would hit its share
      }
}
