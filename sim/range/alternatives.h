// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/model/scenario.h"

namespace gpufeed {

/// A key that nobody gave, as it may well be otherwise.
struct Alternative {
  KeyPath key;
  std::string value;  ///< its default, as `--set` takes it
  std::string other;
  std::function<void(Scenario&)> set_other;  ///< as `--set` would
  bool of_decoder = false;                   ///< it acts on a decoder's step alone
};

/// Of every default of the scenario that is `open`, where the other value is another one here; of
/// the page cache's memory half of it; of a store by its usual client what else reads the same
/// family. In the order of keys. What benchmarks say of their jobs is no default.
std::vector<Alternative> alternatives_of(const Scenario& scenario);

}  // namespace gpufeed
