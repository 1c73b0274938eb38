// SPDX-License-Identifier: Apache-2.0
// What the page cache costs cores: copying out of it, filling it, throwing pages out.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "tests/support/edits.h"
#include "tests/support/exact_times.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kSample = 1e5;

/// One worker that feeds a GPU which takes no time; nothing is decoded.
Scenario one_reader(double memory) {
  RandomMachine m = exact();
  m.prefetch = 2;
  m.cores = 4;
  m.input_size = 1e3;
  m.rate[kCompute] = 1e7;
  m.rate[kMemory] = memory;
  Scenario scenario = scenario_of(m);
  scenario.loader.decode = DecodeOn::none;
  return scenario;
}

double sample_time(const Scenario& scenario) { return 1 / rate_of(scenario); }

}  // namespace

TEST_CASE("a core copies cached samples as fast as the slower of itself and the memory") {
  for (const double core : {5e8, 2e9, 8e9})
    for (const double memory : {3e9, 3e10}) {
      Scenario scenario = one_reader(memory);
      scenario.workload.get<RunsEpochs>().epochs = 5;
      scenario.loader.cache_memory = Bytes{1e12};
      edit_cpus(scenario, [&](Cpu& cpu) { cpu.core_copy_bandwidth = Bandwidth{core}; });
      CAPTURE(core);
      CAPTURE(memory);
      CHECK(sample_time(scenario) ==
            approx(std::max(kSample / core, 3 * kSample / memory)).epsilon(0.03));
    }
}

TEST_CASE("a reader fills the page cache, and in a full one throws pages out") {
  constexpr double kFill = 1e9;
  constexpr double kEvict = 5e8;
  Scenario scenario = one_reader(1e11);
  scenario.loader.cache_limit = CacheLimit::cgroup;
  scenario.loader.cache = CacheRule::none;  // every sample is missed
  const double read = sample_time(scenario);
  edit_cpus(scenario, [](Cpu& cpu) { cpu.cache_fill_bandwidth = Bandwidth{kFill}; });
  CHECK(sample_time(scenario) - read == approx(kSample / kFill).epsilon(0.02));
  edit_cpus(scenario, [](Cpu& cpu) { cpu.cache_evict_bandwidth = Bandwidth{kEvict}; });
  CHECK(sample_time(scenario) - read == approx(kSample / kFill + kSample / kEvict).epsilon(0.02));
  // The kernel's own thread does it on another core, while the drive delivers.
  scenario.loader.cache_limit = CacheLimit::machine;
  CHECK(sample_time(scenario) ==
        approx(std::max(read, kSample / kEvict) + kSample / kFill).epsilon(0.02));
  scenario.data.mode = ReadMode::direct;
  const double direct = sample_time(scenario);
  edit_cpus(scenario, [](Cpu& cpu) { cpu.cache_fill_bandwidth = {}; });
  CHECK(sample_time(scenario) == approx(direct));
}

TEST_CASE("as long as everything fits, nothing is thrown out") {
  Scenario scenario = one_reader(1e11);
  scenario.loader.cache_memory = Bytes{1e12};
  const double read = sample_time(scenario);
  edit_cpus(scenario, [](Cpu& cpu) { cpu.cache_evict_bandwidth = Bandwidth{2e8}; });
  CHECK(sample_time(scenario) == approx(read));
}
