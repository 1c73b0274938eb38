// SPDX-License-Identifier: Apache-2.0
// Raw measurements, as gpufeed calibrate keeps them.
#include "calib/fit/raw_fit.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] { fit_raw(as_text(data, size), "fuzz.raw.json", "fuzz.catalog"); });
  return 0;
}
