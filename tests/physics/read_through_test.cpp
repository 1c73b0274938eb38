// SPDX-License-Identifier: Apache-2.0
// Drives as a cache of a store: what epochs find there, against replays and sums written out here.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <list>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "sim/model/scenario.h"
#include "sim/plan/cache/read_through.h"
#include "sim/plan/make/make_plan.h"
#include "sim/plan/reading.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/edits.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kBytes = 400.0 * 4 * 32 * 1e6;
constexpr double kEpoch = 400 * 32e-3;        ///< of GPUs that never wait
constexpr double kRead = 1e10, kWrite = 1e9;  ///< of each of two drives

/// Four GPUs, samples of 1 MB, two drives, and a store of this rate.
Scenario machine(double array, int epochs = 4) {
  RandomMachine m = four_ample_gpus();
  m.rate[kArray] = array;
  m.sample_size = 1e6;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<RunsEpochs>().epochs = epochs;
  scenario.loader.cache = CacheRule::none;
  return scenario;
}

/// \param share  of the data that the cache has room for
Scenario cached(double array, double share, CacheEviction eviction, int epochs = 4) {
  Scenario scenario = machine(array, epochs);
  Staging staging;
  staging.from = part(scenario, "nas");
  staging.mode = StagingMode::read_through;
  staging.capacity = Bytes{share * kBytes};
  staging.eviction = eviction;
  scenario.data.staging = staging;
  return scenario;
}

Scenario from_store(double array, int epochs = 4) {
  Scenario scenario = machine(array, epochs);
  scenario.data.at = part(scenario, "nas");
  return scenario;
}

/// A cache of so many of the files: what of each epoch it holds when it is asked.
class Cache {
 public:
  Cache(CacheEviction eviction, std::size_t room) : eviction_(eviction), room_(room) {}
  bool has(int file) {
    const auto at = std::find(files_.begin(), files_.end(), file);
    if (at == files_.end()) {
      if (files_.size() == room_ && eviction_ == CacheEviction::pinned) return false;
      if (files_.size() == room_) files_.pop_front();
      files_.push_back(file);
      return false;
    }
    if (eviction_ == CacheEviction::lru) {
      files_.erase(at);
      files_.push_back(file);
    }
    return true;
  }

 private:
  CacheEviction eviction_;
  std::size_t room_;
  std::list<int> files_;  ///< what leaves first in front
};

/// Of each epoch the shares that memory (LRU) and the drives behind it give.
struct Shares {
  std::vector<double> memory, drives;
};
Shares replayed(CacheEviction eviction, double room, double memory, int epochs) {
  constexpr int kFiles = 2000;
  std::mt19937_64 random(11);
  std::vector<int> order(kFiles);
  std::iota(order.begin(), order.end(), 0);
  Cache front(CacheEviction::lru, static_cast<std::size_t>(memory * kFiles));
  Cache drives(eviction, static_cast<std::size_t>(room * kFiles));
  Shares out;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    double found = 0, behind = 0;
    for (const int file : order) {
      const bool hit = memory > 0 && front.has(file);
      found += hit;
      behind += !hit && drives.has(file);
    }
    out.memory.push_back(found / kFiles);
    out.drives.push_back(behind / kFiles);
  }
  return out;
}

double mean_of_later(const std::vector<double>& values) {
  return std::accumulate(values.begin() + 1, values.end(), 0.0) /
         static_cast<double>(values.size() - 1);
}

}  // namespace

TEST_CASE("epochs find on drives what a replay of their order finds there") {
  for (const auto eviction : {CacheEviction::lru, CacheEviction::fifo, CacheEviction::pinned})
    for (const double room : {0.25, 0.5, 0.9})
      for (const double memory : {0.0, 0.1, 0.3}) {
        CAPTURE(name_of(eviction));
        CAPTURE(room);
        CAPTURE(memory);
        Scenario scenario = cached(1e10, room, eviction, 6);
        if (memory > 0) {
          scenario.loader.cache = CacheRule::lru;
          // of whole pages: a sample of 1 MB takes 245
          scenario.loader.cache_memory = Bytes{memory * kBytes / 1e6 * 245 * 4096};
        }
        const Plan plan = make_plan(scenario);
        const Shares model = replayed(eviction, room, memory, 6);
        CHECK(plan.first_hits.mean_on_drives() == 0);
        // Both know a share to 0.5 / sqrt(5 epochs x 2000 files) = 0.005; four times that.
        CHECK(std::abs(plan.later_hits.mean() - mean_of_later(model.memory)) < 0.02);
        CHECK(std::abs(plan.later_hits.mean_on_drives() - mean_of_later(model.drives)) < 0.02);
      }
}

TEST_CASE("a cache that keeps what came first gives its share of the data, and writes it once") {
  for (const double room : {0.2, 0.6}) {
    const Plan plan = make_plan(cached(1e10, room, CacheEviction::pinned));
    CHECK(plan.later_hits.mean_on_drives() == approx(room).epsilon(1e-3));
    CHECK(plan.first_hits.mean_written() == approx(room).epsilon(1e-9));
    CHECK(plan.later_hits.mean_written() == 0);
    const Plan lru = make_plan(cached(1e10, room, CacheEviction::lru));
    CHECK(lru.later_hits.mean_on_drives() < 0.8 * room);
    CHECK(lru.first_hits.mean_written() == 1);
    CHECK(lru.later_hits.mean_written() == approx(1 - lru.later_hits.mean_on_drives()));
  }
}

TEST_CASE("what an epoch reads comes from memory, drives or store, and from one of them once") {
  for (const auto eviction : {CacheEviction::lru, CacheEviction::pinned}) {
    const Result result = simulate(cached(2e9, 0.4, eviction));
    REQUIRE(result.drive_cache);
    const DriveCacheUse& use = *result.drive_cache;
    CHECK(use.store_first_epoch_B == approx(kBytes));
    CHECK(use.store_later_epoch_B + use.hit_rate * kBytes == approx(kBytes));
    CHECK(result.cache.read_later_epoch_B == approx(kBytes));
    CHECK(use.store_share + use.hit_rate == approx(1));
    CHECK(use.share_of_data == approx(0.4));
  }
}

TEST_CASE("a cache of all data is what copying them in during the first epoch is") {
  for (const double array : {1e9, 1e11}) {
    Scenario staged = cached(array, 1, CacheEviction::lru);
    staged.data.staging->mode = StagingMode::first_epoch;
    const Result copied = simulate(staged);
    for (const auto eviction : {CacheEviction::lru, CacheEviction::pinned}) {
      const Result through = simulate(cached(array, 1, eviction));
      // Links are declared otherwise: drives' time is shared there. Sums round in another order.
      CHECK(through.first_epoch_s == approx(copied.first_epoch_s).epsilon(1e-6));
      CHECK(through.epoch_s == approx(copied.epoch_s).epsilon(1e-6));
      CHECK(through.time_to_result_s == approx(copied.time_to_result_s).epsilon(1e-6));
      CHECK(through.time_to_first_result_s == approx(copied.time_to_first_result_s).epsilon(1e-6));
    }
  }
}

TEST_CASE("a cache of next to nothing is reading from the store") {
  const Result store = simulate(from_store(1e9));
  const Result through = simulate(cached(1e9, 1e-4, CacheEviction::pinned));
  CHECK(through.time_to_result_s == approx(store.time_to_result_s).epsilon(0.002));
  CHECK(through.epoch_s == approx(kBytes / 1e9).epsilon(0.01));
  CHECK(through.drive_cache->store_share > 0.999);
}

TEST_CASE("an epoch takes what the store gives of it, beside the drives") {
  const Result result = simulate(cached(1e9, 0.6, CacheEviction::pinned));
  CHECK(result.first_epoch_s == approx(kBytes / 1e9).epsilon(0.01));
  CHECK(result.epoch_s == approx(0.4 * kBytes / 1e9).epsilon(0.02));
  CHECK(result.stages.front().stage == fact<LimiterCode::store>());
  // Of a store that gives all at once, GPUs are all that takes time.
  const Result ample = simulate(cached(1e11, 0.6, CacheEviction::pinned));
  CHECK(ample.epoch_s == approx(kEpoch).epsilon(0.02));
}

TEST_CASE("drives that are written while they are read share their time") {
  // Later epochs of LRU find h and write the rest, on two drives: h/R + (1 - h)/W of the time.
  const Scenario scenario = cached(1e12, 0.5, CacheEviction::lru, 3);
  const double h = make_plan(scenario).later_hits.mean_on_drives();
  REQUIRE(h > 0.05);
  const Result result = simulate(scenario);
  const double busy = kBytes / 2 * (h / kRead + (1 - h) / kWrite);
  REQUIRE(busy > 1.2 * kEpoch);
  // What is found lies at the begin of an epoch, where GPUs may be the slower ones.
  CHECK(result.epoch_s > busy * 0.99);
  CHECK(result.epoch_s < busy * 1.1);
}

TEST_CASE("more room never makes a cache slower that keeps what came first") {
  double before = simulate(from_store(1e9)).time_to_result_s;
  for (const double room : {0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
    CAPTURE(room);
    const double now = simulate(cached(1e9, room, CacheEviction::pinned)).time_to_result_s;
    CHECK(now < before * 1.002);
    before = now;
  }
}

TEST_CASE("nodes that share out each epoch find what they read in earlier ones, on their drives") {
  for (const int nodes : {2, 8}) {
    Scenario scenario = cached(1e10, 1, CacheEviction::lru, 12);
    scenario.nodes = nodes;
    const Plan plan = make_plan(scenario);
    CHECK(plan.first_hits.mean_on_drives() == 0);
    double sum = 0;
    for (int j = 2; j <= 12; ++j) sum += 1 - std::pow(1 - 1.0 / nodes, j - 1);
    CHECK(plan.later_hits.mean_on_drives() == approx(sum / 11).epsilon(1e-6));
    CHECK(plan.filling.front().hits.mean_on_drives() == approx(1.0 / nodes).epsilon(1e-6));
    double epochs = 0;
    for (const HitStretch& one : plan.filling) {
      epochs += one.epochs;
      CHECK(one.hits.mean_written() + one.hits.mean_on_drives() == approx(1));
    }
    CHECK(epochs == approx(11));
    // One that keeps what came first is written until it is full, and no more.
    Scenario pinned = cached(1e10, 0.3, CacheEviction::pinned, 12);
    pinned.nodes = nodes;
    const Plan kept = make_plan(pinned);
    const double written = kept.first_hits.mean_written() + 11 * kept.later_hits.mean_written();
    CHECK(written / nodes == approx(0.3).epsilon(1e-6));
  }
}

TEST_CASE("a small read anywhere in a file brings the blocks that it touches") {
  Scenario scenario = cached(1e10, 1, CacheEviction::lru);
  edit(scenario.workload.dataset(), [](Dataset& dataset) {
    dataset.format = StoredAs::indexed;
    dataset.sample_size = Bytes{4096};
    dataset.samples_per_file = 51200;
  });
  scenario.loader.order = SampleOrder::permutation;
  scenario.data.mapped = false;
  Reading near;
  near.read_per_byte = 2;  // by calls: the pages that it lies on
  scenario.data.staging->block = Bytes{4194304};
  CHECK(pulled_per_byte(scenario, near) == approx((8192 + 4194304) / 4096.0));
  scenario.data.staging->block = Bytes{65536};
  CHECK(pulled_per_byte(scenario, near) == approx((8192 + 65536) / 4096.0));
  scenario.data.staging->block = {};
  CHECK(pulled_per_byte(scenario, near) == approx(51200));  // the file
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.format = {}; });
  CHECK(pulled_per_byte(scenario, near) == 1);
}
