// SPDX-License-Identifier: Apache-2.0
// A log of what a program read and wrote.
#include "sim/load/csv/access_log.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] {
    Diagnostics out;
    if (const auto log = parse_access_log(as_text(data, size), "fuzz.csv", out)) summary_of(*log);
    out.throw_if_any();
  });
  return 0;
}
