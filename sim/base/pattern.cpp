// SPDX-License-Identifier: Apache-2.0
#include "sim/base/pattern.h"

#include <fnmatch.h>

namespace gpufeed {

bool matches(const std::string& pattern, const std::string& id) {
  return fnmatch(pattern.c_str(), id.c_str(), 0) == 0;
}

}  // namespace gpufeed
