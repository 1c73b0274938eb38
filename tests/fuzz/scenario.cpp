// SPDX-License-Identifier: Apache-2.0
// A scenario, from the front door to the last check; what is accepted must be as good when it is
// written and read again.
#include "sim/model/scenario.h"
#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "tests/fuzz/catalog.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/numbers.h"

using namespace gpufeed;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return mutate_scenario(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] {
    to_toml(parse_scenario(as_text(data, size), GPUFEED_SOURCE_DIR "/examples/x/fuzz.toml",
                           fuzz_catalog()));
  });
  return 0;
}
