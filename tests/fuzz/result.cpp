// SPDX-License-Identifier: Apache-2.0
// A result as JSON; what is accepted must be the same when it is written and read again.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "reports/writers/json.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  static const std::string start = to_json(Result{});
  if (seed % 64 == 0 && start.size() <= most) {
    std::copy(start.begin(), start.end(), data);
    size = start.size();
  }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_or_refuse([&] {
    const Result result = result_from_json(as_text(data, size));
    if (to_json(result_from_json(to_json(result))) != to_json(result)) std::abort();
  });
  return 0;
}
