// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/diagnostics.h"
#include "ui/library/gpufeed.h"
#include "ui/places/places.h"

namespace gpufeed::v1 {

/// The problems as this library's.
InputError foreign(const gpufeed::InputError& error);

/// Runs `work`, whose errors leave as this library's.
template <class Work>
auto guarded(const Work& work) {
  try {
    return work();
  } catch (const gpufeed::InputError& error) {
    throw foreign(error);
  }
}

/// Once: looks for what came with gpufeed beside what this is linked into.
void find_data();

/// The catalog of `settings`, of which an entry is read once.
Catalog catalog_of(const Settings& settings);

/// So many threads; 0: one a core.
unsigned threads(unsigned jobs);

}  // namespace gpufeed::v1
