// SPDX-License-Identifier: Apache-2.0
// Few workers that share a drive, against a model that follows every sample: each worker waits,
// reads and decodes one sample after the other, and batches are taken in order. It shares no code.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sim/model/scenario.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kDriveRate = 2e9;  ///< bytes per second
constexpr double kLatency = 1e-4;
constexpr double kSpread = 0.2;  ///< of decoding a sample
constexpr int kBatches = 4000;

struct FewWorkers {
  int workers = 2, batch = 4;
  double sample = 1e6, decode = 1e-3, compute = 1e-3;  ///< bytes; seconds, the last of a batch
  int stock() const { return 2 * workers; }
};

/// Samples per second of one GPU, sample by sample.
double followed(const FewWorkers& job, unsigned seed) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  enum class Doing { nothing, waiting, reading, decoding };
  struct Worker {
    Doing doing = Doing::nothing;
    double until = kNever, left = 0;  ///< an instant; bytes
    int batch = 0, done = 0;          ///< samples of it
  };
  std::mt19937 random(seed);
  std::normal_distribution<double> spread(1, kSpread);
  std::vector<Worker> workers(static_cast<std::size_t>(job.workers));
  for (int w = 0; w < job.workers; ++w) workers[static_cast<std::size_t>(w)].batch = w;
  std::vector<bool> made(kBatches + 100);
  double now = 0, gpu = kNever, half = 0;
  for (int taken = 0;;) {
    for (Worker& worker : workers)
      if (worker.doing == Doing::nothing && worker.batch < taken + job.stock())
        worker = {Doing::waiting, now + kLatency, job.sample, worker.batch, 0};
    if (gpu == kNever && made[static_cast<std::size_t>(taken)]) {
      gpu = now + job.compute;
      if (++taken == kBatches / 2) half = now;
      if (taken == kBatches) return job.batch * 0.5 * kBatches / (now - half);
      continue;
    }
    const auto reading = std::ranges::count(workers, Doing::reading, &Worker::doing);
    const double share = kDriveRate / static_cast<double>(std::max<std::ptrdiff_t>(reading, 1));
    double next = gpu;
    for (const Worker& worker : workers)
      next =
          std::min(next, worker.doing == Doing::reading ? now + worker.left / share : worker.until);
    for (Worker& worker : workers)
      if (worker.doing == Doing::reading) worker.left -= (next - now) * share;
    now = next;
    if (gpu <= now) gpu = kNever;
    for (Worker& worker : workers) {
      if (worker.doing == Doing::waiting && worker.until <= now) {
        worker.doing = Doing::reading;
        worker.until = kNever;
      } else if (worker.doing == Doing::reading && worker.left < 1e-3) {
        worker.doing = Doing::decoding;
        worker.until = now + job.decode * std::max(0.0, spread(random));
      } else if (worker.doing == Doing::decoding && worker.until <= now) {
        worker.doing = Doing::waiting;
        worker.until = now + kLatency;
        worker.left = job.sample;
        if (++worker.done < job.batch) continue;
        made[static_cast<std::size_t>(worker.batch)] = true;
        worker = {.batch = worker.batch + job.workers};
      }
    }
  }
}

Scenario same_job(const FewWorkers& job) {
  RandomMachine m = ample_machine();
  m.rate[kDrive] = kDriveRate;
  m.batch = job.batch;
  m.workers = job.workers;
  m.prefetch = 2;
  m.sample_size = job.sample;
  m.rate[kDecode] = 1 / job.decode;
  m.rate[kCompute] = job.batch / job.compute;
  m.steps = kBatches;
  m.jitter = 0;
  Scenario scenario = scenario_of(m);
  scenario.data.mode = ReadMode::direct;
  scenario.loader.sample_jitter = Ratio{kSpread};
  return scenario;
}

FewWorkers random_job(std::uint64_t seed) {
  Random random(seed + 77);
  FewWorkers job;
  job.workers = static_cast<int>(random.integer(2, 4));
  job.batch = static_cast<int>(random.integer(2, 8));
  job.sample = log_uniform(random, 3e5, 1e7);
  job.decode = job.sample / kDriveRate * log_uniform(random, 0.3, 5);
  job.compute = job.batch * job.sample / kDriveRate * log_uniform(random, 0.3, 2);
  return job;
}

}  // namespace

TEST_CASE("few workers are as fast as a model that follows every sample") {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= costly_draws(40u); ++seed) {
    CAPTURE(seed);
    const FewWorkers job = random_job(seed);
    const double expected = (followed(job, 1) + followed(job, 2)) / 2;
    const double found = rate_of(same_job(job));
    CHECK(found == approx(expected).epsilon(0.02));
    worst = std::max(worst, std::abs(found / expected - 1));
  }
  MESSAGE("off by " << worst * 100 << " % at most");
}
