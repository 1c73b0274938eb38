// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gpufeed {

/// Tells the broken promise and its place, and aborts (or see FaultsThrow). Use GPUFEED_ASSERT.
[[noreturn]] void assertion_failed(const char* condition, const char* promise, const char* file,
                                   int line);

}  // namespace gpufeed

/// A fault of ours, never of the user's input: aborts with `promise`, what should hold.
#define GPUFEED_ASSERT(condition, promise) \
  ((condition) ? void(0) : ::gpufeed::assertion_failed(#condition, promise, __FILE__, __LINE__))
