// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace gpufeed {

/// A broken promise of `GPUFEED_ASSERT`, where it does not end the process.
class InternalFault : public std::logic_error {
  using std::logic_error::logic_error;
};

/// While one lives, a broken promise throws `InternalFault` in its thread instead of ending the
/// process: for work of many parts of which each may fail alone, such as the points of a sweep.
class FaultsThrow {
 public:
  FaultsThrow();
  ~FaultsThrow();
  FaultsThrow(const FaultsThrow&) = delete;
  FaultsThrow& operator=(const FaultsThrow&) = delete;

 private:
  bool before_;  ///< whether they did so already
};

}  // namespace gpufeed
