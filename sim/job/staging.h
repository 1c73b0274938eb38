// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.h"

namespace gpufeed {

struct Scenario;

/// Time to copy the data set from the store of `data.staging` onto the drives of `data.at` before
/// training: one stream per drive from the store over the network into the drive's socket's memory
/// and onto the drive, all at once, together at most at `data.staging.rate`. 0 without staging, or
/// where the drives are a cache.
/// \throws InputError  where there is no way from the store to a drive
Seconds staging_time(const Scenario& scenario);

}  // namespace gpufeed
