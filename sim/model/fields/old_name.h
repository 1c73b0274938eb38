// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/problem.h"

namespace gpufeed {

/// A key that was given by a deprecated alias, which still works.
struct OldName {
  Location where;
  KeyPath key;        ///< as it was given
  std::string name;   ///< what it is called now
  std::string since;  ///< the version
};

/// One line that says so: `mine.toml:3:1: note: loader.keep is called "keep_all" since 0.3`.
std::string line_of(const OldName& old);

}  // namespace gpufeed
