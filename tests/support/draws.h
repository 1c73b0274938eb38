// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

namespace gpufeed {

/// How many of `count` random machines or jobs a test takes: under sanitizers, which look for
/// faults of memory and take many times as long, a tenth. How many of them must be worth something
/// scales along.
constexpr auto draws(std::integral auto count) {
#ifdef GPUFEED_SANITIZED
  return count / 10;
#else
  return count;
#endif
}

/// Whether the one of this number is taken, where a test takes all of what there is.
constexpr bool drawn(std::integral auto number) { return number % (10 / draws(10)) == 0; }

}  // namespace gpufeed
