// SPDX-License-Identifier: Apache-2.0
// The rate follows what the page cache holds through an epoch.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <list>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/numbers/statistics.h"
#include "sim/model/scenario.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/kinds.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr int kOfBatch = 32;
constexpr double kRate = 1e4;  // samples/s that the GPU trains
constexpr double kSample = 25 * 4096;
constexpr double kCached = 0.8;
/// What of the samples one reader misses in the mean under LRU.
const double kMissed = (1 - kCached) * (1 - std::log(1 - kCached));

/// Samples per second of the epochs after the first: an LRU cache, a drive that reads one batch
/// after the other, at most `stock` ahead of the GPU, and a GPU; nothing of ours.
double replayed_rate(int samples, double drive, int stock, int epochs) {
  std::mt19937_64 random(1);
  std::vector<int> order(static_cast<std::size_t>(samples));
  std::iota(order.begin(), order.end(), 0);
  std::list<int> cached;  // the least recently used first
  std::vector<std::list<int>::iterator> place(order.size(), cached.end());
  double trained = 0, first = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    double read = trained;
    std::vector<double> taken;
    for (int b = 0; b < samples / kOfBatch; ++b) {
      int missed = 0;
      for (int i = b * kOfBatch; i < (b + 1) * kOfBatch; ++i) {
        const int sample = order[static_cast<std::size_t>(i)];
        auto& at = place[static_cast<std::size_t>(sample)];
        if (at == cached.end())
          ++missed;
        else
          cached.erase(at);
        at = cached.insert(cached.end(), sample);
        if (static_cast<double>(cached.size()) <= kCached * samples) continue;
        place[static_cast<std::size_t>(cached.front())] = cached.end();
        cached.pop_front();
      }
      if (b >= stock) read = std::max(read, taken[static_cast<std::size_t>(b - stock)]);
      read += missed * kSample / drive;
      taken.push_back(std::max(read, trained));
      trained = taken.back() + kOfBatch / kRate;
    }
    if (epoch == 0) first = trained;
  }
  const int whole = samples / kOfBatch * kOfBatch;
  return (epochs - 1.0) * whole / (trained - first);
}

/// The same by the simulator.
Scenario cached(std::int64_t samples, double drive, std::int64_t epochs) {
  RandomMachine m = ample_machine();
  m.batch = kOfBatch;
  m.workers = 8;
  m.prefetch = 2;
  m.steps = samples / kOfBatch;
  m.rate[kCompute] = kRate;
  m.rate[kDecode] = 1e7;
  m.rate[kDrive] = drive;
  m.sample_size = kSample;
  Scenario scenario = scenario_of(m);
  edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.samples = samples; });
  scenario.workload.get<RunsEpochs>().epochs = epochs;
  scenario.loader.cache = CacheRule::lru;
  scenario.loader.cache_memory = Bytes{kCached * kSample * static_cast<double>(samples)};
  return scenario;
}

}  // namespace

// A drive that keeps up with the mean of what is missed does not keep up at the end of an epoch,
// where all is missed: spread evenly, the hits of all but the slowest drive here would give more
// (at 1.0 of the mean as much as the GPU trains, 22 % above the replay).
TEST_CASE("a drive that keeps up on average lags behind at an epoch's end") {
  constexpr int kSamples = 20'000;
  for (const double part : {0.7, 0.9, 1.0, 1.02, 1.1, 1.3}) {
    CAPTURE(part);
    const double drive = part * kRate * kMissed * kSample;
    const Result result = simulate(cached(kSamples, drive, 8));
    constexpr int kWhole = kSamples / kOfBatch * kOfBatch;
    const double later = kWhole / result.epoch_s;
    const double replayed = replayed_rate(kSamples, drive, 16, 8);
    CHECK(later == approx(replayed).epsilon(0.02));
    CHECK(replayed < 0.95 * std::min(kRate, drive / (kMissed * kSample)));
  }
}

// 1.2 million samples are 37,500 steps: by the integral of max(1 / GPU, missed / drive) over the
// epoch, since what loaders are ahead hardly counts.
TEST_CASE("a long epoch takes the sum of its parts, and shorter ones tell it") {
  constexpr int kSamples = 1'200'000;
  for (const double part : {0.7, 1.0, 1.3}) {
    CAPTURE(part);
    const double drive = part * kRate * kMissed * kSample;
    double sum = 0;
    constexpr int kParts = 10'000;
    for (int i = 0; i < kParts; ++i) {
      const double x = (i + 0.5) / kParts;
      const double missed = x < kCached ? (1 - kCached) / (1 - x) : 1;
      sum += std::max(1 / kRate, missed * kSample / drive) / kParts;
    }
    Scenario scenario = cached(kSamples, drive, 3);
    scenario.run.precision = {0.005};
    const Result result = simulate(scenario);
    CHECK(kSamples / result.epoch_s == approx(1 / sum).epsilon(0.015));
    CHECK(3 * result.simulated.steps <
          result.simulated.steps + result.simulated.extrapolated_steps);
  }
}

TEST_CASE("what shorter epochs tell of a curve is what a full run takes") {
  constexpr int kSamples = 128'000;
  const double drive = kRate * kMissed * kSample;
  Scenario scenario = cached(kSamples, drive, 3);
  scenario.run.precision = {0.005};
  const Result result = simulate(scenario);
  scenario.run.extrapolate = false;
  const Result full = simulate(scenario);
  REQUIRE(result.simulated.steps < full.simulated.steps);
  CHECK(result.epoch_s == approx(full.epoch_s).epsilon(0.01));
  CHECK(result.time_to_result_s == approx(full.time_to_result_s).epsilon(0.01));
}

TEST_CASE("whatever the length of epochs with a curve, no more is simulated than there is") {
  for (const std::int64_t samples : {20'000, 57'500, 60'000, 128'000, 200'000}) {
    for (const std::int64_t epochs : {2, 3, 5}) {
      Scenario scenario = cached(samples, kRate * kMissed * kSample, epochs);
      scenario.run.seed = samples % 97 + epochs;
      CAPTURE(samples);
      CAPTURE(epochs);
      const Result result = simulate(scenario);
      CHECK(result.simulated.extrapolated_steps >= 0);
      CHECK(result.simulated.steps + result.simulated.extrapolated_steps ==
            samples / kOfBatch * epochs);
      scenario.run.extrapolate = false;
      scenario.run.seed += 1000;
      const Result full = simulate(scenario);
      CHECK(full.simulated.extrapolated_steps == 0);
      CHECK(result.throughput_samples_per_s == approx(full.throughput_samples_per_s).epsilon(0.01));
    }
  }
}

namespace {

struct Cell {
  double cached_share = 0;
  double taken_per_s = 0;
  int ahead = 0;
  auto operator<=>(const Cell&) const = default;
};

/// Seconds of each epoch after the first; those of first ones, which find nothing.
struct Measured {
  std::map<Cell, std::vector<double>> later;
  std::vector<double> first;
};

Measured measured() {
  Measured all;
  std::ifstream in(GPUFEED_SOURCE_DIR "/tests/physics/page_cache_rates_linux_6.18.csv");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#') || line.starts_with("files")) continue;
    std::ranges::replace(line, ',', ' ');
    std::istringstream row(line);
    std::string order;
    Cell cell;
    double files = 0, readers = 0, jobs = 0, seed = 0, job = 0, fetched = 0, seconds = 0;
    int epoch = 0;
    row >> files >> cell.cached_share >> order >> readers >> jobs >> seed >> cell.taken_per_s >>
        cell.ahead >> job >> epoch >> fetched >> seconds;
    REQUIRE(row);
    (epoch == 0 ? all.first : all.later[cell]).push_back(seconds);
  }
  return all;
}

}  // namespace

// The drive is as fast as the first epochs found it; what hits take of a core hardly counts.
TEST_CASE("eight readers and what takes their files are as fast as they were measured") {
  constexpr std::int64_t kFiles = 16384;
  constexpr double kFile = 131072;
  const Measured all = measured();
  REQUIRE(all.later.size() == 5);
  for (const auto& entry : all.later) {
    const Cell& cell = entry.first;
    CAPTURE(cell.cached_share);
    CAPTURE(cell.taken_per_s);
    RandomMachine m = ample_machine();
    m.batch = 1;
    m.workers = 8;
    m.prefetch = cell.ahead / 8;
    m.steps = kFiles;
    m.rate[kDecode] = 1e7;
    m.rate[kDrive] = kFiles * kFile / median(all.first);
    m.rate[kCompute] = cell.taken_per_s;
    m.sample_size = kFile;
    m.input_size = 1e3;
    Scenario scenario = scenario_of(m);
    edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.samples = kFiles; });
    if (cell.taken_per_s == 0) become<kind::Loader>(scenario.workload);
    scenario.workload.get<RunsEpochs>().epochs = 6;
    scenario.loader.cache_limit = CacheLimit::cgroup;
    scenario.loader.cache_memory = Bytes{cell.cached_share * kFiles * kFile};
    const double predicted = kFiles / simulate(scenario).epoch_s;
    const double found = kFiles / (std::accumulate(entry.second.begin(), entry.second.end(), 0.0) /
                                   static_cast<double>(entry.second.size()));
    MESSAGE(cell.cached_share << " of the set cached, " << cell.taken_per_s << " taken a second: "
                              << predicted << " files/s predicted, " << found << " measured");
    CHECK(predicted == approx(found).epsilon(0.08));
  }
}
