// SPDX-License-Identifier: Apache-2.0
// Runs that are remembered, against the same scenarios simulated anew.
#include "sim/job/epochs/run_memory.h"

#include <doctest/doctest.h>

#include "reports/writers/json.h"
#include "sim/simulate.h"
#include "tests/support/draws.h"
#include "tests/support/edits.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

std::string answer(const Scenario& scenario) { return to_json(simulate(scenario)); }

std::string answer(const Scenario& scenario, RunMemory& memory) {
  const RunMemory::InUse in_use(memory);
  return answer(scenario);
}

Scenario drawn(std::uint64_t seed) {
  return seed % 3 == 0 ? cluster_of(random_machine(seed), seed)
                       : featured_scenario(random_machine(seed), seed);
}

/// Data on a store beside two drives that hold none of them.
Scenario on_store(const RandomMachine& of = ample_machine()) {
  RandomMachine m = of;
  m.drives = 2;
  m.nics = 1;
  m.store = true;
  m.jitter = 0.1;
  m.rate[kArray] = 5e7;  // half of what the GPU could take
  Scenario scenario = scenario_of(m);
  scenario.data.at = part(scenario, "nas");
  return scenario;
}

}  // namespace

TEST_CASE("a remembered run is the one that would be simulated, on random machines") {
  RunMemory memory;
  const std::uint64_t seeds = draws(60);
  std::vector<std::string> alone;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    alone.push_back(answer(drawn(seed)));
    CHECK(answer(drawn(seed), memory) == alone.back());
  }
  const RunMemory::Counts first = memory.counts();
  CHECK(first.simulated >= static_cast<std::int64_t>(seeds));
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    CHECK(answer(drawn(seed), memory) == alone[seed - 1]);
  }
  CHECK(memory.counts().simulated == first.simulated);
}

TEST_CASE("what a job does not feel is not simulated again, and what it feels is") {
  RunMemory memory;
  const auto simulated = [&](const Scenario& scenario) {
    const std::int64_t before = memory.counts().simulated;
    CHECK(answer(scenario, memory) == answer(scenario));
    return memory.counts().simulated > before;
  };
  Scenario scenario = on_store();
  CHECK(simulated(scenario));
  CHECK_FALSE(simulated(scenario));
  Scenario more_drives = scenario;
  edit(more_drives.system, [](System& system) {
    system.drives.push_back(system.drives.back());
    system.drives.back().id = Label("ssd9");
  });
  CHECK_FALSE(simulated(more_drives));
  RandomMachine wider = ample_machine();
  wider.rate[kMemory] *= 2;
  CHECK_FALSE(simulated(on_store(wider)));
  RandomMachine more_cores = ample_machine();
  more_cores.cores *= 2;
  CHECK_FALSE(simulated(on_store(more_cores)));
  RandomMachine few_cores = ample_machine();
  few_cores.cores = 1;
  few_cores.workers = 4;
  few_cores.rate[kDecode] = 1e3;
  CHECK(simulated(on_store(few_cores)));
  few_cores.cores = 2;
  CHECK(simulated(on_store(few_cores)));
  Scenario faster = scenario;
  edit(faster.store["nas"].model,
       [](Array& array) { array.read_bandwidth = array.read_bandwidth * 1.01; });
  CHECK(simulated(faster));
  Scenario seeded = scenario;
  ++seeded.run.seed;
  CHECK(simulated(seeded));
  Scenario precise = scenario;
  precise.run.precision = scenario.run.precision * 0.5;
  CHECK(simulated(precise));
}

TEST_CASE("runs are remembered where they are asked to be, and nowhere else") {
  RunMemory outer, inner;
  CHECK(RunMemory::in_use() == nullptr);
  {
    const RunMemory::InUse in_use(outer);
    {
      const RunMemory::InUse within(inner);
      CHECK(RunMemory::in_use() == &inner);
    }
    CHECK(RunMemory::in_use() == &outer);
  }
  CHECK(RunMemory::in_use() == nullptr);
}
