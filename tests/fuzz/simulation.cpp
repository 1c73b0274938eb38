// SPDX-License-Identifier: Apache-2.0
// What a small scenario predicts: whatever is accepted must be answered, or refused with a reason.
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/fuzz/catalog.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/numbers.h"

using namespace gpufeed;

namespace {

/// Neither a machine nor a job that takes long to answer by its size alone.
bool is_small(const Scenario& scenario) {
  const auto* job = scenario.workload.find<RunsEpochs>();
  return scenario.nodes <= 4 && scenario.system->gpus.size() <= 16 && (!job || job->epochs <= 4);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return mutate_scenario(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] {
    const Scenario scenario = parse_scenario(
        as_text(data, size), GPUFEED_SOURCE_DIR "/examples/x/fuzz.toml", fuzz_catalog(),
        {parse_override("run.engine=fluid"), parse_override("run.max_steps=10"),
         parse_override("run.extrapolate=true"), parse_override("run.range_samples=2"),
         parse_override("run.replications=2")});
    if (is_small(scenario)) simulate(scenario);
  });
  return 0;
}
