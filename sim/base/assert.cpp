// SPDX-License-Identifier: Apache-2.0
#include "sim/base/assert.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

namespace gpufeed {

void assertion_failed(const char* condition, const char* promise, const char* file, int line) {
  fmt::print(stderr, "{}:{}: internal error: {} ({})\n", file, line, promise, condition);
  std::abort();
}

}  // namespace gpufeed
