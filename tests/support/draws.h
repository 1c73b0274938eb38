// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdlib>

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

/// The same of a test that takes a quarter of a minute or more: a fifth, and all of them where
/// GPUFEED_ALL_DRAWS is set, as `./dev nightly draws` does.
inline auto costly_draws(std::integral auto count) {
  static const bool all = std::getenv("GPUFEED_ALL_DRAWS") != nullptr;
  using Count = decltype(count);
  return all ? draws(count) : static_cast<Count>(draws(count) / 5);
}

/// Whether the one of this number is taken, where a costly test takes some of what there is.
inline bool costly_drawn(std::integral auto number) {
  return number % (30 / costly_draws(30)) == 0;
}

}  // namespace gpufeed
