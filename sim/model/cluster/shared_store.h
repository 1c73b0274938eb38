// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/catalog/stores.h"
#include "sim/model/catalog/system.h"
#include "sim/model/fields/store_servers.h"

namespace gpufeed::cluster {

using namespace literals;

inline constexpr Seconds kLongest{1e12};  ///< 30,000 years; a date beyond is a mistake
inline constexpr Bandwidth kFastest{1e15};
inline constexpr std::int64_t kMostCount = 1000000;

/// Read by all nodes: an array, servers that make one together, or a bandwidth.
struct SharedStore : ServersOfStore {
  std::optional<Ref<Array>> model;
  std::optional<Bandwidth> bandwidth;
  std::optional<Seconds> mtbf;
  Seconds repair{};
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("model", &SharedStore::model, "the array; or give its servers, or its bandwidth"));
    servers_fields(visit);
    visit(key("bandwidth", &SharedStore::bandwidth,
              "that all who read it share; default: what the model reads")
              .between(Bandwidth{1}, kFastest));
    visit(key("mtbf", &SharedStore::mtbf,
              "mean time between failures, at random, in which its readers wait; default: never")
              .between(1_s, kLongest));
    visit(key("repair", &SharedStore::repair, "how long one takes").between(0_s, kLongest));
  }
};

}  // namespace gpufeed::cluster
