// SPDX-License-Identifier: Apache-2.0
// What fio printed.
#include "calib/fit/fio_json.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] { parse_fio(as_text(data, size), "fuzz.json"); });
  return 0;
}
