// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// What fails while a job trains: all of it stops, and goes back to its last checkpoint.
struct Failures {
  std::optional<Seconds> mtbf;
  std::optional<Seconds> store_mtbf;
  Seconds restart{};
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("mtbf", &Failures::mtbf,
              "of one machine: mean time between failures that end the job; default: as its "
              "parts and itself say in the catalog")
              .between(1_ms, Seconds{1e12}));
    visit(key("store_mtbf", &Failures::store_mtbf,
              "the same of each store that the job uses; default: as its model says, or never")
              .between(1_ms, Seconds{1e12}));
    visit(key("restart", &Failures::restart,
              "from a failure until the job begins to read its checkpoint back: noticing, finding "
              "another machine, starting")
              .between(0_s, Seconds{1e9}));
  }
};

}  // namespace gpufeed
