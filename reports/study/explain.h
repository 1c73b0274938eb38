// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/model/scenario.h"
#include "sim/model/study/observed.h"

namespace gpufeed {

/// Why a run is not as predicted. Each mechanism in turn is made stronger or weaker, within bounds
/// that are physically plausible, until all observations fit best:
///   misfit(f) = sum ((predicted(f) - seen) / spread)^2
/// over factors f, by a grid even in ln f and a golden-section search around its best point. Causes
/// are ranked by misfit + (ln f / ln bound)^2: of two that fit as well, the one that takes the
/// smaller part of its bounds. One that does not take half of the misfit away is ruled out.
/// \param jobs      mechanisms at a time, in threads
/// \param progress  told how many of how many are tried; by one thread at a time
/// \throws InputError  where the scenario trains, emulates and loads nothing, or uses none of what
///                     was observed
Explanation explain(const Scenario& scenario, const Observed& observed, unsigned jobs,
                    const std::function<void(std::int64_t, std::int64_t)>& progress);

}  // namespace gpufeed
