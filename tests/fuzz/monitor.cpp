// SPDX-License-Identifier: Apache-2.0
// What monitors, exporters and profilers write: lines, JSON, CSV.
#include "calib/observe/monitors/monitors.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] {
    monitored_toml(read_monitors({{"fuzz.txt", std::string(as_text(data, size))}}), 64);
  });
  return 0;
}
