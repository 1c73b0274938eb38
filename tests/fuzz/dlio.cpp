// SPDX-License-Identifier: Apache-2.0
// A workload file of DLIO; the scenario made of it must be TOML.
#include "sim/import/dlio.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/fuzz/catalog.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] {
    const DlioWorkload workload = parse_dlio(as_text(data, size), "fuzz.yaml");
    DlioTarget target;
    target.system = "nvidia-dgx1-p100";
    parse_scenario(dlio_scenario(workload, target), GPUFEED_SOURCE_DIR "/examples/x/fuzz.toml",
                   fuzz_catalog());
  });
  return 0;
}
