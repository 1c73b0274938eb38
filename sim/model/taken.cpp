// SPDX-License-Identifier: Apache-2.0
#include "sim/model/taken.h"

#include <algorithm>

namespace gpufeed {

Names kinds_that_take(std::string_view section, std::string_view name) {
  Names kinds;
  for_each_kind([&]<class K>(const K&) {
    if (takes<K>(section, name)) kinds.emplace_back(K::kName);
  });
  return kinds;
}

bool is_taken(WorkloadKind kind, std::string_view section, std::string_view name) {
  return std::ranges::count(kinds_that_take(section, name), name_of(kind)) > 0;
}

}  // namespace gpufeed
