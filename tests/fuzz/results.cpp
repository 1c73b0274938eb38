// SPDX-License-Identifier: Apache-2.0
// What benchmarks measured: screens, CSV, JSON and counters.
#include "sim/import/results/results.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse(
      [&] { results_cases(read_results(as_text(data, size), "fuzz.txt"), "fuzz.txt", "a", {}); });
  return 0;
}
