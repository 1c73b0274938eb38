// SPDX-License-Identifier: Apache-2.0
// What programs tell of a machine: XML, matrices, JSON, text.
#include "calib/discover/report/report.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] { machine_of_report({{"fuzz.txt", std::string(as_text(data, size))}}); });
  return 0;
}
