// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "reports/study/sweep_store.h"

namespace gpufeed {

/// A line that tells of a file whose rows cannot be checked; empty of others.
std::string unchecked_text(const SweepStore& store);

/// What a file of results holds now, in a few lines. Points that failed through a fault of gpufeed
/// stand first.
/// \param of           how many points it is to hold
/// \param constrained  whether the sweep has constraints
std::string summary_of(SweepStore& store, std::int64_t of, bool constrained);

}  // namespace gpufeed
