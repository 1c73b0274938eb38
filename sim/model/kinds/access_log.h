// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/nearest.h"

namespace gpufeed {

/// One read or write that a program made.
struct AccessRequest {
  double time_s = 0;  ///< since the first request
  std::int64_t offset = 0;
  std::int64_t bytes = 1;
  std::int32_t file = 0;  ///< number of the file, in the order in which files are first named
  bool write = false;
};

/// What a program asked of its files, in order of time.
struct AccessLog {
  std::vector<AccessRequest> requests;  ///< one at least
  std::int32_t files = 0;
  Names not_used;  ///< columns of the file that are not read
};

}  // namespace gpufeed
