// SPDX-License-Identifier: Apache-2.0
// Loaders against a closed network of two queues, which shares nothing with the simulator.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"
#include "tests/support/edits.h"
#include "tests/support/kinds.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// Batches a second that `workers` bring round between a drive, which all who read share equally,
/// and cores, where the others hold one each or wait in line. How many read is a birth-death
/// process, exact for exponential times of the cores; of the drive only the mean matters, and where
/// every worker has a core of its own, of the cores as well (Baskett, Chandy, Muntz, Palacios,
/// 1975).
double round_trips_per_s(int workers, int cores, double read_s, double decode_s) {
  double chance = 1, all = 1;  // that nobody reads: chances are relative to it
  for (int reading = 0; reading < workers; ++reading) {
    chance *= std::min(workers - reading, cores) / decode_s * read_s;
    all += chance;
  }
  return (1 - 1 / all) / read_s;
}

constexpr double kRead = 0.1;  ///< seconds of a batch, one sample of 32 MB, alone

/// The mean of several seeds.
double measured(RandomMachine m) {
  m.batch = 1;
  m.sample_size = 32e6;
  m.rate[kDrive] = 32e6 / kRead;
  m.prefetch = 2000;  // so many that no worker is ever too far ahead of the others
  m.steps = 6000;
  Scenario scenario = scenario_of(m);
  become<kind::Loader>(scenario.workload);
  scenario.data.mode = ReadMode::direct;
  scenario.run.extrapolate = false;
  edit_drives(scenario, [](Drive& drive) { drive.read_latency = {}; });
  return rate_of(scenario);
}

}  // namespace

// 6000 round trips of times that vary by at most their mean are known to 1/sqrt(6000) = 1.3 %, or
// better where one station is always busy: 4 % is three times that. The mean error over
// N machines is known to 1.3 % / sqrt(N).
TEST_CASE("workers that share a drive and few cores: a closed network of two queues") {
  double mean_error = 0;
  int both_matter = 0;
  constexpr int kMachines = draws(60);
  for (std::uint64_t seed = 1; seed <= kMachines; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    RandomMachine m = ample_machine();
    m.workers = random.integer(1, 12);
    m.cores = random.integer(1, 12);
    m.jitter = m.cores >= m.workers ? random.uniform(0.3, 1) : 1;
    const double decode = kRead * log_uniform(random, 0.2, 10);
    m.rate[kDecode] = 1 / decode;
    const auto workers = static_cast<int>(m.workers), cores = static_cast<int>(m.cores);
    const double expected = round_trips_per_s(workers, cores, kRead, decode);
    const double found = measured(m);
    CHECK(found == about(expected, 0.04));
    mean_error += (found / expected - 1) / kMachines;
    const double narrowest =
        std::min({1 / kRead, std::min(workers, cores) / decode, workers / (kRead + decode)});
    if (expected < 0.95 * narrowest) ++both_matter;
  }
  MESSAGE("mean error " << mean_error << "; queues slow " << both_matter);
  CHECK(std::abs(mean_error) < 0.005 * std::sqrt(60.0 / kMachines));
  CHECK(both_matter >= draws(15));
}
