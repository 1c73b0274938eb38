// SPDX-License-Identifier: Apache-2.0
// XML of lstopo and NCCL, and matrices, without the lines around them.
#include "calib/discover/discover.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] { machine_in(as_text(data, size), "fuzz.xml"); });
  return 0;
}
