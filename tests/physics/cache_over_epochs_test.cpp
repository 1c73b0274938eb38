// SPDX-License-Identifier: Apache-2.0
// Nodes that each read another part of the data in every epoch keep what they read: later epochs
// find more and more in the page cache, and are faster.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <numeric>
#include <random>
#include <vector>

#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "sim/range/outlook.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kWholePages = 25 * 4096;  // whole pages
constexpr double kGpuRate = 50;  // samples/s: 64 nodes exchange nothing within 1 ms of 640

/// Of epoch j, from 1: what a node has read before it, where each takes another 1/n of all.
double found_in(int epoch, double nodes) { return 1 - std::pow(1 - 1 / nodes, epoch - 1); }

/// Nodes of one GPU that read a store. \param slow  what reading all takes over training all
Scenario on_nodes(int nodes, int epochs, double slow, int steps_per_epoch = 2000) {
  RandomMachine m = ample_machine();
  m.store = true;
  m.rate[kCompute] = kGpuRate;
  m.sample_size = kWholePages;
  m.steps = std::int64_t{steps_per_epoch} * nodes;
  m.rate[kArray] = nodes * kGpuRate * kWholePages / slow;
  Scenario scenario = scenario_of(m);
  scenario.nodes = nodes;
  scenario.run.precision = {0.005};
  scenario.workload.get<RunsEpochs>().epochs = epochs;
  scenario.loader.cache = CacheRule::lru;
  scenario.loader.cache_memory = Bytes{2 * kWholePages * static_cast<double>(m.steps) * kBatch};
  return scenario;
}

/// Of each epoch from the first, the share of its reads that LRU caches of nodes find which hold
/// `room` of the files: each takes the next part of one random order.
std::vector<double> replayed(int nodes, int files, double room, int epochs) {
  std::mt19937_64 random(7);
  std::vector<int> order(static_cast<std::size_t>(files));
  std::iota(order.begin(), order.end(), 0);
  using Files = std::list<int>;  // the least recently used first
  std::vector<Files> cached(static_cast<std::size_t>(nodes));
  std::vector<std::vector<Files::iterator>> place;
  for (Files& node : cached) place.emplace_back(order.size(), node.end());
  std::vector<double> found;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    double hits = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      Files& node = cached[i * cached.size() / order.size()];
      auto& places = place[i * cached.size() / order.size()];
      auto& at = places[static_cast<std::size_t>(order[i])];
      if (at != node.end()) {
        ++hits;
        node.erase(at);
      }
      at = node.insert(node.end(), order[i]);
      if (static_cast<double>(node.size()) <= room * files) continue;
      places[static_cast<std::size_t>(node.front())] = node.end();
      node.pop_front();
    }
    found.push_back(hits / files);
  }
  return found;
}

double mean_of_later(const std::vector<double>& values) {
  return std::accumulate(values.begin() + 1, values.end(), 0.0) /
         static_cast<double>(values.size() - 1);
}

}  // namespace

TEST_CASE("a node finds what it has read in earlier epochs: 1 - (1 - 1/n)^(j-1)") {
  for (const int nodes : {1, 2, 8, 64})
    for (const int epochs : {2, 20, 90, 500}) {
      CAPTURE(nodes);
      CAPTURE(epochs);
      std::vector<double> found;
      for (int j = 1; j <= epochs; ++j) found.push_back(found_in(j, nodes));
      const Plan plan = make_plan(on_nodes(nodes, epochs, 2));
      CHECK(plan.first_hits.mean() == 0);
      CHECK(plan.hit_rate() == approx(mean_of_later(found)).epsilon(1e-9));
      const bool alike = nodes == 1 || epochs == 2;
      REQUIRE(plan.filling.empty() == alike);
      if (alike) continue;
      CHECK(plan.filling.front().hits.mean() == approx(found[1]).epsilon(1e-9));
      CHECK(plan.filling.back().hits.mean() == approx(found.back()).epsilon(1e-9));
      double all = 0;
      for (const HitStretch& stretch : plan.filling) all += stretch.epochs;
      CHECK(all == approx(epochs - 1).epsilon(1e-9));
    }
}

TEST_CASE("ranks that shuffle each for itself find what any of their node has read") {
  for (const int epochs : {20, 90}) {
    Scenario scenario = on_nodes(1, epochs, 2);
    edit(scenario.system, [](System& system) {
      for (int g = 1; g < 8; ++g) {
        system.gpus.push_back(system.gpus.front());
        system.gpus.back().id = Label("gpu" + std::to_string(g));
      }
    });
    scenario.loader.common_seed = false;
    // A file is left out by each of eight ranks in each epoch; in one it is found if a rank that
    // read it is further: the mean over the epoch is as in an epoch of which 1/8 is read eight
    // times.
    double sum = 0;
    const double left = std::pow(7 / 8.0, 8);
    for (int j = 2; j <= epochs; ++j) sum += 1 - std::pow(left, j - 1) * (1 - left);
    CHECK(make_plan(scenario).hit_rate() == approx(sum / (epochs - 1)).epsilon(1e-6));
  }
}

// A mean of the replay here is one over 64 caches; ours, of one, over four seeds: 4 x 90 epochs of
// 128 reads know a half to 0.5 / sqrt(46,000) = 0.0023, if all were independent; 0.01 is four
// times.
TEST_CASE("of a cache too small for all, every epoch finds what a replay finds") {
  for (const int nodes : {2, 8, 64})
    for (const double room : {0.2, 0.5, 0.8})
      for (const int epochs : {20, 90}) {
        CAPTURE(nodes);
        CAPTURE(room);
        CAPTURE(epochs);
        constexpr int kFiles = 8192;
        Scenario scenario = on_nodes(nodes, epochs, 2, kFiles / 32 / nodes);
        scenario.loader.cache_memory = Bytes{room * kFiles * kWholePages};
        double found = 0, last = 0;
        constexpr int kSeeds = 4;
        for (scenario.run.seed = 1; scenario.run.seed <= kSeeds; ++scenario.run.seed) {
          const Plan plan = make_plan(scenario);
          found += plan.hit_rate() / kSeeds;
          last +=
              (plan.filling.empty() ? plan.later_hits : plan.filling.back().hits).mean() / kSeeds;
        }
        const auto expected = replayed(nodes, kFiles, room, epochs);
        CHECK(std::abs(found - mean_of_later(expected)) < 0.01);
        CHECK(std::abs(last - expected.back()) < 0.03);
      }
}

TEST_CASE("time is the sum over epochs of what reading and training take, whichever is longer") {
  for (const int nodes : {1, 2, 8, 64})
    for (const int epochs : {20, 90, 500})
      for (const double slow : {20.0, 2.0, 0.5}) {
        CAPTURE(nodes);
        CAPTURE(epochs);
        CAPTURE(slow);
        const Scenario scenario = on_nodes(nodes, epochs, slow);
        const double train = 2000 * kBatch / kGpuRate;
        double later = 0, read = 0;
        for (int j = 2; j <= epochs; ++j) {
          later += train * std::max(1.0, slow * (1 - found_in(j, nodes)));
          read += 2000 * nodes * kBatch * kWholePages * (1 - found_in(j, nodes)) / (epochs - 1);
        }
        const double first = train * std::max(1.0, slow);
        const Result result = simulate(scenario);
        CHECK(result.first_epoch_s == approx(first).epsilon(0.01));
        CHECK(result.time_to_result_s == approx(first + later).epsilon(0.01));
        CHECK(result.epoch_s == approx(later / (epochs - 1)).epsilon(0.01));
        CHECK(result.cache.read_later_epoch_B == approx(read).epsilon(1e-6));
        const double busy = train * (epochs - 1) / later;
        CHECK(result.accelerator_utilization == approx(busy).epsilon(0.01));
        CHECK(result.throughput_samples_per_s == approx(busy * nodes * kGpuRate).epsilon(0.01));
        CHECK(result.bound.samples_per_s == approx(busy * nodes * kGpuRate).epsilon(0.002));
        CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + 1e-9));
        check_spent_once(result);
        check_loads(result, 1e-9);
      }
}

TEST_CASE("how far a store leaves the time open, early epochs tell that read most") {
  // In the mean of 90 epochs half is found, and the GPUs are what is slow; in the first they wait.
  const Scenario now = on_nodes(64, 90, 1.5);
  Scenario faster = now;
  edit(faster.store["nas"].model,
       [](Array& array) { array.read_bandwidth = array.read_bandwidth * 1.2; });
  const auto time = [](const Scenario& scenario) {
    return sample_time(outlook_of(scenario, make_plan(scenario)));
  };
  const auto simulated = [](const Scenario& scenario) { return simulate(scenario).epoch_s; };
  const double gain = simulated(now) / simulated(faster);
  REQUIRE(gain > 1.03);
  CHECK(time(now) / time(faster) == approx(gain).epsilon(0.02));
}

TEST_CASE("what epochs find counts the same in whatever order they come") {
  const Scenario scenario = on_nodes(64, 90, 1.5);
  Plan plan = make_plan(scenario);
  REQUIRE(plan.filling.size() > 3);
  const double filling = sample_time(outlook_of(scenario, plan));
  std::ranges::reverse(plan.filling);
  CHECK(sample_time(outlook_of(scenario, plan)) == approx(filling).epsilon(1e-9));
  std::rotate(plan.filling.begin(), plan.filling.begin() + 2, plan.filling.end());
  CHECK(sample_time(outlook_of(scenario, plan)) == approx(filling).epsilon(1e-9));
}

namespace {

/// Nodes with 1, 4 and 2 GPUs, each with drives of its own; reading all takes `slow` times as long
/// as training all, on one node alone.
Scenario on_unlike_nodes(int epochs, double slow) {
  RandomMachine m = ample_machine();
  m.gpus = 4;
  m.rate[kCompute] = kGpuRate;
  m.sample_size = kWholePages;
  m.steps = 2000 * 7;  // of four GPUs
  m.rate[kDrive] = 7 * kGpuRate * kWholePages / slow;
  Scenario scenario = scenario_of(m);
  scenario.nodes = 3;
  scenario.run.precision = {0.005};
  auto& training = scenario.workload.get<kind::Training>();
  training.placement = {1, 4, 2};
  training.epochs = epochs;
  scenario.loader.cache = CacheRule::lru;
  scenario.loader.cache_memory = Bytes{8 * kWholePages * static_cast<double>(m.steps) * kBatch};
  return scenario;
}

}  // namespace

TEST_CASE("nodes with more GPUs read more of the data, and find more of it again") {
  for (const int epochs : {2, 3, 8}) {
    CAPTURE(epochs);
    const Plan plan = make_plan(on_unlike_nodes(epochs, 0.5));
    std::vector<double> shares{1.0 / 7, 2.0 / 7, 4.0 / 7};  // as HitCurve::unlike has them
    double found = 0;
    for (int epoch = 2; epoch <= epochs; ++epoch)
      for (const double share : shares)
        found += share * (1 - std::pow(1 - share, epoch - 1)) / (epochs - 1);
    CHECK(plan.later_hits.mean() == doctest::Approx(found).epsilon(0.001));
    double stretches = 0;
    for (const HitStretch& stretch : plan.filling)
      stretches += stretch.hits.mean() * stretch.epochs;
    if (epochs > 2) CHECK(stretches == doctest::Approx(found * (epochs - 1)).epsilon(0.001));
    for (const GpuPlan& gpu : plan.gpus) {
      const double share = (gpu.node == 0 ? 1.0 : gpu.node == 1 ? 4.0 : 2.0) / 7;
      double of_node = 0;
      for (int epoch = 2; epoch <= epochs; ++epoch)
        of_node += (1 - std::pow(1 - share, epoch - 1)) / (epochs - 1);
      CHECK(plan.hit_rate(gpu) == doctest::Approx(of_node).epsilon(0.001));
    }
  }
}

TEST_CASE("the node that lacks most in its page cache sets the pace of an epoch") {
  // In the second epoch it is that with four GPUs, in the third that with two.
  constexpr double kSlow = 20;
  for (const int epochs : {2, 3}) {
    CAPTURE(epochs);
    const Scenario scenario = on_unlike_nodes(epochs, kSlow);
    const double all = 4 * 2000.0 / kGpuRate * kBatch;  // what training all takes
    double expected = 0;
    for (int epoch = 1; epoch <= epochs; ++epoch) {
      double slowest = 1;
      for (const double share : {1.0 / 7, 2.0 / 7, 4.0 / 7})
        slowest = std::max(slowest, kSlow * share * std::pow(1 - share, epoch - 1));
      expected += slowest * all;
    }
    const Result result = simulate(scenario);
    CHECK(result.time_to_result_s == doctest::Approx(expected).epsilon(0.02));
  }
}
